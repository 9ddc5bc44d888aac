import { type FieldFault, invalidForm } from '../api/api-error.ts';
import { missingPermissions } from '../guilds/asking.ts';
import { ALL_PERMISSIONS, bitsOf } from '../permissions/bits.ts';
import type { Reading, Writing } from '../world.ts';
import type { ChannelRecord } from './records.ts';
import type { CreateRequest } from './requests.ts';

/** What a channel allows and denies somebody, as it is asked for. */
export type OverwriteRequest = NonNullable<CreateRequest['permission_overwrites']>[number];

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

/**
 * Nobody gives or takes what they do not have.
 * @throws ApiError 50013 where an overwrite would, and `was` did not already.
 */
export function checkOwnBits(
  bits: bigint,
  { allow, deny }: Pick<OverwriteRequest, 'allow' | 'deny'>,
  was: { readonly allow: string; readonly deny: string } = { allow: '0', deny: '0' },
): void {
  if ((bits & bitsOf('ADMINISTRATOR')) !== 0n) return;
  const changed = (BigInt(allow) ^ BigInt(was.allow)) | (BigInt(deny) ^ BigInt(was.deny));
  if ((changed & ALL_PERMISSIONS & ~bits) !== 0n) throw missingPermissions();
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

/** Gives a channel what its category allows and denies. */
export function copyOverwrites(tables: Writing, from: string, to: ChannelRecord): void {
  replaceOverwrites(tables, to, [
    ...[...tables.role_overwrites.by('channel', from)].map(({ role, allow, deny }) => ({
      id: role,
      type: 0 as const,
      allow,
      deny,
    })),
    ...[...tables.user_overwrites.by('channel', from)].map(({ user, allow, deny }) => ({
      id: user,
      type: 1 as const,
      allow,
      deny,
    })),
  ]);
}
