import * as z from 'zod';
import { asOption, nameArg, operatorOperationsFor, REVISION_TEXT, revisionArg } from '../api/operator.ts';
import type { Reading } from '../api/world.ts';
import { inputFile, MAX_FILES_REQUEST_BYTES } from '../files/input-files.ts';
import { directBetween } from '../guilds/channels/private-channels.ts';
import { MESSAGE_FILES } from './attachments/uploads.ts';
import type { Messages } from './messages.ts';
import type { Polls } from './polls/polls.ts';
import { checkRevision } from './revision.ts';
import type { MessageIndex } from './search/message-index.ts';

const operation = operatorOperationsFor<{
  readonly tables: Pick<Reading, 'messages' | 'attachments' | 'private_channels'>;
  readonly messages: Messages;
  readonly polls: Pick<Polls, 'vote'>;
  readonly messageIndex: Pick<MessageIndex, 'force'>;
}>();

const content = () => z.string().check(z.minLength(1), z.maxLength(4000));
/** A message in the form of a fixture. */
const message = () =>
  z.looseObject({
    id: z.string(),
    channel: z.string(),
    author: z.nullable(z.string()),
    content: z.string(),
  });

/** Number of messages that are read at most, and without a limit. */
const MAX_READ = 100;
const DEFAULT_READ = 50;

/** A channel as an argument on the command line. */
export const CHANNEL_ARG = {
  name: 'CHANNEL',
  help: 'id or name of a text channel, or @USER',
  completes: 'text-channels',
} as const;

const INDEX_STATES = ['not_indexed', 'indexing', 'ready'] as const;
const INDEX_TEXT = {
  not_indexed: 'not indexed',
  indexing: 'being indexed',
  ready: 'indexed',
  too_large: 'too many to be indexed',
} as const;

