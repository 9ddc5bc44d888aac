import type { Committed, Reading } from '../../../emulator/api/world.ts';
import {
  ACCESS_TABLES,
  channelsTouched,
  mayView,
  rowsBefore,
} from '../../../emulator/guilds/channels/access.ts';
import { isIn, memberRowsBefore } from '../../../emulator/guilds/members/membership.ts';
import { isSameJson } from '../../../emulator/kernel/same-json.ts';
import { defineCommitEvents } from '../rpc-event.ts';
import { ownViewIn } from '../voice/events.ts';
import { ownMember, partialChannel, partialGuild } from './shapes.ts';

/** Events for guilds that become visible to the logged-in user, then for guilds whose visible fields change. */
export const guildEvents = defineCommitEvents({
  events: ['GUILD_CREATE', 'GUILD_STATUS'],
  tables: ['guilds', 'members', 'departures', 'me'],
  *derive(commit, { emulator: { tables } }) {
    const { created, updated } = guildChanges(commit, tables);
    for (const { id, name } of created) yield { event: 'GUILD_CREATE', data: () => ({ id, name }) };
    for (const guild of updated) {
      yield {
        event: 'GUILD_STATUS',
        data: () => ({ guild: partialGuild(guild), online: 0 }),
        to: { filter: { guild_id: guild.id } },
      };
    }
  },
});

/** Event for channels that become visible to the logged-in user. */
export const channelEvents = defineCommitEvents({
  events: ['CHANNEL_CREATE'],
  tables: ACCESS_TABLES,
  *derive(commit, { emulator: { tables } }) {
    const me = tables.me.value;
    const before = { rows: rowsBefore(commit, tables), me: commit.was('me') ?? me };
    // After a change of the logged-in user, the access to any channel may differ.
    const ids = commit.touches('me')
      ? [...tables.channels].map(({ id }) => id)
      : channelsTouched(commit, tables, me);
    for (const id of ids) {
      const [was, is] = [before.rows.channels.get(id), tables.channels.get(id)];
      if (is === undefined || !mayView(tables, is, me)) continue;
      if (was !== undefined && mayView(before.rows, was, before.me)) continue;
      yield { event: 'CHANNEL_CREATE', data: () => partialChannel(is) };
    }
  },
});

/** Events for members of guilds that remain; a member who leaves a guild no longer has a nickname there. */
export const memberEvents = defineCommitEvents({
  events: ['CURRENT_GUILD_MEMBER_UPDATE', 'VOICE_STATE_UPDATE'],
  tables: ['members'],
  *derive(commit, context) {
    const { emulator } = context;
    const { created, updated, removed } = commit.of('members');
    for (const { guild, user } of [...created, ...updated.map(({ after }) => after), ...removed]) {
      if (!emulator.tables.guilds.has(guild) || commit.was('guilds', guild) === undefined) continue;
      if (user === emulator.me().id) {
        yield {
          event: 'CURRENT_GUILD_MEMBER_UPDATE',
          data: () => ownMember(emulator, guild),
          to: { filter: { guild_id: guild } },
        };
      }
      yield* ownViewIn(guild, user, context);
    }
  },
});

function guildChanges(commit: Committed, tables: Reading) {
  const me = tables.me.value;
  const meBefore = commit.was('me') ?? me;
  const before = memberRowsBefore(commit, tables);
  const { created, updated } = commit.of('guilds');
  const ids = new Set([...created, ...updated.map(({ after }) => after)].map(({ id }) => id));
  for (const name of ['members', 'departures'] as const) {
    const rows = commit.of(name);
    for (const { guild, user } of [...rows.created, ...rows.removed]) if (user === me) ids.add(guild);
  }
  if (me !== meBefore) for (const { id } of tables.guilds) ids.add(id);
  const seen = [...ids].flatMap((id) => {
    const after = isIn(tables, id, me) ? tables.guilds.get(id) : undefined;
    return after === undefined
      ? []
      : [{ before: isIn(before, id, meBefore) ? commit.was('guilds', id) : undefined, after }];
  });
  return {
    created: seen.filter((one) => one.before === undefined).map(({ after }) => after),
    updated: seen
      .filter((one) => one.before !== undefined && !isSameJson(one.before, one.after))
      .map(({ after }) => after),
  };
}
