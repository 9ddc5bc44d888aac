import * as z from 'zod';
import { namedShape, timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import type { EventException, ScheduledEvent } from './records.ts';

/** One occurrence of an event that is cancelled or moved. */
export const exceptionShape = namedShape('ScheduledEventException', {
  event_id: z.string(),
  event_exception_id: z.string(),
  scheduled_start_time: z.nullable(z.string()),
  scheduled_end_time: z.nullable(z.string()),
  is_canceled: z.boolean(),
});

const ruleShape = z.object({
  start: z.string(),
  end: z.null(),
  frequency: z.int(),
  interval: z.int(),
  by_weekday: z.array(z.int()),
  by_n_weekday: z.array(z.object({ n: z.int(), day: z.int() })),
  by_month: z.array(z.int()),
  by_month_day: z.array(z.int()),
  by_year_day: z.array(z.never()),
  count: z.null(),
});

/** A scheduled event of a guild. */
export const eventShape = namedShape('ScheduledEvent', {
  id: z.string(),
  guild_id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  channel_id: z.nullable(z.string()),
  creator_id: z.nullable(z.string()),
  creator: z.optional(userShape),
  image: z.nullable(z.string()),
  scheduled_start_time: z.string(),
  scheduled_end_time: z.nullable(z.string()),
  status: z.int(),
  entity_type: z.int(),
  entity_id: z.nullable(z.string()),
  entity_metadata: z.nullable(z.object({ location: z.string() })),
  recurrence_rule: z.nullable(ruleShape),
  privacy_level: z.literal(2),
  user_count: z.optional(z.int()),
  guild_scheduled_event_exceptions: z.array(exceptionShape),
});

type EventAnswer = z.output<typeof eventShape>;

/** A scheduled event, as the API returns it; `withCount` includes the number of interested users. */
export function eventAnswer(tables: Reading, event: ScheduledEvent, withCount = false): EventAnswer {
  const { id, guild, name, description, channel, creator, start, end, status, type, location, recurrence } =
    event;
  const maker = creator === null ? undefined : tables.users.get(creator);
  const stage = channel === null ? undefined : tables.stage_instances.get(channel);
  return {
    id,
    guild_id: guild,
    name,
    description,
    channel_id: channel,
    creator_id: creator,
    ...(maker === undefined ? {} : { creator: userAnswer(maker) }),
    image: event.file?.digest.slice(0, 32) ?? null,
    scheduled_start_time: timestamp(Date.parse(start)),
    scheduled_end_time: end === null ? null : timestamp(Date.parse(end)),
    status,
    entity_type: type,
    entity_id: stage?.event === id ? stage.id : null,
    entity_metadata: location === null ? null : { location },
    recurrence_rule:
      recurrence === undefined
        ? null
        : {
            start: timestamp(Date.parse(recurrence.start)),
            end: null,
            frequency: recurrence.frequency,
            interval: recurrence.interval,
            by_weekday: [...recurrence.by_weekday],
            by_n_weekday: recurrence.by_n_weekday.map(({ n, day }) => ({ n, day })),
            by_month: [...recurrence.by_month],
            by_month_day: [...recurrence.by_month_day],
            by_year_day: [],
            count: null,
          },
    privacy_level: 2,
    ...(withCount ? { user_count: tables.event_users.by('event', id).size } : {}),
    guild_scheduled_event_exceptions: [...tables.event_exceptions.by('event', id)].map(exceptionAnswer),
  };
}

/** One occurrence of an event that is cancelled or moved. */
export function exceptionAnswer(exception: EventException): z.output<typeof exceptionShape> {
  const { id, event, start, end, canceled } = exception;
  return {
    event_id: event,
    event_exception_id: id,
    scheduled_start_time: start === null ? null : timestamp(Date.parse(start)),
    scheduled_end_time: end === null ? null : timestamp(Date.parse(end)),
    is_canceled: canceled,
  };
}
