import type { Committed, Reading, StateRule } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ChannelRecord } from '../channels/records.ts';

/**
 * State rule that records since when a voice channel has been in use: the time is set when the first user joins, and
 * removed when the last user leaves. If users are in a channel at the start of a state, only the time written in the
 * state counts.
 */
export function startTimes(clock: Pick<Clock, 'now'>): StateRule {
  return (tables, commit, restoring) => {
    if (restoring) return;
    const { created, updated, removed } = commit.of('voice_states');
    const moved = updated.filter(({ before, after }) => before.channel !== after.channel);
    for (const id of new Set(
      [...created, ...moved.map(({ after }) => after)].map(({ channel }) => channel),
    )) {
      const channel = tables.channels.get(id);
      if (channel === undefined || channel.voice_start_time !== undefined) continue;
      // Another rule may have removed a user who may not be there.
      if (tables.voice_states.by('channel', id).size === 0) continue;
      if (hadSomebody(tables, commit, id)) continue;
      tables.channels.update(id, { voice_start_time: new Date(clock.now()).toISOString() });
    }
    for (const id of new Set(
      [...removed, ...moved.map(({ before }) => before)].map(({ channel }) => channel),
    )) {
      const channel = tables.channels.get(id);
      if (channel?.voice_start_time === undefined || tables.voice_states.by('channel', id).size > 0) continue;
      const { voice_start_time: _over, ...rest } = channel;
      tables.channels.put(rest as ChannelRecord);
    }
  };
}

/** Whether a user who is in the channel now was already in it before the transaction. */
function hadSomebody(tables: Reading, commit: Committed, id: string): boolean {
  const { created, updated } = commit.of('voice_states');
  const came = new Set(
    [...created, ...updated.flatMap(({ before, after }) => (before.channel === id ? [] : [after]))].map(
      ({ user }) => user,
    ),
  );
  return [...tables.voice_states.by('channel', id)].some(({ user }) => !came.has(user));
}
