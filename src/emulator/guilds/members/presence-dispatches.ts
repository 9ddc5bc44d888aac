import { type Dispatched, defineDispatch } from '../../api/dispatch.ts';
import type { Committed, Reading } from '../../api/world.ts';
import { changedPresences, PRESENCE_TABLES } from '../../users/presence/changed-presences.ts';
import { friendsOf, mayKnowPresences } from '../../users/presence/friends.ts';
import { presenceShape } from '../../users/presence/shapes.ts';
import { presenceOf } from '../../users/presence/statuses.ts';
import type { Guild } from '../records.ts';
import { presenceIn } from './gateway-presences.ts';
import { isIn } from './membership.ts';
import { MEMBER_TABLES, touchedMembers } from './touched-members.ts';

/** New members whose presence is visible, and all users in `known`. */
function* came(commit: Committed, tables: Reading, known: ReadonlySet<string>): Generator<[Guild, string]> {
  for (const { guild: id, user, before, after } of touchedMembers(commit, tables)) {
    if (before !== undefined || after === undefined || known.has(user)) continue;
    const guild = tables.guilds.get(id);
    if (guild !== undefined && presenceOf(tables, user).status !== 'offline') yield [guild, user];
  }
}

function inGuild(tables: Reading, guild: Guild, user: string, whole = presenceOf(tables, user)): Dispatched {
  return {
    guild: guild.id,
    // A user receives no event for their own presence.
    canSee: (listener) => listener.kind === 'bot' && listener.user !== user,
    data: () => ({ ...presenceIn(tables, guild, user, whole), guild_id: guild.id }),
  };
}

function* toFriends(tables: Reading, user: string): Generator<Dispatched> {
  const friends = [...friendsOf(tables, user)];
  if (friends.length === 0) return;
  const presence = { user: { id: user }, ...presenceOf(tables, user) };
  yield {
    intents: [],
    canSee: (listener) =>
      mayKnowPresences(listener) &&
      friends.some(
        ({ of, application }) =>
          of === listener.user && (application ?? listener.application.id) === listener.application.id,
      ),
    data: () => presence,
  };
}

/** Gateway events of presences. */
export const presenceDispatches = [
  defineDispatch({
    event: 'PRESENCE_UPDATE',
    summary: 'The presence of a user changed; or a user with a presence joined a guild.',
    intents: ['GUILD_PRESENCES'],
    tables: [...PRESENCE_TABLES, ...MEMBER_TABLES],
    ours:
      'The user object has only an id. Users receive their friends, without `guild_id` and with their custom status, ' +
      'with relationships.read or presences.read. Secrets of activities are never sent.',
    shape: presenceShape,
    *derive(commit, { world: { tables } }) {
      const found = changedPresences(commit, tables);
      for (const user of found) {
        const whole = presenceOf(tables, user);
        for (const guild of tables.guilds)
          if (isIn(tables, guild.id, user)) yield inGuild(tables, guild, user, whole);
        yield* toFriends(tables, user);
      }
      for (const [guild, user] of came(commit, tables, found)) yield inGuild(tables, guild, user);
    },
  }),
];
