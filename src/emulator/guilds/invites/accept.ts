import type { Reading, World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { User } from '../../users/records.ts';
import type { Channel } from '../channels/channels.ts';
import { type ChannelRecord, isThread } from '../channels/records.ts';
import { join, memberObstacle, memberOf } from '../members/membership.ts';
import type { Guild } from '../records.ts';
import { findInvite, isGood, makeInvite } from './invites.ts';
import type { ChannelInviteRecord } from './records.ts';
import { TargetJobs } from './target-jobs.ts';
import { isFor } from './targets.ts';

/** Target of an invite code. */
export type Found =
  | { readonly kind: 'invite'; readonly invite: ChannelInviteRecord; readonly channel: ChannelRecord }
  | { readonly kind: 'vanity'; readonly guild: Guild; readonly channel: ChannelRecord };

/** Outcome of an invite's acceptance. */
export type Acceptance =
  | { readonly kind: 'accepted'; readonly found: Found; readonly guild: Guild; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly why: keyof typeof REFUSALS };

/** Reasons for refusing an invite, as text for users. */
export const REFUSALS = {
  unknown: 'there is no such invite, or it has expired',
  'not-for-them': 'the invite is for other users',
  bot: 'bots are installed, and cannot accept invites',
  provisional: 'a provisional account, known to one game only, cannot join a guild',
  banned: 'the guild has banned the user',
  paused:
    'the guild accepts no new members: it has the feature INVITES_DISABLED, or an incident action disables invites',
} as const;

const PAUSED = 'INVITES_DISABLED';

/** Finds the target of an invite code; `now` is in milliseconds. */
export function findCode(tables: Reading, code: string, now: number): Found | undefined {
  const invite = findInvite(tables, code, now);
  if (invite !== undefined) {
    return { kind: 'invite', invite, channel: tables.channels.get(invite.channel) as ChannelRecord };
  }
  const vanity = vanityOf(tables, code);
  return vanity === undefined ? undefined : { kind: 'vanity', ...vanity };
}

/**
 * Accepts an invite for a user. The user becomes a member with the invite's roles, and the invite's use count
 * increases; the last use removes the invite. For a user who is a member already, nothing changes. `now` is in
 * milliseconds.
 */
export function acceptInvite(world: World, code: string, user: User, now: number): Acceptance {
  const { tables } = world;
  const found = findCode(tables, code, now);
  if (found === undefined) return { kind: 'refused', why: 'unknown' };
  const guild = tables.guilds.get(found.channel.guild) as Guild;
  const why = refusalOf(tables, found, guild, user, now);
  if (why !== undefined) return { kind: 'refused', why };
  if (memberOf(tables, guild.id, user.id) !== undefined) {
    return { kind: 'accepted', found, guild, isNew: false };
  }
  world.transaction((writing) => {
    const who = { guild: guild.id, user: user.id, now };
    if (found.kind === 'vanity') {
      writing.guilds.update(guild.id, { vanity_uses: guild.vanity_uses + 1 });
      join(writing, who);
      return;
    }
    const { roles, temporary, uses, max_uses } = found.invite;
    // A role makes a temporary membership permanent.
    join(writing, who, { roles: [...roles], temporary: temporary && roles.length === 0 });
    if (max_uses > 0 && uses + 1 >= max_uses) writing.channel_invites.remove(code);
    else writing.channel_invites.update(code, { uses: uses + 1 });
  });
  return { kind: 'accepted', found, guild, isNew: true };
}

function refusalOf(
  tables: Reading,
  found: Found,
  guild: Guild,
  user: User,
  now: number,
): keyof typeof REFUSALS | undefined {
  if (found.kind === 'invite' && !isFor(tables, found.invite, user.id)) return 'not-for-them';
  if (user.bot) return 'bot';
  const obstacle = memberObstacle(tables, guild.id, user.id);
  if (obstacle !== undefined) return obstacle;
  const { features, invites_disabled_until: until } = guild;
  if (features.includes(PAUSED) || (until !== null && now < Date.parse(until))) return 'paused';
  return undefined;
}

const CATEGORY = 4;

/** The guild that has this vanity code, and the channel that the code leads to. */
function vanityOf(
  { guilds, channels }: Reading,
  code: string,
): { readonly guild: Guild; readonly channel: ChannelRecord } | undefined {
  for (const guild of guilds.by('vanity_url_code', code)) {
    const own = channels.get(guild.system_channel ?? guild.rules_channel ?? '');
    const [first] = [...channels.by('guild', guild.id)]
      .filter((one) => one.type !== CATEGORY && !isThread(one))
      .sort((a, b) => a.position - b.position);
    const channel = own ?? first;
    if (channel !== undefined) return { guild, channel };
  }
  return undefined;
}

/** An invite to a channel in the form for apps. */
export interface ChannelInvite
  extends Pick<ChannelInviteRecord, 'code' | 'created_at' | 'max_age' | 'max_uses' | 'temporary' | 'uses'> {
  readonly channel_id: string;
  readonly guild_id: string;
}

/** Maximum number of stored invites that apps have created for one user; further invites remove the oldest. */
const MAX_INVITES = 100;

/** Invites to channels. */
export class ChannelInvites {
  readonly #world: World;
  readonly #clock: Clock;
  /** Jobs that read files of target users. */
  readonly jobs: TargetJobs;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
    this.jobs = new TargetJobs(world, clock);
  }

  /** Accepts an invite code or a guild's vanity code on behalf of a user. */
  accept(code: string, user: User): Acceptance {
    return acceptInvite(this.#world, code, user, this.#clock.now());
  }

  /** All valid invites, newest last. */
  list(): readonly ChannelInvite[] {
    const { channel_invites, channels } = this.#world.tables;
    const now = this.#clock.now();
    return [...channel_invites]
      .filter((invite) => isGood(invite, now))
      .map((invite) => asSeen(invite, channels.get(invite.channel)?.guild ?? ''));
  }

  /** Creates an invite of the logged-in user to a channel that the user can see. */
  make(channel: Channel): ChannelInvite {
    const { me } = this.#world.tables;
    const made = this.#world.transaction((tables) => {
      const invite = makeInvite(tables, this.#clock.now(), { channel: channel.id, inviter: me.value });
      const theirs = [...tables.channel_invites.by('inviter', me.value)];
      for (const { code } of theirs.slice(0, -MAX_INVITES)) tables.channel_invites.remove(code);
      return invite;
    });
    return asSeen(made, channel.guild_id);
  }
}

function asSeen(invite: ChannelInviteRecord, guildId: string): ChannelInvite {
  const { code, channel, created_at, max_age, max_uses, temporary, uses } = invite;
  return { code, channel_id: channel, guild_id: guildId, created_at, max_age, max_uses, temporary, uses };
}
