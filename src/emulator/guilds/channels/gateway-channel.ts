import type * as z from 'zod';
import type { GatewayListener } from '../../api/dispatch.ts';
import type { Base } from '../../api/world.ts';
import { guildChannelAnswer, OBFUSCATED } from './answers.ts';
import { type ChannelRecord, hasTopic } from './records.ts';
import { guildChannelShape } from './shapes.ts';
import { type ChannelVisibility, HIDDEN_SINCE, visibilityOf } from './visibility.ts';

/** Bit of `capabilities` with which a session opts into hidden channels before their enforcement. */
const CHANNEL_OBFUSCATION = 1 << 15;
/** Name, and topic, of a hidden channel. */
const HIDDEN = '___hidden___';
const VIEW_CHANNEL = String(1 << 10);

/** A channel in gateway events: whole or, when not visible, without its content. */
export const gatewayChannelShape = guildChannelShape
  .partial({ nsfw: true, rate_limit_per_user: true })
  .meta({ id: 'GatewayChannel' });

/**
 * Whether a session receives invisible channels as hidden: the session or its application opted in, or the
 * enforcement date has passed.
 */
export function hidesChannels({ clock }: Pick<Base, 'clock'>, listener: GatewayListener): boolean {
  return (
    (listener.capabilities & CHANNEL_OBFUSCATION) !== 0 ||
    listener.application.private_channel_obfuscation ||
    clock.now() >= HIDDEN_SINCE
  );
}

/**
 * A guild channel, not a thread, for one session: whole, or hidden where it is not visible. A caller with many
 * channels passes one shared visibility function.
 */
export function gatewayChannel(
  platform: Base,
  channel: ChannelRecord,
  listener: GatewayListener,
  visibility: ChannelVisibility = visibilityOf(platform.world.tables),
): z.output<typeof gatewayChannelShape> {
  const isHidden = hidesChannels(platform, listener) && !visibility(channel, listener.user);
  return isHidden ? hiddenChannel(channel) : guildChannelAnswer(platform.world.tables, channel);
}

/** Payload of a channel that is not visible. */
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
