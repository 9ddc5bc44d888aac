import { RowTimers } from '../api/row-timers.ts';
import type { World } from '../api/world.ts';
import type { EmulatorClock } from '../kernel/clock.ts';

/**
 * Removes lobbies that have been empty for their idle time. Every member counts as present, because the emulator cannot
 * know whether the member's game is running.
 */
export function idleTimers(world: World, clock: EmulatorClock): RowTimers<'lobbies'> {
  const isEmpty = (id: string): boolean => world.tables.lobby_members.by('lobby', id).size === 0;
  return new RowTimers(world, clock, {
    name: 'the time of empty lobbies',
    table: 'lobbies',
    concerns: (event) => {
      if (event.table !== 'lobby_members') return [];
      return [event.kind === 'removed' ? event.before.lobby : event.after.lobby];
    },
    due: ({ id, idle_since: since, idle_timeout_seconds: seconds }) => {
      // A lobby that became empty or occupied is due at once, so that the start or end of its idle time is recorded.
      if (isEmpty(id) !== (since !== null)) return { for: isEmpty(id) ? 'empty' : 'used', at: () => 0 };
      return since === null ? undefined : Date.parse(since) + seconds * 1000;
    },
    fire: ({ id, idle_since: since }) =>
      world.transaction(({ lobbies }) => {
        if (isEmpty(id) && since !== null) lobbies.remove(id);
        else lobbies.update(id, { idle_since: isEmpty(id) ? new Date(clock.now()).toISOString() : null });
      }),
  });
}
