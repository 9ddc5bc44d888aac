import * as z from 'zod';
import { findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import { findApplication } from '../find-application.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));
const text = () => z.string().check(z.minLength(1), z.maxLength(4000));

/** What games of other people do in lobbies. Users and applications are given by id or name, lobbies and messages by id. */
export function lobbyOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  const person = (user: string): string => findPerson(emulator.tables, user).id;
  return {
    'lobby.join': defineOperation({
      summary: 'Let a user into the lobby behind a secret, which is made when there is none',
      args: () =>
        z.object({ app: name(), secret: z.string().check(z.minLength(1), z.maxLength(250)), user: name() }),
      run: ({ app, secret, user }) => {
        const { secret: _, ...lobby } = emulator.lobbies.join(
          findApplication(emulator, app).id,
          secret,
          person(user),
        );
        return lobby;
      },
    }),
    'lobby.leave': defineOperation({
      summary: 'Take a user out of a lobby',
      args: () => z.object({ lobby: name(), user: name() }),
      run: ({ lobby, user }) => {
        const id = person(user);
        emulator.lobbies.leave(lobby, id);
        return { left: id };
      },
    }),
    'lobby.join-call': defineOperation({
      summary: 'Put a user into the call of a lobby that they are in; no voice is carried',
      args: () =>
        z.object({
          lobby: name(),
          user: name(),
          mute: z.optional(z.boolean()),
          deaf: z.optional(z.boolean()),
        }),
      run: ({ lobby, user, ...how }) =>
        emulator.lobbies.joinCall(lobby, person(user), {
          mute: how.mute ?? false,
          deaf: how.deaf ?? false,
        }),
    }),
    'lobby.leave-call': defineOperation({
      summary: 'Take a user out of the call of a lobby',
      args: () => z.object({ lobby: name(), user: name() }),
      run: ({ lobby, user }) => ({ left: emulator.lobbies.leaveCall(lobby, person(user)) }),
    }),
    'lobby.say': defineOperation({
      summary: 'Write a message in a lobby, as one of its members',
      args: () => z.object({ lobby: name(), user: name(), text: text() }),
      run: ({ lobby, user, text: content }) => emulator.lobbies.say(lobby, person(user), content),
    }),
    'lobby.edit-message': defineOperation({
      summary: 'Change what a message of a lobby says',
      args: () => z.object({ id: name(), text: text() }),
      run: ({ id, text: content }) => emulator.lobbies.edit(id, content),
    }),
    'lobby.delete-message': defineOperation({
      summary: 'Delete a message of a lobby',
      args: () => z.object({ id: name() }),
      run: ({ id }) => ({ deleted: emulator.lobbies.remove(id).id }),
    }),
  };
}
