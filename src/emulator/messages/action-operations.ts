import * as z from 'zod';
import type { Lookup } from '../api/lookup.ts';
import { asOption, nameArg, operatorOperationsFor, REVISION_TEXT, revisionArg } from '../api/operator.ts';
import type { MessageActions } from './message-actions.ts';
import { CHANNEL_ARG } from './operations.ts';

interface Needs {
  readonly messageActions: MessageActions;
}

const operation = operatorOperationsFor<Needs>();

const reacting = () =>
  z.object({ message: nameArg(), emoji: nameArg(), user: z.optional(nameArg()), revision: revisionArg() });
const reacted = () => z.object({ message: z.string(), emoji: z.string(), user: z.string() });
const EMOJI_ARG = { name: 'EMOJI', help: 'the character, or NAME:ID of an emoji of a guild' } as const;
const MESSAGE_ARG = { name: 'MESSAGE', help: 'id of the message' } as const;

/** Operator operations of what a user does at messages and channels besides writing. */
export const messageActionOperations = [
  operation({
    name: 'message.react',
    summary: 'React to a message, as the logged-in user or another user',
    about: `\`emoji\` is the character, or \`name:id\`. ${REVISION_TEXT}`,
    args: reacting,
    result: reacted,
    command: {
      name: 'react',
      syntax: {
        message: MESSAGE_ARG,
        emoji: EMOJI_ARG,
        user: asOption('who reacts; default: the logged-in user'),
      },
      examples: [
        ['react 600000000000000001 🌊', 'As the logged-in user'],
        ['react 600000000000000001 👍 --as heron', 'As another user'],
      ],
      resultText: ({ user, emoji, message }) => `${user} reacts to ${message} with ${emoji}.`,
    },
    run: (needs, args) => reaction(needs, args, true),
  }),
  operation({
    name: 'message.unreact',
    summary: 'Take back a reaction to a message, of the logged-in user or another user',
    about: 'The result is the same where there was no such reaction.',
    args: reacting,
    result: reacted,
    command: {
      name: 'unreact',
      syntax: {
        message: MESSAGE_ARG,
        emoji: EMOJI_ARG,
        user: asOption('whose reaction; default: the logged-in user'),
      },
      examples: [['unreact 600000000000000001 🌊', 'Undoes "emulator react"']],
      resultText: ({ user, emoji, message }) => `${user} has no reaction ${emoji} to ${message}.`,
    },
    run: (needs, args) => reaction(needs, args, false),
  }),
  operation({
    name: 'channel.type',
    summary: 'Show that a user types in a text channel, for ten seconds or until their next message',
    args: () => z.object({ channel: nameArg(), user: z.optional(nameArg()) }),
    result: () => z.object({ channel: z.string(), user: z.string() }),
    command: {
      name: 'type',
      syntax: {
        channel: { ...CHANNEL_ARG, help: 'id or name of a text channel' },
        user: asOption('who types; default: the logged-in user'),
      },
      examples: [
        ['type general', 'The logged-in user'],
        ['type general --as heron', 'Another user'],
      ],
      resultText: ({ user }) => `${user} types.`,
    },
    async run({ messageActions, lookup }, { channel, user: named }) {
      const user = lookup.user(named);
      const id = lookup.textChannel(channel);
      await messageActions.type(id, user);
      return { channel: id, user: user.username };
    },
  }),
] as const;

function reaction(
  { messageActions, lookup }: Needs & { readonly lookup: Lookup },
  { message, user: named, ...how }: z.output<ReturnType<typeof reacting>>,
  isOn: boolean,
): z.output<ReturnType<typeof reacted>> {
  const user = lookup.user(named);
  return { message, emoji: messageActions.react(message, user, { ...how, isOn }), user: user.username };
}
