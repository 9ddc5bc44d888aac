import { notFound } from '../api/api-error.ts';
import type { BotCaller } from '../caller.ts';
import { missingAccess, missingPermissions } from '../guilds/asking.ts';
import type { Permission } from '../permissions/bits.ts';
import { grants } from '../permissions/dated.ts';
import type { Platform } from '../platform.ts';
import { permissionsIn } from './access.ts';
import type { ChannelRecord } from './records.ts';

const UNKNOWN_CHANNEL = 10003;

/** A channel as far as a user may go in it. */
export interface ChannelAccess {
  readonly channel: ChannelRecord;
  readonly may: (permission: Permission) => boolean;
  /** @throws ApiError 403 with code 50013 for whoever lacks one. */
  readonly need: (...permissions: readonly Permission[]) => void;
}

/** What decides who may do what. */
export type Deciding = Pick<Platform, 'world' | 'clock'>;

/** Somebody who asks. */
export interface Asker {
  readonly id: string;
  readonly bot: boolean;
}

/** A channel with the eyes of a user; undefined when it is not there or not in view. */
export function accessTo(
  { world, clock }: Deciding,
  channelId: string,
  asker: Asker,
): ChannelAccess | undefined {
  const channel = world.tables.channels.get(channelId);
  if (channel === undefined) return undefined;
  const now = clock.now();
  const permissions = permissionsIn(world.tables, channel, asker.id, now);
  const may = (permission: Permission): boolean => grants(permissions, permission, { now, isBot: asker.bot });
  if (!may('VIEW_CHANNEL')) return undefined;
  return {
    channel,
    may,
    need: (...needed) => {
      if (!needed.every(may)) throw missingPermissions();
    },
  };
}

/** A channel that the caller has in view. @throws ApiError 404 with code 10003, 403 with code 50001. */
export function channelInView(
  platform: Deciding,
  channelId: string,
  { user }: Pick<BotCaller, 'user'>,
): ChannelAccess {
  if (!platform.world.tables.channels.has(channelId)) {
    throw notFound('Unknown Channel', UNKNOWN_CHANNEL);
  }
  const access = accessTo(platform, channelId, user);
  if (access === undefined) throw missingAccess();
  return access;
}
