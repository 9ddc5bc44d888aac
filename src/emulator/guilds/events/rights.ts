import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { grants } from '../../api/permissions/dated.ts';
import { missingAccess, missingPermissions } from '../../api/refusals.ts';
import type { Base } from '../../api/world.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import type { Asking } from '../asking.ts';
import { accessTo } from '../channels/channel-access.ts';
import { EVENT_TYPES, type ScheduledEvent } from './records.ts';

type Place = Pick<ScheduledEvent, 'type' | 'channel'>;

/** What else somebody needs who plans something in a channel of that kind. */
const NEEDED: Readonly<Record<number, readonly Permission[]>> = {
  [EVENT_TYPES.stage]: ['MANAGE_CHANNELS', 'MUTE_MEMBERS', 'MOVE_MEMBERS'],
  [EVENT_TYPES.voice]: ['VIEW_CHANNEL', 'CONNECT'],
};

/** Whether somebody has one of two rights where an event takes place, and what else is needed there. */
function checkRights(
  platform: Base,
  { caller, who }: { readonly caller: BotCaller; readonly who: Asking },
  { type, channel }: Place,
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

/** @throws ApiError 50013 for whoever may not plan something there, 50001 where they may not even look. */
export function needCreate(
  platform: Base,
  asker: { readonly caller: BotCaller; readonly who: Asking },
  place: Place,
): void {
  checkRights(platform, asker, place, ['CREATE_EVENTS']);
}

/** @throws ApiError 50013 for whoever may not change an event: one's own needs either right. */
export function needChange(
  platform: Base,
  asker: { readonly caller: BotCaller; readonly who: Asking },
  { type, channel, creator }: ScheduledEvent,
): void {
  const isOwn = creator === asker.who.member.user;
  checkRights(
    platform,
    asker,
    { type, channel },
    isOwn ? ['CREATE_EVENTS', 'MANAGE_EVENTS'] : ['MANAGE_EVENTS'],
  );
}

/** Whether somebody may know of an event: of one in a channel, whoever views that. */
export function isInView(platform: Base, { user }: BotCaller, { channel }: ScheduledEvent): boolean {
  return channel === null || accessTo(platform, channel, user) !== undefined;
}

/** An event of a guild. @throws ApiError 10070 for one that is not there, or not in view. */
export function eventIn(platform: Base, caller: BotCaller, guildId: string, id: string): ScheduledEvent {
  const event = platform.world.tables.scheduled_events.get(id);
  if (event?.guild !== guildId || !isInView(platform, caller, event)) throw unknownEvent();
  return event;
}

/** 404 with code 10070. */
function unknownEvent() {
  return new ApiError('UnknownGuildScheduledEvent');
}
