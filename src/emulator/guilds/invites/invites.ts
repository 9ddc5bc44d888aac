import type { Reading, Writing } from '../../api/world.ts';
import { randomSecret } from '../../kernel/secrets.ts';
import { type ChannelInviteRecord, TARGET } from './records.ts';

const DAY_S = 86_400;
/** Lifetime in seconds and number of uses of an invite from a lobby. */
const LOBBY = { max_age: 3600, max_uses: 1 } as const;

/** Settings of a new invite; absent settings have their defaults. */
export type NewInvite = Pick<ChannelInviteRecord, 'channel' | 'inviter'> &
  Partial<Omit<ChannelInviteRecord, 'code' | 'created_at' | 'uses'>>;

/** Stores a new invite, and removes expired invites of the same channel; `now` is in milliseconds. */
export function makeInvite(tables: Writing, now: number, fields: NewInvite): ChannelInviteRecord {
  for (const one of [...tables.channel_invites.by('channel', fields.channel)]) {
    if (!isGood(one, now)) tables.channel_invites.remove(one.code);
  }
  return tables.channel_invites.insert({
    code: randomSecret(8),
    created_at: new Date(now).toISOString(),
    max_age: DAY_S,
    max_uses: 0,
    temporary: false,
    uses: 0,
    target_type: null,
    target_user: null,
    target_application: null,
    roles: [],
    targeted: false,
    job: null,
    holds_jobs: false,
    ...fields,
  });
}

/**
 * Stores an invite from a lobby to the lobby's channel for one user. It is valid for one use and for one hour of the
 * emulator's clock. It appears in no list and cannot be deleted. `now` is in milliseconds. Returns the invite with its
 * `code`.
 */
export function makeLobbyInvite(
  tables: Writing,
  { channel, user, now }: { readonly channel: string; readonly user: string; readonly now: number },
): ChannelInviteRecord {
  const made = makeInvite(tables, now, {
    ...LOBBY,
    channel,
    inviter: null,
    target_type: TARGET.LOBBY,
    targeted: true,
  });
  tables.invite_targets.insert({ invite: made.code, user, pending: false });
  return made;
}

/** Expiry of an invite in milliseconds; undefined for an invite that does not expire. */
export function endOf({ created_at, max_age }: ChannelInviteRecord): number | undefined {
  return max_age === 0 ? undefined : Date.parse(created_at) + max_age * 1000;
}

/** A valid invite; undefined for an unknown or expired one. `now` is in milliseconds. */
export function findInvite(
  { channel_invites }: Pick<Reading, 'channel_invites'>,
  code: string,
  now: number,
): ChannelInviteRecord | undefined {
  const invite = channel_invites.get(code);
  return invite !== undefined && isGood(invite, now) ? invite : undefined;
}

/** Whether an invite has not expired. */
export function isGood(invite: ChannelInviteRecord, now: number): boolean {
  return now < (endOf(invite) ?? Number.POSITIVE_INFINITY);
}
