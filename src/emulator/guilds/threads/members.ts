import type { Writing } from '../../api/world.ts';
import type { ThreadMember } from './member-records.ts';

/** Takes somebody into a thread at the moment `now` (ms), in this transaction; nothing where they are in it. */
export function joinThread(
  { thread_members }: Writing,
  { thread, user }: Pick<ThreadMember, 'thread' | 'user'>,
  now: number,
): void {
  if (thread_members.has(thread, user)) return;
  thread_members.insert({ thread, user, joined_at: new Date(now).toISOString() });
}
