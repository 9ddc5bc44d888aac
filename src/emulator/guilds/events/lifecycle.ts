import { ApiError } from '../../api/api-error.ts';
import type { Reading, World, Writing } from '../../api/world.ts';
import { EVENT_STATUSES, EVENT_TYPES, originalStart, type ScheduledEvent } from './records.ts';
import { nextTime } from './recurrence.ts';

/** Maximum number of occurrences that are checked to find one that is not cancelled. */
const MAX_OCCURRENCES_CHECKED = 1000;

/** Starts an event; a stage event also starts the stage. @throws ApiError 180002 for a stage that is live already. */
export function begin(world: World, tables: Writing, event: ScheduledEvent, now: number): ScheduledEvent {
  if (event.type === EVENT_TYPES.stage && event.channel !== null) {
    if (tables.stage_instances.has(event.channel)) {
      throw new ApiError('FailedToCreateStageNeededForStageEvent');
    }
    tables.stage_instances.insert({
      channel: event.channel,
      id: world.ids.next(now, (id) => tables.stage_instances.by('id', id).size > 0),
      topic: event.name,
      privacy_level: 2,
      event: event.id,
    });
  }
  return tables.scheduled_events.update(event.id, { status: EVENT_STATUSES.active });
}

/**
 * Ends one occurrence of an event, and the event's stage. A recurring event then waits for its next occurrence; any
 * other event is completed.
 */
export function finish(tables: Writing, event: ScheduledEvent, now: number): ScheduledEvent {
  closeStageOf(tables, event);
  const next = nextOf(tables, event, now);
  return tables.scheduled_events.update(
    event.id,
    next === undefined
      ? { status: EVENT_STATUSES.completed }
      : { status: EVENT_STATUSES.scheduled, start: next.start, end: next.end },
  );
}

/** Cancels an event for good. */
export function cancel(tables: Writing, event: ScheduledEvent): ScheduledEvent {
  closeStageOf(tables, event);
  return tables.scheduled_events.update(event.id, { status: EVENT_STATUSES.canceled });
}

function closeStageOf(tables: Writing, { id, channel }: ScheduledEvent): void {
  if (channel !== null && tables.stage_instances.get(channel)?.event === id) {
    tables.stage_instances.remove(channel);
  }
}

/**
 * Next occurrence of a recurring event after its exceptions are applied; undefined for any other event. Missed
 * occurrences are skipped.
 */
function nextOf(
  { event_exceptions }: Reading,
  { id, start, end, recurrence }: ScheduledEvent,
  now: number,
): { readonly start: string; readonly end: string | null } | undefined {
  if (recurrence === undefined) return undefined;
  const exceptions = new Map([...event_exceptions.by('event', id)].map((one) => [originalStart(one), one]));
  const length = end === null ? undefined : Date.parse(end) - Date.parse(start);
  const moved = [...exceptions.values()].find((one) => one.start === start);
  let time = Math.max(now, moved === undefined ? Date.parse(start) : originalStart(moved));
  for (let looked = 0; looked < MAX_OCCURRENCES_CHECKED; looked += 1) {
    const next = nextTime(recurrence, time);
    if (next === undefined) return undefined;
    time = next;
    const exception = exceptions.get(next);
    if (exception?.canceled === true) continue;
    const begins = exception?.start == null ? next : Date.parse(exception.start);
    const usual = length === undefined ? null : new Date(begins + length).toISOString();
    return { start: new Date(begins).toISOString(), end: exception?.end ?? usual };
  }
  return undefined;
}
