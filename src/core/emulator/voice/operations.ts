import * as z from 'zod';
import { findChannel, findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type ChannelRecord, hasVoice } from '../../../emulator/guilds/channels/records.ts';
import type { User } from '../../../emulator/users/records.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));

/** What a person can do to calls and voice settings. Users and channels are given by id or name. */
export function voiceOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  const person = (text: string): User => findPerson(emulator.tables, text);
  const voiceChannel = (text: string): ChannelRecord => findChannel(emulator.tables, text, hasVoice);
  return {
    'voice.set': defineOperation({
      summary: 'Change one voice setting',
      args: () =>
        z.object({
          key: z.string().check(z.maxLength(64)),
          value: z.union([z.string().check(z.maxLength(1024)), z.number(), z.boolean()]),
        }),
      // A person types text; a test has the value itself.
      run: ({ key, value }) => emulator.setVoice(key, String(value)),
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
  };
}
