import type { Writing } from '../../api/world.ts';
import type { ThreadMember } from './member-records.ts';

/** Adds a user to a thread at the time `now` (ms), in this transaction; a present member stays unchanged. */
export function joinThread(
  { thread_members }: Writing,
  { thread, user }: Pick<ThreadMember, 'thread' | 'user'>,
  now: number,
): void {
  if (thread_members.has(thread, user)) return;
  thread_members.insert({ thread, user, joined_at: new Date(now).toISOString() });
}
