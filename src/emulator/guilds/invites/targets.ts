import { full } from '../../api/api-error.ts';
import type { Reading, Writing } from '../../api/world.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import type { ChannelInviteRecord, TargetJob } from './records.ts';

/** Whether a user may see and accept an invite. If the invite has a target list, only its targets may. */
export function isFor(
  { invite_targets }: Reading,
  { code, targeted }: ChannelInviteRecord,
  user: string,
): boolean {
  return !targeted || invite_targets.get(code, user)?.pending === false;
}

/** Ids of the target users that have been read so far. */
export function targetsOf({ invite_targets }: Reading, code: string): string[] {
  return [...invite_targets.by('invite', code)].filter(({ pending }) => !pending).map(({ user }) => user);
}

/** Adds target users at once. @throws ApiError 503 if there would be too many. */
export function addTargets(tables: Writing, code: string, users: readonly string[]): void {
  needRoom(tables, users.length);
  for (const user of users) {
    // No user has the id 0.
    if (user !== '0') tables.invite_targets.put({ invite: code, user, pending: false });
  }
  tables.channel_invites.update(code, { targeted: true });
}

/** Removes target users at once. The invite stays limited to its target list, even if the list becomes empty. */
export function removeTargets({ invite_targets }: Writing, code: string, users: readonly string[]): void {
  for (const user of users) invite_targets.remove(`${code} ${user}`);
}

/**
 * Starts the job that reads a file of users, which replaces the previous targets. @throws ApiError 503 if there would
 * be too many.
 */
export function replaceTargets(tables: Writing, code: string, users: readonly string[], now: number): void {
  const { invite_targets, channel_invites } = tables;
  for (const { user } of [...invite_targets.by('invite', code)]) invite_targets.remove(`${code} ${user}`);
  needRoom(tables, users.length);
  for (const user of users) invite_targets.insert({ invite: code, user, pending: true });
  const job: TargetJob = {
    state: 'processing',
    total: users.length,
    processed: 0,
    created_at: new Date(now).toISOString(),
    completed_at: null,
    error: null,
  };
  channel_invites.update(code, { targeted: true, job });
}

function needRoom({ invite_targets }: Reading, more: number): void {
  if (invite_targets.size + more > MAX_RECORDS) throw full('target users');
}

/** Reads a number of further users from the file. The last user completes the job. `now` is in milliseconds. */
export function readOn(
  tables: Writing,
  { code, job }: ChannelInviteRecord,
  count: number,
  now: number,
): void {
  if (job?.state !== 'processing') return;
  const next = pendingOf(tables, code, count);
  for (const user of next) tables.invite_targets.update(`${code} ${user}`, { pending: false });
  const isDone = pendingOf(tables, code, 1).length === 0;
  const processed = isDone ? job.total : Math.min(job.total, job.processed + next.length);
  tables.channel_invites.update(code, {
    job: isDone
      ? { ...job, processed, state: 'completed', completed_at: new Date(now).toISOString() }
      : { ...job, processed },
  });
}

/** Makes a job fail, and removes the users that the job has not read yet. */
export function failReading(tables: Writing, { code, job }: ChannelInviteRecord, error: string): void {
  if (job?.state !== 'processing') return;
  for (const user of pendingOf(tables, code, Number.POSITIVE_INFINITY)) {
    tables.invite_targets.remove(`${code} ${user}`);
  }
  tables.channel_invites.update(code, { job: { ...job, state: 'failed', error } });
}

/** The first `limit` users of a file that the job has not read yet. */
function pendingOf({ invite_targets }: Reading, code: string, limit: number): string[] {
  const users: string[] = [];
  for (const { user, pending } of invite_targets.by('invite', code)) {
    if (users.length >= limit) break;
    if (pending) users.push(user);
  }
  return users;
}
