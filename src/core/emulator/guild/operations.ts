import * as z from 'zod';
import { hasText } from '../../../emulator/channels/records.ts';
import type { Emulator } from '../../../emulator/emulator.ts';
import { findChannel, findPerson } from '../../../emulator/lookup.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));

/** What a person can do to guilds and their messages. Users and channels are given by id or name. */
export function guildOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  return {
    'guild.set': defineOperation({
      summary: "Change a guild's name or icon",
      args: () =>
        z.object({
          id: z.string(),
          field: z.enum(['name', 'icon']),
          value: z.string().check(z.maxLength(2048)),
        }),
      run: ({ id, field, value }) => emulator.setGuild(id, field, value === '' ? null : value),
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
        const { id } = author === undefined ? emulator.me() : findPerson(emulator.tables, author);
        return emulator.messages.say(findChannel(emulator.tables, channel, hasText).id, text, id);
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
