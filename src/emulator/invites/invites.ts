import type { Channel } from '../channels/channels.ts';
import type { Clock } from '../clock.ts';
import { randomSecret } from '../oauth2/random.ts';
import type { World } from '../world.ts';
import type { ChannelInviteRecord } from './records.ts';

/** An invite to a channel as apps see it. */
export interface ChannelInvite extends Omit<ChannelInviteRecord, 'channel'> {
  readonly channel_id: string;
  readonly guild_id: string;
}

/** Newest invites that are remembered. */
const MOST_INVITES = 100;
const DAY_S = 86_400;

/** Invites to channels. */
export class ChannelInvites {
  readonly #world: World;
  readonly #clock: Clock;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** All that there are, newest last. */
  list(): readonly ChannelInvite[] {
    const { channel_invites, channels } = this.#world.tables;
    return [...channel_invites].map((invite) => asSeen(invite, channels.get(invite.channel)?.guild ?? ''));
  }

  /** Makes an invite to a channel that is in view. */
  make(channel: Channel): ChannelInvite {
    const made: ChannelInviteRecord = {
      code: randomSecret(8),
      channel: channel.id,
      created_at: new Date(this.#clock.now()).toISOString(),
      max_age: DAY_S,
      max_uses: 0,
      temporary: false,
      uses: 0,
    };
    this.#world.transaction(({ channel_invites }) => {
      channel_invites.insert(made);
      channel_invites.keepLast(MOST_INVITES);
    });
    return asSeen(made, channel.guild_id);
  }
}

function asSeen({ code, channel, ...more }: ChannelInviteRecord, guildId: string): ChannelInvite {
  return { code, channel_id: channel, guild_id: guildId, ...more };
}
