import { RowTimers } from '../../api/row-timers.ts';
import type { World } from '../../api/world.ts';
import type { EmulatorClock } from '../../kernel/clock.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import { isPinned } from '../channels/forum-rules.ts';
import { withArchived } from './rules.ts';

const MINUTE_MS = 60_000;

/**
 * Archives threads in which nobody writes any more, by the clock. What was before this process saw a thread open does not
 * count: one that is written down as open is open, however old it is.
 */
export function threadTimers(world: World, clock: EmulatorClock): RowTimers<'channels'> {
  return new RowTimers(world, clock, {
    name: 'the archiving of threads',
    table: 'channels',
    due: (channel) => {
      const { id, thread } = channel;
      // A pinned post stays.
      if (thread === null || thread.archived || isPinned(channel)) return undefined;
      const { auto_archive_duration: minutes } = thread;
      // Somebody may have written since.
      const lastWritten = (): number => {
        const [last] = world.tables.messages.by('channel', id).last(1);
        return last === undefined ? 0 : timeOf(last.id);
      };
      return { for: String(minutes), at: (since) => Math.max(since, lastWritten()) + minutes * MINUTE_MS };
    },
    fire: ({ id, thread }) => {
      if (thread === null) return;
      const archived = withArchived(thread, true, clock.now());
      world.transaction(({ channels }) => channels.update(id, { thread: archived }));
    },
  });
}
