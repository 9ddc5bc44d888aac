import type { Committed, Reading } from '../../api/world.ts';
import { type AccessRows, mayView, rowsBefore } from './access.ts';
import { type ChannelRecord, hasVoice, isCategory } from './records.ts';

/** From this day on nobody is told of channels that they have not in view (change-log of 2026-08-12). */
export const HIDDEN_SINCE = Date.parse('2026-11-16T00:00:00Z');

/** The rows that decide which channels somebody has in view, as they are or as they were. */
interface SightRows extends AccessRows {
  readonly voice_states: Pick<Reading['voice_states'], 'get'>;
  /** The channels of a category. */
  readonly children: (categoryId: string) => Iterable<ChannelRecord>;
}

/** Whether a user has a channel in view; what was asked once is remembered, so it is good for one state of the rows. */
export type Sight = (channel: ChannelRecord, userId: string) => boolean;

/** Those rows as they are. */
function rowsNow(tables: Reading): SightRows {
  const { guilds, users, members, departures, roles, external_identities } = tables;
  const { channels, role_overwrites, user_overwrites, thread_members, voice_states } = tables;
  return {
    guilds,
    users,
    members,
    departures,
    roles,
    external_identities,
    channels,
    role_overwrites,
    user_overwrites,
    thread_members,
    voice_states,
    children: (id) => channels.by('parent', id),
  };
}

/** What they were before a transaction. */
function sightRowsBefore(commit: Committed, tables: Reading): SightRows {
  return {
    ...rowsBefore(commit, tables),
    voice_states: { get: (...key) => commit.was('voice_states', key.join(' ')) },
    *children(id) {
      for (const child of tables.channels.by('parent', id)) {
        const was = commit.was('channels', child.id);
        if (was?.parent === id) yield was;
      }
      const { updated, removed } = commit.of('channels');
      for (const { before, after } of updated) if (before.parent === id && after.parent !== id) yield before;
      for (const row of removed) if (row.parent === id) yield row;
    },
  };
}

/**
 * What users have in view: channels that they may view, the voice channel that they are connected to, and categories with
 * such a channel in them. A timeout changes nothing about that.
 */
export function sightOf(tables: Reading): Sight {
  return remembered(rowsNow(tables));
}

/** The same as it was before a transaction. */
export function sightBefore(commit: Committed, tables: Reading): Sight {
  return remembered(sightRowsBefore(commit, tables));
}

function remembered(rows: SightRows): Sight {
  const known = new Map<string, boolean>();
  const look: Sight = (channel, userId) => {
    const key = `${userId} ${channel.id}`;
    let isSeen = known.get(key);
    if (isSeen === undefined) {
      isSeen = sees(rows, channel, userId, look);
      known.set(key, isSeen);
    }
    return isSeen;
  };
  return look;
}

function sees(rows: SightRows, channel: ChannelRecord, userId: string, look: Sight): boolean {
  if (mayView(rows, channel, userId)) return true;
  if (hasVoice(channel)) return rows.voice_states.get(userId)?.channel === channel.id;
  if (isCategory(channel))
    for (const child of rows.children(channel.id)) if (look(child, userId)) return true;
  return false;
}
