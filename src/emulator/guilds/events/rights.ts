import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { grants } from '../../api/permissions/dated.ts';
import type { Base } from '../../api/world.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import { accessTo } from '../channels/channel-access.ts';
import type { RequestingMember } from '../guild-access.ts';
import { EVENT_TYPES, type ScheduledEvent } from './records.ts';

type EventLocation = Pick<ScheduledEvent, 'type' | 'channel'>;

/** Additional permissions that an event in a channel requires, by the event's type. */
const NEEDED: Readonly<Record<number, readonly Permission[]>> = {
  [EVENT_TYPES.stage]: ['MANAGE_CHANNELS', 'MUTE_MEMBERS', 'MOVE_MEMBERS'],
  [EVENT_TYPES.voice]: ['VIEW_CHANNEL', 'CONNECT'],
};

/**
 * Checks that the caller has one of the given permissions at the location of an event, and all additional permissions
 * of the event's type.
 */
function checkRights(
  platform: Base,
  { caller, who }: { readonly caller: BotCaller; readonly who: RequestingMember },
  { type, channel }: EventLocation,
  rights: readonly Permission[],
): void {
  if (channel === null) {
    if (rights.some((right) => grants(who.bits, right, who))) return;
    throw new ApiError('MissingPermissions');
  }
  const access = accessTo(platform, channel, caller.user);
  if (access === undefined) throw new ApiError('MissingAccess');
  if (!rights.some(access.may)) throw new ApiError('MissingPermissions');
  access.need(...(NEEDED[type] ?? []));
}

/**
 * Checks that the caller may create an event at a location. @throws ApiError 50013 for missing permissions, 50001 for a
 * channel that the caller cannot view.
 */
export function needCreate(
  platform: Base,
  requester: { readonly caller: BotCaller; readonly who: RequestingMember },
  location: EventLocation,
): void {
  checkRights(platform, requester, location, ['CREATE_EVENTS']);
}

/**
 * Checks that the caller may change an event. For the caller's own event, CREATE_EVENTS suffices in place of
 * MANAGE_EVENTS. @throws ApiError 50013.
 */
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

/** Whether a caller can see an event. An event in a channel is visible to callers who can view the channel. */
export function isInView(platform: Base, { user }: BotCaller, { channel }: ScheduledEvent): boolean {
  return channel === null || accessTo(platform, channel, user) !== undefined;
}

/** An event of a guild. @throws ApiError 10070 for an event that is unknown or not visible. */
export function eventIn(platform: Base, caller: BotCaller, guildId: string, id: string): ScheduledEvent {
  const event = platform.world.tables.scheduled_events.get(id);
  if (event?.guild !== guildId || !isInView(platform, caller, event))
    throw new ApiError('UnknownGuildScheduledEvent');
  return event;
}
