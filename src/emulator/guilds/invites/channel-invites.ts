import type { World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { User } from '../../users/records.ts';
import type { Channel } from '../channels/channels.ts';
import { type Acceptance, acceptInvite } from './accept.ts';
import { isGood, makeInvite } from './invites.ts';
import type { ChannelInviteRecord } from './records.ts';
import { TargetJobs } from './target-jobs.ts';

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
