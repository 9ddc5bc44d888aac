import * as z from 'zod';
import { defineDispatch, type GatewayListener } from '../../api/dispatch.ts';
import type { Committed, Reading } from '../../api/world.ts';
import { mayView, rowsBefore } from '../channels/access.ts';
import { stays } from '../dispatch-audience.ts';
import { eventAnswer, eventShape } from './answers.ts';
import type { ScheduledEvent } from './records.ts';

const declared = {
  intents: ['GUILD_SCHEDULED_EVENTS'],
  shape: eventShape,
} as const;

/**
 * Audience of an event: bots that can view its channel, or could view it before its deletion. For an external event,
 * all bots.
 */
function viewers(
  commit: Committed,
  tables: Reading,
  { channel: id }: ScheduledEvent,
): (listener: GatewayListener) => boolean {
  const channel = tables.channels.get(id ?? '');
  const was = channel === undefined ? commit.was('channels', id ?? '') : undefined;
  const rows = was === undefined ? tables : rowsBefore(commit, tables);
  const currentOrPrevious = channel ?? was;
  return ({ kind, user }) =>
    kind === 'bot' && (currentOrPrevious === undefined || mayView(rows, currentOrPrevious, user));
}

/** Scheduled events that changed, or one of whose exceptions changed. */
function changedEvents(commit: Committed, tables: Reading): Set<ScheduledEvent> {
  const found = new Set(commit.of('scheduled_events').updated.map(({ after }) => after));
  const { created, updated, removed } = commit.of('event_exceptions');
  for (const { event: id } of [...created, ...updated.map(({ after }) => after), ...removed]) {
    const event = tables.scheduled_events.get(id);
    if (event !== undefined && commit.was('scheduled_events', id) !== undefined) found.add(event);
  }
  return found;
}

const userShape = z.object({
  guild_scheduled_event_id: z.string(),
  guild_scheduled_event_exception_id: z.optional(z.string()),
  user_id: z.string(),
  guild_id: z.string(),
});

/** Users whose interest began, or ended, in a transaction. */
function* interested(commit: Committed, tables: Reading, kind: 'created' | 'removed') {
  const rows = [
    ...commit.of('event_users')[kind].map(({ event, user }) => ({ id: event, user, exception: undefined })),
    ...commit.of('exception_users')[kind].map(({ exception, user }) => {
      const event = tables.event_exceptions.get(exception)?.event ?? '';
      return { id: event, user, exception };
    }),
  ];
  for (const { id, user, exception } of rows) {
    const event = tables.scheduled_events.get(id);
    // No user events are emitted for a scheduled event that was created or deleted in the same transaction.
    if (event === undefined || commit.was('scheduled_events', id) === undefined) continue;
    yield {
      guild: event.guild,
      canSee: viewers(commit, tables, event),
      data: () => ({
        guild_scheduled_event_id: id,
        ...(exception === undefined ? {} : { guild_scheduled_event_exception_id: exception }),
        user_id: user,
        guild_id: event.guild,
      }),
    };
  }
}

/** Gateway events of scheduled events. */
export const scheduledEventDispatches = [
  ...(
    [
      ['GUILD_SCHEDULED_EVENT_CREATE', 'created', 'Something is planned.'],
      ['GUILD_SCHEDULED_EVENT_DELETE', 'removed', 'Something that was planned is taken back.'],
    ] as const
  ).map(([event, kind, summary]) =>
    defineDispatch({
      ...declared,
      event,
      summary,
      tables: ['scheduled_events'],
      *derive(commit, { world: { tables } }) {
        for (const one of commit.of('scheduled_events')[kind]) {
          const { guild } = one;
          if (!stays(commit, tables, guild)) continue;
          yield { guild, canSee: viewers(commit, tables, one), data: () => eventAnswer(tables, one) };
        }
      },
    }),
  ),
  defineDispatch({
    ...declared,
    event: 'GUILD_SCHEDULED_EVENT_UPDATE',
    summary: 'An event was changed, started, ended or cancelled.',
    ours: 'Its exceptions are sent with it.',
    tables: ['scheduled_events', 'event_exceptions'],
    *derive(commit, { world: { tables } }) {
      for (const event of changedEvents(commit, tables)) {
        yield {
          guild: event.guild,
          canSee: viewers(commit, tables, event),
          data: () => eventAnswer(tables, event),
        };
      }
    },
  }),
  ...(
    [
      ['GUILD_SCHEDULED_EVENT_USER_ADD', 'created', 'Somebody is interested in what is planned.'],
      ['GUILD_SCHEDULED_EVENT_USER_REMOVE', 'removed', 'Somebody is no longer interested in it.'],
    ] as const
  ).map(([event, kind, summary]) =>
    defineDispatch({
      event,
      summary,
      intents: declared.intents,
      tables: ['event_users', 'exception_users'],
      shape: userShape,
      derive: (commit, { world: { tables } }) => interested(commit, tables, kind),
    }),
  ),
];
