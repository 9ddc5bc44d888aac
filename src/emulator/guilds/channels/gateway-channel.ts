import type * as z from 'zod';
import type { GatewayListener } from '../../api/dispatch.ts';
import type { Base } from '../../api/world.ts';
import { guildChannelAnswer, OBFUSCATED } from './answers.ts';
import { type ChannelRecord, hasTopic } from './records.ts';
import { guildChannelShape } from './shapes.ts';
import { HIDDEN_SINCE, type Sight, sightOf } from './visibility.ts';

/** Bit of `capabilities` by which a session asks that channels out of view be hidden from it before their day. */
const CHANNEL_OBFUSCATION = 1 << 15;
/** Stands for the name of a channel that is hidden, and for its topic. */
const HIDDEN = '___hidden___';
const VIEW_CHANNEL = String(1 << 10);

/** A channel at the gateway: whole or, out of view, without what is in it. */
export const gatewayChannelShape = guildChannelShape
  .partial({ nsfw: true, rate_limit_per_user: true })
  .meta({ id: 'GatewayChannel' });

/** Whether channels out of view are hidden from a session: it asked for it, its application did, or the day has come. */
export function hidesChannels({ clock }: Pick<Base, 'clock'>, listener: GatewayListener): boolean {
  return (
    (listener.capabilities & CHANNEL_OBFUSCATION) !== 0 ||
    listener.application.private_channel_obfuscation ||
    clock.now() >= HIDDEN_SINCE
  );
}

/**
 * A channel of a guild, which is no thread, as the gateway tells it to a session: whole, or hidden where it is out of view.
 * Who tells many gives the `sight` that they all go by.
 */
export function gatewayChannel(
  platform: Base,
  channel: ChannelRecord,
  listener: GatewayListener,
  sight: Sight = sightOf(platform.world.tables),
): z.output<typeof gatewayChannelShape> {
  const isHidden = hidesChannels(platform, listener) && !sight(channel, listener.user);
  return isHidden ? hiddenChannel(channel) : guildChannelAnswer(platform.world.tables, channel);
}

/** What is told of a channel that is out of view. */
export function hiddenChannel(channel: ChannelRecord): z.output<typeof gatewayChannelShape> {
  const { id, guild, type, position, parent } = channel;
  return {
    id,
    type,
    guild_id: guild,
    name: HIDDEN,
    ...(hasTopic(channel) ? { topic: HIDDEN } : {}),
    position,
    parent_id: parent,
    flags: OBFUSCATED,
    permission_overwrites: [{ id: guild, type: 0, allow: '0', deny: VIEW_CHANNEL }],
  };
}
