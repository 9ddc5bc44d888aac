import { RowTimers } from '../../api/row-timers.ts';
import type { World } from '../../api/world.ts';
import type { EmulatorClock } from '../../kernel/clock.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import { lastMessageOf } from '../channels/deleted-messages.ts';
import { isPinned } from '../channels/forum-rules.ts';
import { withArchived } from './rules.ts';

const MINUTE_MS = 60_000;

/**
 * Timers that archive inactive threads. Inactivity counts from the moment at which this process first saw the thread
 * open, so an open thread in a fixture is not archived at once, however old it is.
 */
export function threadTimers(world: World, clock: EmulatorClock): RowTimers<'channels'> {
  return new RowTimers(world, clock, {
    name: 'the archiving of threads',
    table: 'channels',
    due: (channel) => {
      const { id, thread } = channel;
      // A pinned post is never archived by inactivity.
      if (thread === null || thread.archived || isPinned(channel)) return undefined;
      const { auto_archive_duration: minutes } = thread;
      // A message restarts the time of inactivity.
      const lastWritten = (): number => {
        const last = lastMessageOf(world.tables, id);
        return last === null ? 0 : timeOf(last);
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
