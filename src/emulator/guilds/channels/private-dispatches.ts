import { type Dispatched, defineDispatch, type GatewayListener } from '../../api/dispatch.ts';
import type { Reading } from '../../api/world.ts';
import { privateChannelAnswer, privateChannelShape } from './private-answers.ts';
import type { PrivateChannel } from './private-records.ts';

/** Scope that a game needs to receive its user's private channels. */
const SCOPE = 'dm_channels.read';
const ours =
  'Events of private channels are sent to users, with the scope dm_channels.read, and not to bots.';

function mayKnow({ kind, scopes }: GatewayListener): boolean {
  return kind === 'bearer' && scopes.includes(SCOPE);
}

function privateDispatch(
  tables: Reading,
  channel: PrivateChannel,
  isOne: (user: string) => boolean,
): Dispatched {
  return {
    canSee: (listener) => mayKnow(listener) && isOne(listener.user),
    sameFor: ({ user }) => user,
    data: ({ user }) => privateChannelAnswer(tables, channel, user),
  };
}

const declared = { intents: [], tables: ['private_channels'], ours, shape: privateChannelShape } as const;

/** Gateway events of private channels. */
export const privateChannelDispatches = [
  defineDispatch({
    ...declared,
    event: 'CHANNEL_CREATE',
    summary: 'The user joined a private channel.',
    *derive(commit, { world: { tables } }) {
      const { created, updated } = commit.of('private_channels');
      for (const channel of created)
        yield privateDispatch(tables, channel, (user) => channel.recipients.includes(user));
      for (const { before, after } of updated) {
        const came = after.recipients.filter((user) => !before.recipients.includes(user));
        if (came.length > 0) yield privateDispatch(tables, after, (user) => came.includes(user));
      }
    },
  }),
  defineDispatch({
    ...declared,
    event: 'CHANNEL_UPDATE',
    summary: 'A group of the user changed.',
    *derive(commit, { world: { tables } }) {
      for (const { before, after } of commit.of('private_channels').updated) {
        const stayed = after.recipients.filter((user) => before.recipients.includes(user));
        yield privateDispatch(tables, after, (user) => stayed.includes(user));
      }
    },
  }),
  defineDispatch({
    ...declared,
    event: 'CHANNEL_DELETE',
    summary: 'The user left a private channel.',
    *derive(commit, { world: { tables } }) {
      const { removed, updated } = commit.of('private_channels');
      for (const channel of removed)
        yield privateDispatch(tables, channel, (user) => channel.recipients.includes(user));
      for (const { before, after } of updated) {
        const left = before.recipients.filter((user) => !after.recipients.includes(user));
        if (left.length > 0) yield privateDispatch(tables, before, (user) => left.includes(user));
      }
    },
  }),
];
