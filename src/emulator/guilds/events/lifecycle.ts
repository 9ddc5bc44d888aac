import { ApiError } from '../../api/api-error.ts';
import type { Reading, World, Writing } from '../../api/world.ts';
import { EVENT_STATUSES, EVENT_TYPES, originalStart, type ScheduledEvent } from './records.ts';
import { nextTime } from './recurrence.ts';

/** Times that are looked at for one that takes place. */
const MOST_LOOKED_AT = 1000;

/** Lets an event begin; one of a stage opens it. @throws ApiError 180002 where that is open already. */
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

/** Ends one time of an event, with the stage that it opened: one that recurs waits for the next, any other is over. */
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

/** An event that does not take place, and never will. */
export function cancel(tables: Writing, event: ScheduledEvent): ScheduledEvent {
  closeStageOf(tables, event);
  return tables.scheduled_events.update(event.id, { status: EVENT_STATUSES.canceled });
}

function closeStageOf(tables: Writing, { id, channel }: ScheduledEvent): void {
  if (channel !== null && tables.stage_instances.get(channel)?.event === id) {
    tables.stage_instances.remove(channel);
  }
}

/** When an event that recurs takes place next, with its exceptions; undefined for one that does not. Times that were missed are over. */
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
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += 1) {
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
