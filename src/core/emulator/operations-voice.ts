import * as z from 'zod/mini';
import type { Emulator } from '../../emulator/emulator.ts';
import type { FixtureChannel, User } from '../../emulator/fixture/fixture.ts';
import { hasText, hasVoice } from '../../emulator/guilds/guilds.ts';
import { findChannel, findPerson } from '../../emulator/lookup.ts';
import { type AdminOperation, defineOperation } from '../core.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));

/** What a person can do to calls, voice settings and messages. Users and channels are given by id or name. */
export function voiceOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  const person = (text: string): User => findPerson(emulator.show(), text);
  const voiceChannel = (text: string): FixtureChannel => findChannel(emulator.show(), text, hasVoice);
  const textChannel = (text: string): FixtureChannel => findChannel(emulator.show(), text, hasText);
  return {
    'voice.set': defineOperation({
      summary: 'Change one voice setting',
      args: () =>
        z.object({ key: z.string().check(z.maxLength(64)), value: z.string().check(z.maxLength(1024)) }),
      run: ({ key, value }) => emulator.setVoice(key, value),
    }),
    'voice.join': defineOperation({
      summary: 'Put a user into a voice channel, out of any other',
      args: () => z.object({ user: name(), channel: name() }),
      run({ user, channel }) {
        const { id, username } = person(user);
        return { user: username, channel: emulator.calls.join(id, voiceChannel(channel).id).name };
      },
    }),
    'voice.leave': defineOperation({
      summary: 'Take a user out of their voice channel',
      args: () => z.object({ user: name() }),
      run({ user }) {
        const { id, username } = person(user);
        return { user: username, left: emulator.calls.leave(id) };
      },
    }),
    'voice.speak': defineOperation({
      summary: 'Make a user in a voice channel begin or stop to speak',
      args: () => z.object({ user: name(), on: z.boolean() }),
      run({ user, on }) {
        const { id, username } = person(user);
        emulator.calls.speak(id, on);
        return { user: username, speaking: on };
      },
    }),
    'voice.network': defineOperation({
      summary: 'Interrupt the network of the voice connection, or restore it',
      args: () => z.object({ state: z.enum(['drop', 'restore']) }),
      run({ state }) {
        emulator.client.set({ network: state === 'drop' ? 'down' : 'up' });
        return { network: emulator.client.state.network, connection: emulator.voiceConnection.status.state };
      },
    }),
    'channel.say': defineOperation({
      summary: 'Write a message in a text channel, as the logged-in user or somebody else',
      args: () =>
        z.object({
          channel: name(),
          text: z.string().check(z.minLength(1), z.maxLength(4000)),
          author: z.optional(name()),
        }),
      run({ channel, text, author }) {
        const { id } = author === undefined ? emulator.me() : person(author);
        return emulator.messages.say(textChannel(channel).id, text, id);
      },
    }),
    'message.edit': defineOperation({
      summary: 'Change what a message says',
      args: () => z.object({ id: name(), text: z.string().check(z.minLength(1), z.maxLength(4000)) }),
      run: ({ id, text }) => emulator.messages.edit(id, text),
    }),
    'message.delete': defineOperation({
      summary: 'Delete a message',
      args: () => z.object({ id: name() }),
      run: ({ id }) => ({ deleted: emulator.messages.remove(id).id }),
    }),
  };
}
