import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { grants } from '../../api/permissions/dated.ts';
import { missingAccess, missingPermissions } from '../../api/refusals.ts';
import type { Base } from '../../api/world.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import { accessTo } from '../channels/channel-access.ts';
import type { RequestingMember } from '../guild-access.ts';
import { EVENT_TYPES, type ScheduledEvent } from './records.ts';

type EventLocation = Pick<ScheduledEvent, 'type' | 'channel'>;

/** Further permissions for an event in a channel of this type. */
const NEEDED: Readonly<Record<number, readonly Permission[]>> = {
  [EVENT_TYPES.stage]: ['MANAGE_CHANNELS', 'MUTE_MEMBERS', 'MOVE_MEMBERS'],
  [EVENT_TYPES.voice]: ['VIEW_CHANNEL', 'CONNECT'],
};

/** Checks for one of two permissions at the location of an event, and for the further ones there. */
function checkRights(
  platform: Base,
  { caller, who }: { readonly caller: BotCaller; readonly who: RequestingMember },
  { type, channel }: EventLocation,
  rights: readonly Permission[],
): void {
  if (channel === null) {
    if (rights.some((right) => grants(who.bits, right, who))) return;
    throw missingPermissions();
  }
  const access = accessTo(platform, channel, caller.user);
  if (access === undefined) throw missingAccess();
  if (!rights.some(access.may)) throw missingPermissions();
  access.need(...(NEEDED[type] ?? []));
}

/** @throws ApiError 50013 for a caller who may not create an event there, 50001 for one who cannot view the channel. */
export function needCreate(
  platform: Base,
  requester: { readonly caller: BotCaller; readonly who: RequestingMember },
  location: EventLocation,
): void {
  checkRights(platform, requester, location, ['CREATE_EVENTS']);
}

/** @throws ApiError 50013 for a caller who may not change an event: for their own one, either permission is enough. */
export function needChange(
  platform: Base,
  requester: { readonly caller: BotCaller; readonly who: RequestingMember },
  { type, channel, creator }: ScheduledEvent,
): void {
  const isOwn = creator === requester.who.member.user;
  checkRights(
    platform,
    requester,
    { type, channel },
    isOwn ? ['CREATE_EVENTS', 'MANAGE_EVENTS'] : ['MANAGE_EVENTS'],
  );
}

/** Whether a caller can see an event: for one in a channel, whether they can view that. */
export function isInView(platform: Base, { user }: BotCaller, { channel }: ScheduledEvent): boolean {
  return channel === null || accessTo(platform, channel, user) !== undefined;
}

/** An event of a guild. @throws ApiError 10070 for one that is unknown or not visible. */
export function eventIn(platform: Base, caller: BotCaller, guildId: string, id: string): ScheduledEvent {
  const event = platform.world.tables.scheduled_events.get(id);
  if (event?.guild !== guildId || !isInView(platform, caller, event)) throw unknownEvent();
  return event;
}

/** 404 with code 10070. */
function unknownEvent() {
  return new ApiError('UnknownGuildScheduledEvent');
}
