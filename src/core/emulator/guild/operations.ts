import * as z from 'zod';
import { findChannel, findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { hasText } from '../../../emulator/guilds/channels/records.ts';
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
    'guild.search-index': defineOperation({
      summary: 'Choose how far the index is that messages of a guild are searched by',
      args: () =>
        z.object({
          id: name(),
          state: z.enum(['not_indexed', 'indexing', 'ready']),
          documents: z.optional(z.int().check(z.gte(0), z.lte(2 ** 31 - 1))),
        }),
      async run({ id, state, documents }) {
        const now = await emulator.messageIndex.force(id, state, documents);
        return { state: now.state, documents_indexed: now.documents };
      },
    }),
    'guild.onboard': defineOperation({
      summary: 'Have a member answer the questions of a guild, and get the roles of what they chose',
      args: () =>
        z.object({ guild: z.string(), user: name(), options: z.array(name()).check(z.maxLength(750)) }),
      run({ guild, user, options }) {
        const person = findPerson(emulator.tables, user);
        const answered = emulator.onboard(guild, person.id, options);
        const roles = emulator.tables.members.get(guild, person.id)?.roles ?? [];
        return { guild, user: person.username, options: answered.options, roles };
      },
    }),
    'event.interest': defineOperation({
      summary:
        'Say whether a person is interested in an event of a guild, or in one time of it that is an exception',
      args: () => z.object({ id: name(), user: name(), on: z.boolean(), exception: z.optional(name()) }),
      run({ id, user, on, exception }) {
        const person = findPerson(emulator.tables, user);
        const event = emulator.scheduledEvents.setInterest(id, person.id, on, exception);
        return { event: event.name, user: person.username, interested: on };
      },
    }),
    'channel.say': defineOperation({
      summary:
        'Write a message in a text channel, or with @USER in private, as the logged-in user or somebody else',
      args: () =>
        z.object({
          channel: name(),
          text: z.string().check(z.minLength(1), z.maxLength(4000)),
          author: z.optional(name()),
        }),
      run({ channel, text, author }) {
        const { id } = author === undefined ? emulator.me() : findPerson(emulator.tables, author);
        if (channel.startsWith('@')) {
          return emulator.messages.sayTo(findPerson(emulator.tables, channel.slice(1)).id, text, id);
        }
        const isPrivate = emulator.tables.private_channels.has(channel);
        const place = isPrivate ? channel : findChannel(emulator.tables, channel, hasText).id;
        return emulator.messages.say(place, text, id);
      },
    }),
    'message.edit': defineOperation({
      summary: 'Change what a message says',
      args: () => z.object({ id: name(), text: z.string().check(z.minLength(1), z.maxLength(4000)) }),
      run: ({ id, text }) => emulator.messages.edit(id, text),
    }),
    'poll.vote': defineOperation({
      summary: 'Vote in a poll, as the logged-in user or somebody else, instead of what they voted before',
      args: () =>
        z.object({
          message: name(),
          answers: z.array(name()).check(z.maxLength(10)),
          user: z.optional(name()),
        }),
      run({ message, answers, user }) {
        const { id, username } = user === undefined ? emulator.me() : findPerson(emulator.tables, user);
        return { user: username, answers: emulator.polls.vote(message, id, answers) };
      },
    }),
    'message.delete': defineOperation({
      summary: 'Delete a message',
      args: () => z.object({ id: name() }),
      run: ({ id }) => ({ deleted: emulator.messages.remove(id).id }),
    }),
  };
}
