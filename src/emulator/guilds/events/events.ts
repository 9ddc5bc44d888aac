import { type Due, RowTimers } from '../../api/row-timers.ts';
import type { Reading, World } from '../../api/world.ts';
import type { EmulatorClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { isIn } from '../members/membership.ts';
import { channelsOf } from '../voice/changed-channels.ts';
import { begin, cancel, finish } from './lifecycle.ts';
import { EVENT_STATUSES, EVENT_TYPES, isFinished, type ScheduledEvent } from './records.ts';

/**
 * Time after the planned start at which an event that was not started is cancelled. The documentation says only "a few
 * hours".
 */
const CALLED_OFF_MS = 4 * 3_600_000;
/** Time with an empty channel after which an event ends. The documentation says only "a few minutes". */
const EMPTY_MS = 5 * 60_000;

/** Interest of users in scheduled events. */
export class ScheduledEvents {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Sets or removes a user's interest in an event, or in one exception of it. @throws SettingError for an unknown
   * event or exception, and for a user who is not in the event's guild.
   */
  setInterest(eventId: string, userId: string, isInterested: boolean, exceptionId?: string): ScheduledEvent {
    const { tables } = this.#world;
    const event = tables.scheduled_events.get(eventId);
    if (event === undefined) throw new SettingError('event', 'there is no such event');
    if (isFinished(event)) throw new SettingError('event', 'it is over');
    const user = tables.users.get(userId);
    if (user?.bot === true)
      throw new SettingError('user', 'is a bot; only users can be interested in events');
    if (!isIn(tables, event.guild, userId))
      throw new SettingError('user', 'is not in the guild of the event');
    const exception = exceptionId === undefined ? undefined : tables.event_exceptions.get(exceptionId);
    if (exceptionId !== undefined && exception?.event !== eventId) {
      throw new SettingError('exception', 'the event has no such exception');
    }
    this.#world.transaction(({ event_users, exception_users }) => {
      if (exception === undefined) {
        if (isInterested) event_users.put({ event: eventId, user: userId });
        else event_users.remove(`${eventId} ${userId}`);
      } else if (isInterested) exception_users.put({ exception: exception.id, user: userId });
      else exception_users.remove(`${exception.id} ${userId}`);
    });
    return event;
  }
}

/** Timers that start, end and cancel events. */
export function eventTimers(world: World, clock: EmulatorClock): RowTimers<'scheduled_events'> {
  const { tables } = world;
  return new RowTimers(world, clock, {
    name: 'the time of scheduled events',
    table: 'scheduled_events',
    concerns: (event) =>
      channelsOf(event).flatMap((channel) =>
        [...tables.scheduled_events.by('channel', channel)].map(({ id }) => id),
      ),
    due: (event) => dueOf(tables, event),
    fire: (event) =>
      world.transaction((writing) => {
        const isScheduled = event.status === EVENT_STATUSES.scheduled;
        if (isScheduled && isExternal(event)) begin(world, writing, event, clock.now());
        else if (isScheduled && event.recurrence === undefined) cancel(writing, event);
        else finish(writing, event, clock.now());
      }),
  });
}

/** Next automatic change of an event; undefined if there is none. */
function dueOf({ voice_states }: Reading, event: ScheduledEvent): Due | undefined {
  const { status, start, end, channel } = event;
  const at = (time: number): Due => ({ for: `${status} ${time}`, at: () => time });
  if (status === EVENT_STATUSES.scheduled)
    return at(Date.parse(start) + (isExternal(event) ? 0 : CALLED_OFF_MS));
  if (status !== EVENT_STATUSES.active) return undefined;
  if (isExternal(event)) return at(Date.parse(end ?? start));
  const isEmpty = channel !== null && voice_states.by('channel', channel).size === 0;
  // Other changes to the event do not restart the time for which its channel has been empty.
  return isEmpty ? { for: `${status} empty`, at: (since) => since + EMPTY_MS } : undefined;
}

function isExternal({ type }: ScheduledEvent): boolean {
  return type === EVENT_TYPES.external;
}
