import type { Reading, Writing } from '../../api/world.ts';
import { randomSecret } from '../../kernel/secrets.ts';
import { type ChannelInviteRecord, TARGET } from './records.ts';

const DAY_S = 86_400;
/** How long an invite from a lobby is good, and how often. */
const LOBBY = { max_age: 3600, max_uses: 1 } as const;

/** What is asked of a new invite; the rest is as that of an ordinary one. */
export type NewInvite = Pick<ChannelInviteRecord, 'channel' | 'inviter'> &
  Partial<Omit<ChannelInviteRecord, 'code' | 'created_at' | 'uses'>>;

/** Puts a new invite into the state, in place of those to its channel whose time is over; `now` is in milliseconds. */
export function makeInvite(tables: Writing, now: number, asked: NewInvite): ChannelInviteRecord {
  for (const one of [...tables.channel_invites.by('channel', asked.channel)]) {
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
    ...asked,
  });
}

/**
 * Puts the invite of a lobby to its channel into the state, for one user alone: good once and for an hour of the clock. It
 * stands in no list, and nobody deletes it. `now` is in milliseconds. Returns it with its `code`.
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

/** When an invite is over, in milliseconds; undefined for one that lasts. */
export function endOf({ created_at, max_age }: ChannelInviteRecord): number | undefined {
  return max_age === 0 ? undefined : Date.parse(created_at) + max_age * 1000;
}

/** An invite that is good now; one whose time is over is as good as none. `now` is in milliseconds. */
export function findInvite(
  { channel_invites }: Pick<Reading, 'channel_invites'>,
  code: string,
  now: number,
): ChannelInviteRecord | undefined {
  const invite = channel_invites.get(code);
  return invite !== undefined && isGood(invite, now) ? invite : undefined;
}

/** Whether the time of an invite is not over. */
export function isGood(invite: ChannelInviteRecord, now: number): boolean {
  return now < (endOf(invite) ?? Number.POSITIVE_INFINITY);
}