/** Operator operations on messages. They take users and channels by id or name. */
export const messageOperations = [
  operation({
    name: 'channel.read',
    summary: 'The last messages of a text channel, or of the private one with @USER, the newest last',
    about: 'Each message is in the form of a fixture, with the username of its author.',
    args: () => z.object({ channel: nameArg(), limit: z.optional(z.int().check(z.gte(1), z.lte(MAX_READ))) }),
    result: () => z.array(message().extend({ username: z.nullable(z.string()) })),
    run({ tables, lookup }, { channel, limit = DEFAULT_READ }) {
      const id = channel.startsWith('@')
        ? directBetween(tables, lookup.me().id, lookup.user(channel.slice(1)).id)?.id
        : lookup.textChannel(channel);
      const last = id === undefined ? [] : [...tables.messages.by('channel', id).last(limit)];
      return last.map((one) => ({
        ...one,
        username: one.author === null ? null : lookup.namedUser(one.author).username,
      }));
    },
  }),
  operation({
    name: 'channel.say',
    summary:
      'Write a message in a text channel, or a private one to @USER, as the logged-in user or another user',
    about:
      '`reply` is the id of the message that it answers; `files` have their bytes in base64 as `data`. The result is the message in the form of a fixture.',
    args: () =>
      z
        .object({
          channel: nameArg(),
          text: z.string().check(z.maxLength(4000)),
          author: z.optional(nameArg()),
          reply: z.optional(nameArg()),
          files: z.optional(z.array(inputFile()).check(z.maxLength(MESSAGE_FILES.maxCount))),
        })
        .check(
          z.refine(({ text, files = [] }) => text !== '' || files.length > 0, {
            path: ['text'],
            error: 'must not be empty',
          }),
        ),
    result: message,
    maxBytes: () => MAX_FILES_REQUEST_BYTES,
    command: {
      name: 'say',
      summary: 'Write a message in a text channel, or a private one to a user',
      syntax: {
        channel: CHANNEL_ARG,
        text: { name: 'TEXT', help: 'what to write; <@ID> mentions a user' },
        author: asOption('who writes it; default: the logged-in user'),
        reply: { option: 'reply', name: 'MESSAGE', help: 'id of the message that it answers' },
      },
      examples: [
        ["say general 'Who is up for a round?'", 'As the logged-in user'],
        ["say general 'Look at this, <@200000000000000001>' --as heron", 'As another user, with a mention'],
        ["say @heron 'Are you there?' --as otter", 'In the private channel of the two'],
        ["say general 'At noon' --reply 600000000000000001", 'An answer to a message'],
      ],
      resultText: ({ id }) => `Message ${id} is written.`,
    },
    run({ messages, lookup }, { channel, text, author, reply, files = [] }) {
      const { id } = lookup.user(author);
      return messages.withFiles(files, (stored) => {
        const more = { reply, files: stored };
        if (channel.startsWith('@')) return messages.sendTo(lookup.user(channel.slice(1)).id, text, id, more);
        return messages.send(lookup.textChannel(channel), text, id, more);
      });
    },
  }),
  operation({
    name: 'message.edit',
    summary: 'Change the text of a message',
    args: () => z.object({ id: nameArg(), text: content() }),
    result: message,
    run: ({ messages }, { id, text }) => messages.edit(id, text),
  }),
  operation({
    name: 'message.delete',
    summary: 'Delete a message',
    about: `With \`user\`: as that user may, who can also dismiss an ephemeral message of theirs. ${REVISION_TEXT}`,
    args: () => z.object({ id: nameArg(), user: z.optional(nameArg()), revision: revisionArg() }),
    result: () => z.object({ deleted: z.string() }),
    run: ({ messages, lookup }, { id, user, revision }) => ({
      deleted: messages.remove(id, user === undefined ? undefined : lookup.user(user), revision).id,
    }),
  }),
  operation({
    name: 'poll.vote',
    summary: 'Vote in a poll, as the logged-in user or another user; replaces earlier votes',
    about: `Answers of a poll by number or text; none removes the vote. ${REVISION_TEXT}`,
    args: () =>
      z.object({
        message: nameArg(),
        answers: z.array(nameArg()).check(z.maxLength(10)),
        user: z.optional(nameArg()),
        revision: revisionArg(),
      }),
    result: () => z.object({ user: z.string(), answers: z.array(z.number()) }),
    command: {
      name: 'vote',
      summary: 'Vote in a poll; replaces earlier votes',
      syntax: {
        message: { name: 'MESSAGE', help: 'id of the message with the poll' },
        answers: {
          name: 'ANSWER',
          help: 'number or text of an answer; none removes the vote',
          arity: 'many',
          none: true,
        },
        user: asOption('who votes; default: the logged-in user'),
      },
      examples: [
        ['vote 1461234567890123456 2', 'As the logged-in user'],
        ['vote 1461234567890123456 Low --as heron', 'As another user, by the text of an answer'],
      ],
      resultText: ({ user, answers }) =>
        answers.length === 0 ? `${user} votes for nothing.` : `${user} votes for ${answers.join(', ')}.`,
    },
    run({ polls, lookup, tables }, { message: id, answers, user, revision }) {
      const voter = lookup.user(user);
      const stored = tables.messages.get(id);
      if (stored !== undefined) checkRevision(tables, stored, revision);
      return { user: voter.username, answers: polls.vote(id, voter.id, answers) };
    },
  }),
  operation({
    name: 'guild.search-index',
    summary: 'Set the state of the search index of a guild',
    about:
      '`not_indexed` until the next search; `indexing`, with `documents` done, until another state is set; `ready`.',
    args: () =>
      z
        .object({
          id: nameArg(),
          state: z.enum(INDEX_STATES),
          documents: z.optional(z.int().check(z.gte(0), z.lte(2 ** 31 - 1))),
        })
        .check(
          z.refine(({ state, documents }) => documents === undefined || state === 'indexing', {
            path: ['documents'],
            error: 'is only allowed with indexing',
          }),
        ),
    result: () => z.object({ state: z.enum([...INDEX_STATES, 'too_large']), documents_indexed: z.number() }),
    command: {
      name: 'search-index',
      syntax: {
        id: { name: 'ID', help: 'id of the guild', completes: 'guilds' },
        state: { name: 'STATE', help: INDEX_STATES.join(', '), choices: INDEX_STATES },
        documents: {
          option: 'documents',
          name: 'N',
          type: 'whole',
          help: 'number of indexed messages, with indexing; default: 0',
        },
      },
      details: [
        'While it is indexing, a search answers 202 with code 110000: until another state is set, "emulator reset" or an import.',
        'A search without an index answers the same once and starts the indexing; a search with a ready index returns results.',
      ],
      examples: [
        ['search-index 400000000000000001 indexing --documents 5', 'Hold the index'],
        ['search-index 400000000000000001 ready', 'Release it'],
      ],
      resultText: ({ state, documents_indexed }, { id }) =>
        `The messages of ${id} are ${INDEX_TEXT[state]}: ${documents_indexed}.`,
    },
    async run({ messageIndex }, { id, state, documents }) {
      const now = await messageIndex.force(id, state, documents);
      return { state: now.state, documents_indexed: now.documents };
    },
  }),
] as const;
