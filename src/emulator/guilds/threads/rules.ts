import { ApiError } from '../../api/api-error.ts';
import type { AnyChannel, ChannelAccess } from '../channels/channel-access.ts';
import { isPrivate } from '../channels/private-records.ts';
import type { ChannelRecord } from '../channels/records.ts';
import type { UpdateRequest } from '../channels/requests.ts';

const CODES = { archived: 'InvalidActionOnArchivedThread', locked: 'ThreadLocked' } as const;

/** State because of which a thread refuses an action. */
export type ThreadObstacle = keyof typeof CODES;

/** Fields of a thread only. */
export type ThreadState = NonNullable<ChannelRecord['thread']>;

/**
 * Actions that a thread refuses: `locked` while it is open and locked (to members without MANAGE_THREADS), `archived`
 * while it is archived.
 */
const REFUSALS = {
  /** Sending a message: a message reopens an archived thread, so `archived` is false. */
  send: { locked: true, archived: false },
  /** Editing messages, pinning, and changing the thread's settings. */
  change: { locked: true, archived: true },
  /** Reacting: a locked thread permits reactions as long as it is open. */
  react: { locked: false, archived: true },
  join: { locked: false, archived: true },
  delete: { locked: false, archived: false },
} as const;

/** An act in a thread. */
export type ThreadAct = keyof typeof REFUSALS;

type Where = Pick<ChannelAccess<AnyChannel>, 'channel' | 'may'>;

/**
 * The state of a thread that forbids an action; undefined if the action is permitted, and for a channel that is not a
 * thread. Source: the sections "Locked Threads" and "Active & Archived Threads" of the platform's page on threads.
 */
export function threadObstacle({ channel, may }: Where, act: ThreadAct): ThreadObstacle | undefined {
  if (isPrivate(channel) || channel.thread === null) return undefined;
  const { archived, locked } = channel.thread;
  const refusals = REFUSALS[act];
  // In a thread that is both locked and archived, only moderators can make changes or delete messages.
  if (locked && (archived || refusals.locked) && !may('MANAGE_THREADS')) return 'locked';
  return archived && refusals.archived ? 'archived' : undefined;
}

/** Checks that the state of a thread permits an action. @throws ApiError 160005 or 50083. */
export function checkThreadState(where: Where, act: ThreadAct): void {
  const obstacle = threadObstacle(where, act);
  if (obstacle !== undefined) throw refused(obstacle);
}

function refused(obstacle: ThreadObstacle): ApiError {
  return new ApiError(CODES[obstacle]);
}

/** Settings that the creator of a thread may change without MANAGE_THREADS. */
const OF_OWNER: readonly string[] = [
  'name',
  'archived',
  'auto_archive_duration',
  'applied_tags',
  'invitable',
] satisfies readonly (keyof UpdateRequest)[];

/**
 * Checks that a user may change the settings of a thread. A thread manager and the thread's creator may; any user who
 * may write in the thread may reopen it. @throws ApiError 160005 for a locked thread, 50013 for a missing permission,
 * 50083 for an archived thread that the request does not reopen.
 */
export function checkMayChangeThread(access: ChannelAccess, userId: string, body: UpdateRequest): void {
  const { channel, may, need } = access;
  const { archived = false, locked = false } = channel.thread ?? {};
  const opens = body.archived === false;
  if (!may('MANAGE_THREADS')) {
    if (locked) throw refused('locked');
    const named = Object.entries(body).flatMap(([key, value]) => (value === undefined ? [] : [key]));
    const isOwners = channel.owner === userId && named.every((key) => OF_OWNER.includes(key));
    const onlyOpens = opens && named.length === 1;
    if (!isOwners && !(onlyOpens && may('SEND_MESSAGES_IN_THREADS'))) need('MANAGE_THREADS');
  }
  if (archived && !opens) throw refused('archived');
}

/** The state of a thread after it was archived or unarchived at the time `now`. */
export function withArchived(thread: ThreadState, archived: boolean, now: number): ThreadState {
  if (thread.archived === archived) return thread;
  return { ...thread, archived, archive_timestamp: new Date(now).toISOString() };
}
