import { invalidForm, missingPermissions } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import type { Base, Reading, Writing } from '../../api/world.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { ALL_PERMISSIONS, bitsOf } from '../../kernel/permission-bits.ts';
import { requestingMember } from '../guild-access.ts';
import { permissionsIn } from './access.ts';
import type { ChannelRecord } from './records.ts';
import type { CreateRequest } from './requests.ts';

const MANAGE_ROLES = bitsOf('MANAGE_ROLES');

/** An overwrite in a request. */
export type OverwriteRequest = NonNullable<CreateRequest['permission_overwrites']>[number];

/** An overwrite without effect. */
export const NOTHING = { allow: '0', deny: '0' } as const;

/** Target of an overwrite: a role or a user. */
export type Target = { readonly kind: 'role' | 'user'; readonly id: string };

/** Target of an overwrite with this id; undefined for an unknown id. */
export function targetOf(
  tables: Reading,
  guildId: string,
  { id, type }: Pick<OverwriteRequest, 'id' | 'type'>,
): Target | undefined {
  const isRole = tables.roles.get(id)?.guild === guildId;
  if (type === 0 || (type === undefined && isRole)) return isRole ? { kind: 'role', id } : undefined;
  return tables.users.has(id) ? { kind: 'user', id } : undefined;
}

/** Location of overwrites: an existing channel, or a new channel in the category `parent`. */
type Where = { readonly channel: ChannelRecord } | { readonly parent: string | null };

/**
 * Permissions that the caller may allow and deny in a channel. Administrators may change all, and so may callers to
 * whom an overwrite of the channel itself grants MANAGE_ROLES. Other callers may change the permissions that they have
 * in the guild, in the category or in the channel, but never MANAGE_ROLES.
 */
export function overwritableBits(platform: Base, caller: BotCaller, guild: string, where: Where): bigint {
  const { tables } = platform.world;
  const { bits, member, now } = requestingMember(caller, guild, platform);
  if ((bits & bitsOf('ADMINISTRATOR')) !== 0n) return ALL_PERMISSIONS;
  const bitsIn = (channel: ChannelRecord | undefined): bigint =>
    channel === undefined ? 0n : permissionsIn(tables, channel, member.user, now);
  const channel = 'channel' in where ? where.channel : undefined;
  const parent = 'channel' in where ? where.channel.parent : where.parent;
  const here = bitsIn(channel);
  if (channel !== undefined && (here & MANAGE_ROLES) !== 0n) {
    const own = [
      tables.user_overwrites.get(channel.id, member.user),
      ...[guild, ...member.roles].map((role) => tables.role_overwrites.get(channel.id, role)),
    ];
    if (own.some((one) => one !== undefined && (BigInt(one.allow) & MANAGE_ROLES) !== 0n)) {
      return ALL_PERMISSIONS;
    }
  }
  const category = tables.channels.get(parent ?? '');
  const above = category?.guild === guild ? bitsIn(category) : 0n;
  return (bits | above | here) & ~bitsOf('ADMINISTRATOR', 'MANAGE_ROLES');
}

/**
 * Checks that the caller may set all bits that an overwrite changes. Bits that the previous overwrite `was` had are
 * permitted. @throws ApiError 50013 for another bit.
 */
export function checkOverwrite(
  overwritable: bigint,
  { allow, deny }: Pick<OverwriteRequest, 'allow' | 'deny'>,
  was: Pick<OverwriteRequest, 'allow' | 'deny'> = NOTHING,
): void {
  const changed = (BigInt(allow) ^ BigInt(was.allow)) | (BigInt(deny) ^ BigInt(was.deny));
  if ((changed & ALL_PERMISSIONS & ~overwritable) !== 0n) throw missingPermissions();
}

/**
 * Checks that the caller may replace the overwrites of a channel: each new one, and the removal of each absent one.
 * @throws ApiError 50013 as {@link checkOverwrite}.
 */
export function checkOverwrites(
  platform: Base,
  caller: BotCaller,
  channel: ChannelRecord,
  requested: readonly OverwriteRequest[],
): void {
  const { tables } = platform.world;
  const overwritable = overwritableBits(platform, caller, channel.guild, { channel });
  const keyOf = ({ kind, id }: Target): string => `${kind} ${id}`;
  const before = new Map(
    overwritesOf(tables, channel.id).map((one) => [
      keyOf({ kind: one.type === 0 ? 'role' : 'user', id: one.id }),
      one,
    ]),
  );
  const staying = new Set<string>();
  for (const one of requested) {
    const target = targetOf(tables, channel.guild, one);
    const key = target === undefined ? '' : keyOf(target);
    checkOverwrite(overwritable, one, before.get(key));
    staying.add(key);
  }
  for (const [key, was] of before) if (!staying.has(key)) checkOverwrite(overwritable, NOTHING, was);
}

/** Replaces the overwrites of a channel. @throws ApiError 50035 for an unknown target. */
export function replaceOverwrites(
  tables: Writing,
  channel: ChannelRecord,
  requested: readonly OverwriteRequest[],
): void {
  const faults: FieldFault[] = [];
  const targets = requested.flatMap((one, index) => {
    const target = targetOf(tables, channel.guild, one);
    if (target !== undefined) return [[target, one] as const];
    const message = 'Unknown overwrite target';
    faults.push({ path: ['permission_overwrites', index, 'id'], code: 'OVERWRITE_UNKNOWN_TARGET', message });
    return [];
  });
  if (faults.length > 0) throw invalidForm(faults);
  for (const { role } of [...tables.role_overwrites.by('channel', channel.id)]) {
    tables.role_overwrites.remove(`${channel.id} ${role}`);
  }
  for (const { user } of [...tables.user_overwrites.by('channel', channel.id)]) {
    tables.user_overwrites.remove(`${channel.id} ${user}`);
  }
  for (const [target, one] of targets) putOverwrite(tables, channel, target, one);
}

/** Sets one overwrite of a channel; unknown bits are dropped. */
export function putOverwrite(
  tables: Writing,
  { id: channel }: ChannelRecord,
  target: Target,
  bits: Pick<OverwriteRequest, 'allow' | 'deny'>,
): void {
  const known = (bits: string) => String(BigInt(bits) & ALL_PERMISSIONS);
  const allow = known(bits.allow);
  const deny = known(bits.deny);
  if (target.kind === 'role') tables.role_overwrites.put({ channel, role: target.id, allow, deny });
  else tables.user_overwrites.put({ channel, user: target.id, allow, deny });
}

/** Overwrites of a channel in the form of a request. */
export function overwritesOf(
  tables: Reading,
  channelId: string,
): (OverwriteRequest & { readonly type: 0 | 1 })[] {
  return [
    ...[...tables.role_overwrites.by('channel', channelId)].map(({ role, allow, deny }) => ({
      id: role,
      type: 0 as const,
      allow,
      deny,
    })),
    ...[...tables.user_overwrites.by('channel', channelId)].map(({ user, allow, deny }) => ({
      id: user,
      type: 1 as const,
      allow,
      deny,
    })),
  ];
}

/**
 * Copies the overwrites of a category to a channel, without a check. For a new channel (`POST /guilds/{id}/channels`)
 * the platform does not check either, because the copies grant nothing that the category does not grant. For an
 * existing channel they may change bits that the caller may not set; the route with `lock_permissions` therefore checks
 * them like sent overwrites.
 */
export function copyOverwrites(tables: Writing, from: string, to: ChannelRecord): void {
  replaceOverwrites(tables, to, overwritesOf(tables, from));
}
