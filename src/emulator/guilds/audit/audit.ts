import type { BotCaller } from '../../api/caller.ts';
import type { Base, Reading, World, Writing } from '../../api/world.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import type { AnyChannel } from '../channels/channel-access.ts';
import { isPrivate } from '../channels/private-records.ts';
import type { AuditEntry } from './records.ts';

/** Action types of audit logs. */
export const AUDIT = {
  GUILD_UPDATE: 1,
  CHANNEL_CREATE: 10,
  CHANNEL_UPDATE: 11,
  CHANNEL_DELETE: 12,
  CHANNEL_OVERWRITE_CREATE: 13,
  CHANNEL_OVERWRITE_UPDATE: 14,
  CHANNEL_OVERWRITE_DELETE: 15,
  MEMBER_KICK: 20,
  MEMBER_PRUNE: 21,
  MEMBER_BAN_ADD: 22,
  MEMBER_BAN_REMOVE: 23,
  MEMBER_UPDATE: 24,
  MEMBER_ROLE_UPDATE: 25,
  MEMBER_MOVE: 26,
  MEMBER_DISCONNECT: 27,
  BOT_ADD: 28,
  ROLE_CREATE: 30,
  ROLE_UPDATE: 31,
  ROLE_DELETE: 32,
  INVITE_CREATE: 40,
  INVITE_DELETE: 42,
  WEBHOOK_CREATE: 50,
  WEBHOOK_UPDATE: 51,
  WEBHOOK_DELETE: 52,
  EMOJI_CREATE: 60,
  EMOJI_UPDATE: 61,
  EMOJI_DELETE: 62,
  MESSAGE_BULK_DELETE: 73,
  MESSAGE_PIN: 74,
  MESSAGE_UNPIN: 75,
  STAGE_INSTANCE_CREATE: 83,
  STAGE_INSTANCE_UPDATE: 84,
  STAGE_INSTANCE_DELETE: 85,
  STICKER_CREATE: 90,
  STICKER_UPDATE: 91,
  STICKER_DELETE: 92,
  GUILD_SCHEDULED_EVENT_CREATE: 100,
  GUILD_SCHEDULED_EVENT_UPDATE: 101,
  GUILD_SCHEDULED_EVENT_DELETE: 102,
  THREAD_CREATE: 110,
  THREAD_UPDATE: 111,
  THREAD_DELETE: 112,
  SOUNDBOARD_SOUND_CREATE: 130,
  SOUNDBOARD_SOUND_UPDATE: 131,
  SOUNDBOARD_SOUND_DELETE: 132,
  INTEGRATION_DELETE: 82,
  AUTO_MODERATION_RULE_CREATE: 140,
  AUTO_MODERATION_RULE_UPDATE: 141,
  AUTO_MODERATION_RULE_DELETE: 142,
  AUTO_MODERATION_BLOCK_MESSAGE: 143,
  AUTO_MODERATION_FLAG_TO_CHANNEL: 144,
  AUTO_MODERATION_TIMEOUT: 145,
  AUTO_MODERATION_QUARANTINE: 146,
  ONBOARDING_PROMPT_CREATE: 163,
  ONBOARDING_PROMPT_UPDATE: 164,
  ONBOARDING_PROMPT_DELETE: 165,
  ONBOARDING_UPDATE: 167,
  VOICE_CHANNEL_STATUS_UPDATE: 192,
  VOICE_CHANNEL_STATUS_DELETE: 193,
  GUILD_SCHEDULED_EVENT_EXCEPTION_CREATE: 200,
  GUILD_SCHEDULED_EVENT_EXCEPTION_UPDATE: 201,
  GUILD_SCHEDULED_EVENT_EXCEPTION_DELETE: 202,
} as const;

/** Lifetime of an entry: 45 days, in milliseconds. */
const LIFETIME_MS = 45 * 86_400_000;
/** Maximum number of entries of one guild; further entries remove the oldest. */
const MAX_ENTRIES = 10_000;

/** An action in a guild. */
export interface Deed {
  readonly action: number;
  readonly target: string | null;
  readonly reason: string | undefined;
  /** Changed fields; with an empty list the action is not logged. */
  readonly changes?: AuditEntry['changes'];
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * Adds an action of this transaction to the audit log of a guild. Removes entries that are too old, and the oldest ones
 * if there are too many.
 */
export function writeAudit({ ids }: World, tables: Writing, { guild, member, now }: Doer, deed: Deed): void {
  if (deed.changes?.length === 0) return;
  tables.audit_log.insert({
    id: ids.next(now, (id) => tables.audit_log.has(id)),
    guild: guild.id,
    action_type: deed.action,
    user: member.user,
    target: deed.target,
    changes: deed.changes ?? [],
    options: Object.entries(deed.options ?? {}).map(([key, value]) => ({ key, value })),
    reason: deed.reason ?? null,
  });
  const entries = tables.audit_log.by('guild', guild.id);
  const old: AuditEntry[] = [];
  for (const entry of entries) {
    if (isUnexpired(entry, now) && entries.size - old.length <= MAX_ENTRIES) break;
    old.push(entry);
  }
  for (const { id } of old) tables.audit_log.remove(id);
}

/** Guild, author and time (in milliseconds) of an action. */
interface Doer {
  readonly guild: { readonly id: string };
  /** The author; `user` is null for a request that only a token authorized. */
  readonly member: { readonly user: string | null };
  readonly now: number;
}

/** Whether an entry has not expired. */
export function isUnexpired({ id }: AuditEntry, now: number): boolean {
  return timeOf(id) >= now - LIFETIME_MS;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Differences between two views of an object, in the form of an audit log. Undefined stands for an object that does not
 * exist.
 */
export function auditChanges(before: Fields | undefined, after: Fields | undefined): AuditEntry['changes'] {
  const keys = Object.keys({ ...before, ...after }).filter((key) => key !== 'id');
  return keys
    .filter((key) => !isSameJson(before?.[key] ?? null, after?.[key] ?? null))
    .map((key) => changeOf(key, before?.[key] ?? null, after?.[key] ?? null));
}

/**
 * Makes a change in a transaction, and adds it to the audit log of a guild with the differences between what `view`
 * returns before and after it: undefined where the changed object does not exist.
 */
export function logged<Result>(
  world: World,
  doer: Doer,
  deed: Omit<Deed, 'changes'>,
  view: (tables: Reading) => Fields | undefined,
  change: (tables: Writing) => Result,
): Result {
  return world.transaction((tables) => {
    const before = view(tables);
    const result = change(tables);
    writeAudit(world, tables, doer, { ...deed, changes: auditChanges(before, view(tables)) });
    return result;
  });
}

/** One difference; null stands for a missing value. */
export function changeOf(key: string, before: unknown, after: unknown): AuditEntry['changes'][number] {
  return { key, old_value: printed(before), new_value: printed(after) };
}

function printed(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Adds an action in a channel to the audit log, in this transaction. The author is a bot or unknown. */
export function noteInChannel(
  { world, clock }: Base,
  tables: Writing,
  caller: Pick<BotCaller, 'user'> | undefined,
  channel: AnyChannel,
  deed: Deed,
): void {
  if (isPrivate(channel)) return;
  const { guild } = channel;
  writeAudit(
    world,
    tables,
    { guild: { id: guild }, member: { user: caller?.user.id ?? null }, now: clock.now() },
    deed,
  );
}
