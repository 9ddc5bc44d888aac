import { invalidForm } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { missingPermissions } from '../../api/refusals.ts';
import type { Base, Reading, Writing } from '../../api/world.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { ALL_PERMISSIONS, bitsOf } from '../../kernel/permission-bits.ts';
import { asking } from '../asking.ts';
import { permissionsIn } from './access.ts';
import type { ChannelRecord } from './records.ts';
import type { CreateRequest } from './requests.ts';

const MANAGE_ROLES = bitsOf('MANAGE_ROLES');

/** What a channel allows and denies somebody, as it is asked for. */
export type OverwriteRequest = NonNullable<CreateRequest['permission_overwrites']>[number];

/** What an overwrite says that is not there. */
export const NOTHING = { allow: '0', deny: '0' } as const;

/** One of the two kinds that an overwrite is of. */
export type Target = { readonly kind: 'role' | 'user'; readonly id: string };

/** Whom an id of an overwrite means; undefined for nobody. */
export function targetOf(
  tables: Reading,
  guildId: string,
  { id, type }: Pick<OverwriteRequest, 'id' | 'type'>,
): Target | undefined {
  const isRole = tables.roles.get(id)?.guild === guildId;
  if (type === 0 || (type === undefined && isRole)) return isRole ? { kind: 'role', id } : undefined;
  return tables.users.has(id) ? { kind: 'user', id } : undefined;
}

/** Where overwrites are set: in a channel that is there, or in one that is being made in this category. */
type Where = { readonly channel: ChannelRecord } | { readonly parent: string | null };

/**
 * The permissions that the caller may allow and deny in a channel: administrators all of them, and those to whom an overwrite
 * of the channel itself gives MANAGE_ROLES; everybody else what they have in the guild, in the category and in the channel,
 * and never MANAGE_ROLES.
 */
export function overwritableBits(platform: Base, caller: BotCaller, guild: string, where: Where): bigint {
  const { tables } = platform.world;
  const { bits, member, now } = asking(caller, guild, platform);
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
 * Checks that an overwrite allows and denies nothing that the caller may not give and take.
 * @throws ApiError 50013 where it would, and `was` did not already.
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
 * Checks that the caller may make these the overwrites of a channel: each of them, and the loss of each that is left out.
 * @throws ApiError 50013 as {@link checkOverwrite}.
 */
export function checkOverwrites(
  platform: Base,
  caller: BotCaller,
  channel: ChannelRecord,
  asked: readonly OverwriteRequest[],
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
  for (const one of asked) {
    const target = targetOf(tables, channel.guild, one);
    const key = target === undefined ? '' : keyOf(target);
    checkOverwrite(overwritable, one, before.get(key));
    staying.add(key);
  }
  for (const [key, was] of before) if (!staying.has(key)) checkOverwrite(overwritable, NOTHING, was);
}

/** Makes these the overwrites of a channel. @throws ApiError 50035 for one of nobody. */
export function replaceOverwrites(
  tables: Writing,
  channel: ChannelRecord,
  asked: readonly OverwriteRequest[],
): void {
  const faults: FieldFault[] = [];
  const targets = asked.flatMap((one, place) => {
    const target = targetOf(tables, channel.guild, one);
    if (target !== undefined) return [[target, one] as const];
    const message = 'Unknown overwrite target';
    faults.push({ path: ['permission_overwrites', place, 'id'], code: 'OVERWRITE_UNKNOWN_TARGET', message });
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

/** Sets one overwrite of a channel; bits that are no permissions are dropped. */
export function putOverwrite(
  tables: Writing,
  { id: channel }: ChannelRecord,
  target: Target,
  asked: Pick<OverwriteRequest, 'allow' | 'deny'>,
): void {
  const known = (bits: string) => String(BigInt(bits) & ALL_PERMISSIONS);
  const allow = known(asked.allow);
  const deny = known(asked.deny);
  if (target.kind === 'role') tables.role_overwrites.put({ channel, role: target.id, allow, deny });
  else tables.user_overwrites.put({ channel, user: target.id, allow, deny });
}

/** The overwrites of a channel, as they would be asked for. */
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
 * Gives a channel what its category allows and denies. A new channel has that without a check (`POST /guilds/{id}/channels`),
 * as on the platform: nobody gets there what they have not in the category. One that is there already may lose or get by it
 * what the caller may not set, so that `lock_permissions` is checked as its overwrites are.
 */
export function copyOverwrites(tables: Writing, from: string, to: ChannelRecord): void {
  replaceOverwrites(tables, to, overwritesOf(tables, from));
}
