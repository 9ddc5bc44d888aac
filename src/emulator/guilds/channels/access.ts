import {
  explicitIn,
  inChannel,
  type Overwrite,
  type Setting,
  type Subject,
} from '../../api/permissions/evaluate.ts';
import type { Committed, Reading } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { type MemberRows, memberOf, memberRowsBefore } from '../members/membership.ts';
import { subjectOf } from '../roles/rights.ts';
import { type ChannelRecord, hasVoice, isThread } from './records.ts';

/** Rows that determine permissions in a channel: those of the current state or of an earlier one. */
export interface AccessRows extends MemberRows {
  readonly channels: Pick<Reading['channels'], 'get'>;
  readonly role_overwrites: Pick<Reading['role_overwrites'], 'get'>;
  readonly user_overwrites: Pick<Reading['user_overwrites'], 'get'>;
  readonly thread_members: Pick<Reading['thread_members'], 'get'>;
}

const VIEW_CHANNEL = bitsOf('VIEW_CHANNEL');
/** A private thread is visible to its creator, its members and those who manage threads. */
const MANAGE_THREADS = bitsOf('MANAGE_THREADS');
const PRIVATE_THREAD = 12;

/**
 * Permissions of a user in a channel as a bit field; zero for a user who is not a member or cannot view the channel.
 * `now` is in milliseconds.
 */
export function permissionsIn(rows: AccessRows, channel: ChannelRecord, userId: string, now: number): bigint {
  const placed = placedIn(rows, channel, userId, now);
  if (placed === undefined) return 0n;
  const bits = inChannel(placed.subject, placed.setting);
  const isClosed =
    channel.type === PRIVATE_THREAD &&
    channel.owner !== userId &&
    rows.thread_members.get(channel.id, userId) === undefined &&
    (bits & MANAGE_THREADS) === 0n;
  return isClosed ? 0n : bits;
}

/**
 * Permissions of a user after the overwrites of a channel, without the denials that they imply; zero for a user who is
 * not a member.
 */
export function explicitPermissionsIn(
  rows: AccessRows,
  channel: ChannelRecord,
  userId: string,
  now: number,
): bigint {
  const placed = placedIn(rows, channel, userId, now);
  return placed === undefined ? 0n : explicitIn(placed.subject, placed.setting);
}

/** Inputs of the permission computation; undefined for a user who is not a member. */
function placedIn(
  rows: AccessRows,
  channel: ChannelRecord,
  userId: string,
  now: number,
): { readonly subject: Subject; readonly setting: Setting } | undefined {
  const member = memberOf(rows, channel.guild, userId);
  // The permissions of a thread are those of its parent channel.
  const permissionChannel = isThread(channel) ? rows.channels.get(channel.parent ?? '') : channel;
  if (member === undefined || permissionChannel === undefined) return undefined;
  if (channel.deny.includes(userId) || permissionChannel.deny.includes(userId)) return undefined;
  return {
    subject: subjectOf(rows, member, now),
    setting: {
      kind: isThread(channel) ? 'thread' : hasVoice(channel) ? 'voice' : 'text',
      overwrites: {
        everyone: parsed(rows.role_overwrites.get(permissionChannel.id, channel.guild)),
        roles: member.roles
          .map((role) => parsed(rows.role_overwrites.get(permissionChannel.id, role)))
          .filter((one) => one !== undefined),
        user: parsed(rows.user_overwrites.get(permissionChannel.id, userId)),
      },
    },
  };
}

/** Whether a user may view a channel. A timeout has no effect on that. */
export function mayView(rows: AccessRows, channel: ChannelRecord, userId: string): boolean {
  return (permissionsIn(rows, channel, userId, 0) & VIEW_CHANNEL) !== 0n;
}

function parsed(
  overwrite: { readonly allow: string; readonly deny: string } | undefined,
): Overwrite | undefined {
  if (overwrite === undefined) return undefined;
  return { allow: BigInt(overwrite.allow), deny: BigInt(overwrite.deny) };
}

/** Rows before a transaction. */
export function rowsBefore(commit: Committed, tables: Reading): AccessRows {
  const was = <Name extends keyof Omit<AccessRows, keyof MemberRows>>(name: Name) => ({
    get: (...key: readonly string[]) => commit.was(name, key.join(' ')),
  });
  return {
    ...memberRowsBefore(commit, tables),
    channels: was('channels'),
    role_overwrites: was('role_overwrites'),
    user_overwrites: was('user_overwrites'),
    thread_members: was('thread_members'),
  };
}

/** Tables from which the visibility of channels follows. */
export const ACCESS_TABLES = [
  'me',
  'guilds',
  'roles',
  'members',
  'departures',
  'channels',
  'role_overwrites',
  'user_overwrites',
  'thread_members',
] as const;

/**
 * Existing channels whose visibility a transaction may have changed: channels that changed themselves, and all channels
 * of a guild whose own row or roles changed. Changes of memberships count only for the user `userId`.
 */
export function channelsTouched(commit: Committed, tables: Reading, userId: string): Set<string> {
  const ids = new Set<string>();
  if (!commit.touches(...ACCESS_TABLES)) return ids;
  const guilds = new Set<string>();
  const each = (
    name: (typeof ACCESS_TABLES)[number] & Exclude<keyof Reading, 'me'>,
    take: (row: never) => void,
  ) => {
    const { created, updated, removed } = commit.of(name);
    for (const row of [...created, ...removed]) take(row as never);
    for (const { before, after } of updated) for (const row of [before, after]) take(row as never);
  };
  each('guilds', ({ id }: { readonly id: string }) => guilds.add(id));
  each('roles', ({ guild }: { readonly guild: string }) => guilds.add(guild));
  for (const name of ['members', 'departures'] as const) {
    each(name, (row: { readonly guild: string; readonly user: string }) => {
      if (row.user === userId) guilds.add(row.guild);
    });
  }
  each('thread_members', ({ thread, user }: { readonly thread: string; readonly user: string }) => {
    if (user === userId) ids.add(thread);
  });
  each('channels', ({ id }: { readonly id: string }) => ids.add(id));
  for (const name of ['role_overwrites', 'user_overwrites'] as const) {
    each(name, ({ channel }: { readonly channel: string }) => ids.add(channel));
  }
  for (const guild of guilds) for (const { id } of tables.channels.by('guild', guild)) ids.add(id);
  for (const id of [...ids]) for (const thread of tables.channels.by('parent', id)) ids.add(thread.id);
  return new Set([...ids].filter((id) => tables.channels.has(id)));
}
