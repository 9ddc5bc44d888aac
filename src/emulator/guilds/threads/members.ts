import type { Writing } from '../../api/world.ts';
import type { ThreadMember } from './member-records.ts';

/**
 * Adds a user to a thread at the time `now` (ms), in this transaction. For a user who is in the thread already, nothing
 * changes.
 */
export function joinThread(
  { thread_members }: Writing,
  { thread, user }: Pick<ThreadMember, 'thread' | 'user'>,
  now: number,
): void {
  if (thread_members.has(thread, user)) return;
  thread_members.insert({ thread, user, joined_at: new Date(now).toISOString() });
}
