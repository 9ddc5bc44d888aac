import type * as z from 'zod';
import type { GatewayListener } from '../../api/dispatch.ts';
import type { Base } from '../../api/world.ts';
import { guildChannelAnswer, OBFUSCATED } from './answers.ts';
import { type ChannelRecord, hasTopic } from './records.ts';
import { guildChannelShape } from './shapes.ts';
import { type ChannelVisibility, HIDDEN_SINCE, visibilityOf } from './visibility.ts';

/** Bit of `capabilities` with which a session opts into receiving hidden channels before {@link HIDDEN_SINCE}. */
const CHANNEL_OBFUSCATION = 1 << 15;
/** Text that replaces the name and the topic of a hidden channel. */
const HIDDEN = '___hidden___';
const VIEW_CHANNEL = String(1 << 10);

/** A channel in gateway events: the whole channel, or a stub without content for a session that cannot see it. */
export const gatewayChannelShape = guildChannelShape
  .partial({ nsfw: true, rate_limit_per_user: true })
  .meta({ id: 'GatewayChannel' });

/**
 * Whether a session receives a stub for each channel that it cannot see. That is so if the session or its application
 * opted in, or if the enforcement date has passed.
 */
export function hidesChannels({ clock }: Pick<Base, 'clock'>, listener: GatewayListener): boolean {
  return (
    (listener.capabilities & CHANNEL_OBFUSCATION) !== 0 ||
    listener.application.private_channel_obfuscation ||
    clock.now() >= HIDDEN_SINCE
  );
}

/**
 * A guild channel (not a thread) for one session: the whole channel, or a stub if the session cannot see it. Callers
 * with many channels pass one shared visibility function.
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

/** The stub that replaces a channel that is not visible. */
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
