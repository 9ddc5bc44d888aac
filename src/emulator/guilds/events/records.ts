import { byDigest, storedFile } from '../../files/stored-records.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { withVoice } from '../channels/records.ts';
import { ofItsGuild } from '../relation-records.ts';
import { isRuleWhole } from './recurrence.ts';

/** Entity types of events by the names that a fixture may use. */
export const EVENT_TYPES = { stage: 1, voice: 2, external: 3 } as const;
/** Statuses of events. */
export const EVENT_STATUSES = { scheduled: 1, active: 2, completed: 3, canceled: 4 } as const;

/** A scheduled event of a guild. */
export const scheduledEvents = defineRecord({
  name: 'scheduled_events',
  noun: 'scheduled event',
  about:
    'scheduled events: `type` is stage, voice or external; `channel` or `location`; `status` is scheduled, active, completed or canceled; `recurrence` has `start`, `frequency`, `interval`, `by_weekday` …',
  key: ['id'],
  indexes: { guild: { order: 'key' }, file: byDigest },
  file: 'file',
  within: { kind: 'guilds', as: 'scheduled_events', field: 'guild' },
  references: {
    channel: { to: 'channels', onRemoval: 'remove', needs: withVoice, relationCheck: ofItsGuild },
    creator: { to: 'users', onRemoval: 'null' },
  },
  printedForms: { type: EVENT_TYPES, status: EVENT_STATUSES },
  check: ({ type, channel, location, end, start, recurrence }) => {
    const isExternal = type === EVENT_TYPES.external;
    if (isExternal !== (channel === null)) {
      return { path: ['channel'], reason: 'is only for the types stage and voice' };
    }
    if (isExternal !== (location !== null)) {
      return { path: ['location'], reason: 'is only for the type external' };
    }
    if (isExternal && end === null) return { path: ['end'], reason: 'is required for the type external' };
    if (end !== null && Date.parse(end) <= Date.parse(start)) {
      return { path: ['end'], reason: 'must be after the start' };
    }
    return recurrence === undefined || isRuleWhole(recurrence)
      ? undefined
      : { path: ['recurrence'], reason: 'has too few or too many fields for its frequency' };
  },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, textOrEmpty, orNull, or, optional, moment, numberOrName, count } = parts;
    const { whole, list } = parts;
    return table({
      id: snowflake(),
      name: text(100),
      description: orNull(textOrEmpty(1000)),
      type: numberOrName(EVENT_TYPES),
      status: or(numberOrName(EVENT_STATUSES), EVENT_STATUSES.scheduled),
      /** Id of the event's voice or stage channel; null for an external event. */
      channel: orNull(snowflake()),
      /** Location of an external event. */
      location: orNull(text(100)),
      start: moment(),
      end: orNull(moment()),
      /** Id of the creator. */
      creator: orNull(text(64)),
      /** Recurrence rule; its days and months are in UTC. */
      recurrence: optional(
        table({
          start: moment(),
          /** Frequency: 0 yearly, 1 monthly, 2 weekly, 3 daily. */
          frequency: count(3),
          interval: or(whole(1, 2), 1),
          /** 0 is Monday. */
          by_weekday: list(count(6), 7),
          by_n_weekday: list(table({ n: whole(1, 5), day: count(6) }), 1),
          by_month: list(whole(1, 12), 1),
          by_month_day: list(whole(1, 31), 1),
        }),
      ),
      /** Cover image. */
      file: optional(storedFile(parts)),
    });
  },
});

/** An exception of a recurring event: one occurrence that is cancelled or moved. Its id contains the original start. */
export const eventExceptions = defineRecord({
  name: 'event_exceptions',
  noun: 'exception of an event',
  about: 'exceptions of a recurring event: `id` says when the time would have begun',
  key: ['id'],
  within: { kind: 'scheduled_events', as: 'exceptions', field: 'event' },
  schema: ({ table, snowflake, orNull, moment, flag }: SchemaParts) =>
    table({
      id: snowflake(),
      start: orNull(moment()),
      end: orNull(moment()),
      canceled: flag(false),
    }),
});

/** A user who is interested in an event. */
export const eventUsers = defineRecord({
  name: 'event_users',
  noun: 'interested user',
  about: 'users who are interested in an event',
  key: ['event', 'user'],
  within: { kind: 'scheduled_events', as: 'users', field: 'event' },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, text }: SchemaParts) => table({ user: text(64) }),
});

/** A user who is interested in one exception of an event. */
export const exceptionUsers = defineRecord({
  name: 'exception_users',
  noun: 'interested user',
  about: 'users who are interested in that time of an event',
  key: ['exception', 'user'],
  within: { kind: 'event_exceptions', as: 'users', field: 'exception' },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, text }: SchemaParts) => table({ user: text(64) }),
});

/** A scheduled event of a guild. */
export type ScheduledEvent = RowOf<typeof scheduledEvents>;
/** One occurrence of an event that is cancelled or moved. */
export type EventException = RowOf<typeof eventExceptions>;

/** Original start of an exception, in milliseconds. */
export function originalStart({ id }: Pick<EventException, 'id'>): number {
  return timeOf(id);
}

/** Whether an event is over. */
export function isFinished({ status }: Pick<ScheduledEvent, 'status'>): boolean {
  return status >= EVENT_STATUSES.completed;
}
