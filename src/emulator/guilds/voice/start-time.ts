import type { Committed, Reading, StateRule } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ChannelRecord } from '../channels/records.ts';

/**
 * Records the start time of a voice channel's use: set when the first user joins, removed when the last one leaves.
 * For users who are in a channel from the start of a state, only a written time exists.
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

/** Whether a present user of a channel was there before. */
function hadSomebody(tables: Reading, commit: Committed, id: string): boolean {
  const { created, updated } = commit.of('voice_states');
  const came = new Set(
    [...created, ...updated.flatMap(({ before, after }) => (before.channel === id ? [] : [after]))].map(
      ({ user }) => user,
    ),
  );
  return [...tables.voice_states.by('channel', id)].some(({ user }) => !came.has(user));
}
