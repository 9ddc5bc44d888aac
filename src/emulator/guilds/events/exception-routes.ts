import { ApiError, invalidField } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { moment } from '../../api/fields.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import type { Base, Writing } from '../../api/world.ts';
import { idAt } from '../../kernel/snowflake.ts';
import { AUDIT, auditChanges, writeAudit } from '../audit/audit.ts';
import { type RequestingMember, requestingMember } from '../guild-access.ts';
import { exceptionAnswer, exceptionShape } from './answers.ts';
import { type EventException, isFinished, originalStart, type ScheduledEvent } from './records.ts';
import { isTimeOf } from './recurrence.ts';
import { exceptionBody } from './requests.ts';
import { eventIn, needChange } from './rights.ts';
import { exceptionIn } from './user-routes.ts';

interface ExceptionRequest {
  readonly caller: BotCaller;
  readonly params: { readonly guild_id: string; readonly guild_scheduled_event_id: string };
}

/** A recurring event that the caller may change. @throws ApiError for any other event. */
function recurring(platform: Base, { caller, params }: ExceptionRequest) {
  const who = requestingMember(caller, params.guild_id, platform);
  const event = eventIn(platform, caller, who.guild.id, params.guild_scheduled_event_id);
  needChange(platform, { caller, who }, event);
  if (isFinished(event)) throw new ApiError('CannotUpdateAFinishedEvent');
  return { who, event };
}

/** Checks the times of an exception. @throws ApiError 50035 for an end that is not after the start. */
function checkTimes({ start, end }: Pick<EventException, 'start' | 'end'>, original: number): void {
  if (end === null || Date.parse(end) > (start === null ? original : Date.parse(start))) return;
  throw invalidField(
    ['scheduled_end_time'],
    'GUILD_SCHEDULED_EVENT_END_BEFORE_START',
    'Cannot schedule an event that ends before it starts.',
  );
}

function written(time: number | null | undefined, before: string | null): string | null {
  return time === undefined ? before : time === null ? null : new Date(time).toISOString();
}

function note(
  { world }: Base,
  tables: Writing,
  { who, event }: { readonly who: RequestingMember; readonly event: ScheduledEvent },
  deed: { action: number; before?: EventException; after?: EventException; reason: string | undefined },
): void {
  const { action, before, after, reason } = deed;
  const [was, is] = [before, after].map((one) => (one === undefined ? undefined : exceptionAnswer(one)));
  const id = (after ?? before)?.id ?? '';
  const options = { event_exception_id: id };
  writeAudit(world, tables, who, {
    action,
    target: event.id,
    reason,
    changes: auditChanges(was, is),
    options,
  });
}

const ALL = '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}/exceptions';
const ONE = `${ALL}/{exception_id}` as const;

/** Routes of exceptions to recurring events. */
export const eventExceptionOperations = [
  defineOperation({
    id: 'create_guild_scheduled_event_exception',
    summary: 'Cancels or moves one occurrence of a recurring event.',
    route: `POST ${ALL}`,
    body: exceptionBody.extend({ original_scheduled_start_time: moment() }),
    ours: 'The time must be a future occurrence of the rule without an exception: 50035 otherwise.',
    answers: { 200: exceptionShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const { who, event } = recurring(platform, { caller, params });
      const { original_scheduled_start_time: original, ...changes } = body;
      if (Object.values(changes).every((one) => one == null)) {
        throw new ApiError('GuildScheduledEventExceptionIsEmpty');
      }
      const { world } = platform;
      const others = [...world.tables.event_exceptions.by('event', event.id)];
      const isOne = event.recurrence !== undefined && isTimeOf(event.recurrence, original);
      if (!isOne || original <= who.now || others.some((one) => originalStart(one) === original)) {
        throw invalidField(
          ['original_scheduled_start_time'],
          'GUILD_SCHEDULED_EVENT_EXCEPTION_TIME_INVALID',
          'The time is no future occurrence of the event, or has an exception already.',
        );
      }
      const times = {
        start: written(changes.scheduled_start_time, null),
        end: written(changes.scheduled_end_time, null),
      };
      checkTimes(times, original);
      const made = world.transaction((tables) => {
        // The upper bits of the id are the original start. The lower bits distinguish exceptions with the same original
        // start.
        let id = BigInt(idAt(original));
        while (tables.event_exceptions.has(String(id))) id += 1n;
        const canceled = changes.is_canceled ?? false;
        const after = tables.event_exceptions.insert({ id: String(id), event: event.id, ...times, canceled });
        const action = AUDIT.GUILD_SCHEDULED_EVENT_EXCEPTION_CREATE;
        note(platform, tables, { who, event }, { action, after, reason });
        return after;
      });
      return ok(exceptionAnswer(made));
    },
  }),
  defineOperation({
    id: 'update_guild_scheduled_event_exception',
    summary: 'Changes an exception of an event.',
    route: `PATCH ${ONE}`,
    body: exceptionBody,
    answers: { 200: exceptionShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const { who, event } = recurring(platform, { caller, params });
      const { world } = platform;
      const before = exceptionIn(world.tables, event.id, params.exception_id);
      const fields = {
        start: written(body.scheduled_start_time, before.start),
        end: written(body.scheduled_end_time, before.end),
        canceled: body.is_canceled ?? before.canceled,
      };
      checkTimes(fields, originalStart(before));
      const after = world.transaction((tables) => {
        const exception = tables.event_exceptions.update(before.id, fields);
        const action = AUDIT.GUILD_SCHEDULED_EVENT_EXCEPTION_UPDATE;
        note(platform, tables, { who, event }, { action, before, after: exception, reason });
        return exception;
      });
      return ok(exceptionAnswer(after));
    },
  }),
  defineOperation({
    id: 'delete_guild_scheduled_event_exception',
    summary: 'Removes an exception, so that the occurrence follows the rule again.',
    route: `DELETE ${ONE}`,
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const { who, event } = recurring(platform, { caller, params });
      const before = exceptionIn(platform.world.tables, event.id, params.exception_id);
      platform.world.transaction((tables) => {
        tables.event_exceptions.remove(before.id);
        const action = AUDIT.GUILD_SCHEDULED_EVENT_EXCEPTION_DELETE;
        note(platform, tables, { who, event }, { action, before, reason });
      });
      return noContent();
    },
  }),
];
