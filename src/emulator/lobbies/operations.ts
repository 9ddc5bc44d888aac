import * as z from 'zod';
import { nameArg, operatorOperationsFor } from '../api/operator.ts';
import type { Lobbies } from './lobbies.ts';

const operation = operatorOperationsFor<{
  readonly lobbies: Pick<Lobbies, 'join' | 'leave' | 'joinCall' | 'leaveCall' | 'send' | 'edit' | 'remove'>;
}>();

const text = () => z.string().check(z.minLength(1), z.maxLength(4000));
/** A lobby message in the form of a fixture. */
const message = () =>
  z.looseObject({
    id: z.string(),
    lobby: z.string(),
    author: z.nullable(z.string()),
    content: z.string(),
  });

/**
 * Operator operations for games of other users. Users and applications are named by id or name, lobbies and messages
 * by id.
 */
export const lobbyOperations = [
  operation({
    name: 'lobby.join',
    summary: 'Add a user to the lobby with a secret; a lobby that does not exist is created',
    about: 'The result is the lobby as a fixture writes it, without its secret.',
    args: () =>
      z.object({
        app: nameArg(),
        secret: z.string().check(z.minLength(1), z.maxLength(250)),
        user: nameArg(),
      }),
    result: () =>
      z.looseObject({
        id: z.string(),
        application: z.string(),
        metadata: z.nullable(z.record(z.string(), z.string())),
        idle_timeout_seconds: z.number(),
        linked_channel: z.nullable(z.string()),
      }),
    run: ({ lobbies, lookup }, { app, secret, user }) => {
      const { secret: _, ...lobby } = lobbies.join(lookup.application(app).id, secret, lookup.user(user).id);
      return lobby;
    },
  }),
  operation({
    name: 'lobby.leave',
    summary: 'Remove a user from a lobby',
    args: () => z.object({ lobby: nameArg(), user: nameArg() }),
    result: () => z.object({ left: z.string() }),
    run: ({ lobbies, lookup }, { lobby, user }) => {
      const { id } = lookup.user(user);
      lobbies.leave(lobby, id);
      return { left: id };
    },
  }),
  operation({
    name: 'lobby.join-call',
    summary: 'Add a member to the call of a lobby; no voice is carried',
    about: 'The user has to be in the lobby. The result is the voice state.',
    args: () =>
      z.object({
        lobby: nameArg(),
        user: nameArg(),
        mute: z.optional(z.boolean()),
        deaf: z.optional(z.boolean()),
      }),
    result: () =>
      z.object({
        lobby: z.string(),
        user: z.string(),
        self_mute: z.boolean(),
        self_deaf: z.boolean(),
      }),
    run: ({ lobbies, lookup }, { lobby, user, mute = false, deaf = false }) =>
      lobbies.joinCall(lobby, lookup.user(user).id, { mute, deaf }),
  }),
  operation({
    name: 'lobby.leave-call',
    summary: 'Remove a user from the call of a lobby',
    args: () => z.object({ lobby: nameArg(), user: nameArg() }),
    result: () => z.object({ left: z.boolean() }),
    run: ({ lobbies, lookup }, { lobby, user }) => ({ left: lobbies.leaveCall(lobby, lookup.user(user).id) }),
  }),
  operation({
    name: 'lobby.say',
    summary: 'Write a message in a lobby, as one of its members',
    about: 'The user has to be in the lobby. The result is the message.',
    args: () => z.object({ lobby: nameArg(), user: nameArg(), text: text() }),
    result: message,
    run: ({ lobbies, lookup }, { lobby, user, text: content }) =>
      lobbies.send(lobby, lookup.user(user).id, content),
  }),
  operation({
    name: 'lobby.edit-message',
    summary: 'Change the content of a lobby message',
    args: () => z.object({ id: nameArg(), text: text() }),
    result: message,
    run: ({ lobbies }, { id, text: content }) => lobbies.edit(id, content),
  }),
  operation({
    name: 'lobby.delete-message',
    summary: 'Delete a message of a lobby',
    args: () => z.object({ id: nameArg() }),
    result: () => z.object({ deleted: z.string() }),
    run: ({ lobbies }, { id }) => ({ deleted: lobbies.remove(id).id }),
  }),
] as const;
