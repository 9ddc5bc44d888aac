import * as z from 'zod';
import { ApiError, invalidField } from '../../api/api-error.ts';
import { flagText } from '../../api/fields.ts';
import { anybody, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base, Reading, Writing } from '../../api/world.ts';
import { checkedPicture } from '../../files/data-uri.ts';
import type { HasFileStore } from '../../files/store.ts';
import { downloadOf, withStored } from '../../files/stored.ts';
import type { StoredFile } from '../../files/stored-records.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { AUDIT, auditChanges, writeAudit } from '../audit/audit.ts';
import { type RequestingMember, requestingMember } from '../guild-access.ts';
import { eventAnswer, eventShape } from './answers.ts';
import { eventFields } from './fields.ts';
import { begin, cancel, finish } from './lifecycle.ts';
import { EVENT_STATUSES, isFinished, type ScheduledEvent } from './records.ts';
import { createBody, updateBody } from './requests.ts';
import { eventIn, isInView, needChange, needCreate } from './rights.ts';

/** Services of these routes. */
type Needs = Base & HasFileStore;

const defineOperation = operationsFor<Needs>();

const MAX_EVENTS = 100;
/** Maximum size of a cover image (`MAX_COVER_BYTES`) and of a request that contains one (`MAX_REQUEST_BYTES`). */
const MAX_COVER_BYTES = 2 * 1024 * 1024;
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

/**
 * Stores the cover image of a request while `use` creates a record that refers to it; null removes the existing cover.
 */
function withCover<T>(
  platform: Needs,
  bytes: Buffer | null | undefined,
  use: (file: StoredFile | null | undefined) => T,
): T | Promise<T> {
  if (bytes == null) return use(bytes);
  return withStored(platform, checkedPicture(bytes, 'image', MAX_COVER_BYTES), use);
}

/** The fields of an event, in the form of an audit log. */
function auditFields(tables: Reading, event: ScheduledEvent): Readonly<Record<string, unknown>> {
  const {
    creator: _creator,
    guild_id: _guild,
    guild_scheduled_event_exceptions: _,
    ...rest
  } = eventAnswer(tables, event);
  return rest;
}

function countUncompleted({ scheduled_events }: Reading, guildId: string): number {
  return [...scheduled_events.by('guild', guildId)].filter((event) => !isFinished(event)).length;
}

/** Sets the status of an event. @throws ApiError for a transition that is not allowed. */
function become(
  { world }: Needs,
  tables: Writing,
  event: ScheduledEvent,
  { status, now }: { readonly status: number | undefined; readonly now: number },
): ScheduledEvent {
  const { scheduled, active, completed, canceled } = EVENT_STATUSES;
  if (status === undefined || status === event.status) return event;
  if (event.status === scheduled && status === active) return begin(world, tables, event, now);
  if (event.status === scheduled && status === canceled) return cancel(tables, event);
  if (event.status === active && status === completed) return finish(tables, event, now);
  throw invalidField(
    ['status'],
    'GUILD_SCHEDULED_EVENT_STATUS_TRANSITION_INVALID',
    `An event cannot change from status ${event.status} to ${status}.`,
  );
}

function note(
  { world }: Needs,
  tables: Writing,
  who: RequestingMember,
  deed: {
    action: number;
    before?: ScheduledEvent;
    after?: ScheduledEvent;
    reason: string | undefined;
    was?: Readonly<Record<string, unknown>>;
  },
): void {
  const { action, before, after, reason, was } = deed;
  const changes = auditChanges(was, after === undefined ? undefined : auditFields(tables, after));
  writeAudit(world, tables, who, { action, target: (after ?? before)?.id ?? null, reason, changes });
}

const ALL = '/guilds/{guild_id}/scheduled-events';
const ONE = '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}';
const query = z.object({ with_user_count: z.optional(flagText()) });

/** Routes of scheduled events. */
export const eventOperations = [
  defineOperation({
    id: 'list_guild_scheduled_events',
    summary: 'Scheduled events of a guild, in channels that the bot can view.',
    route: `GET ${ALL}`,
    query,
    ours: 'Events that are over are not listed.',
    answers: { 200: z.array(eventShape) },
    handle: ({ caller, params, query: { with_user_count } }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      const all = [...tables.scheduled_events.by('guild', guild.id)];
      const visible = all.filter((event) => !isFinished(event) && isInView(platform, caller, event));
      return ok(visible.map((event) => eventAnswer(tables, event, with_user_count)));
    },
  }),
  defineOperation({
    id: 'get_guild_scheduled_event',
    summary: 'An event of a guild.',
    route: `GET ${ONE}`,
    query,
    answers: { 200: eventShape },
    handle: ({ caller, params, query: { with_user_count } }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const event = eventIn(platform, caller, guild.id, params.guild_scheduled_event_id);
      return ok(eventAnswer(platform.world.tables, event, with_user_count));
    },
  }),
  defineOperation({
    id: 'create_guild_scheduled_event',
    summary: 'Creates a scheduled event: in a stage or voice channel, or external.',
    route: `POST ${ALL}`,
    body: createBody,
    maxBodyBytes: MAX_REQUEST_BYTES,
    ours: 'Faults of the type, the rule or the time are listed in 50035 with a code of our own, except a time that is over. A cover is limited to 2 MiB.',
    answers: { 200: eventShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const { world, clock } = platform;
      const check = () => {
        const who = requestingMember(caller, params.guild_id, platform);
        const fields = eventFields(world.tables, who.guild.id, body, { now: clock.now() });
        needCreate(platform, { caller, who }, fields);
        if (countUncompleted(world.tables, who.guild.id) >= MAX_EVENTS) {
          throw new ApiError('MaximumNumberOfUncompletedGuildScheduledEventsReached', { limit: MAX_EVENTS });
        }
        return { who, fields };
      };
      check();
      return withCover(platform, body.image, (file) => {
        // The state may have changed while the file was stored, so everything is checked again.
        const { who, fields } = check();
        const made = world.transaction((tables) => {
          const event = tables.scheduled_events.insert({
            id: world.ids.next(who.now, (id) => tables.scheduled_events.has(id)),
            guild: who.guild.id,
            status: EVENT_STATUSES.scheduled,
            creator: who.member.user,
            ...fields,
            ...(file == null ? {} : { file }),
          });
          note(platform, tables, who, { action: AUDIT.GUILD_SCHEDULED_EVENT_CREATE, after: event, reason });
          return event;
        });
        return ok(eventAnswer(world.tables, made));
      });
    },
  }),
  defineOperation({
    id: 'update_guild_scheduled_event',
    summary: 'Changes, starts, ends or cancels an event.',
    route: `PATCH ${ONE}`,
    body: updateBody,
    maxBodyBytes: MAX_REQUEST_BYTES,
    ours: 'A recurring event that ends waits for its next occurrence. A changed rule deletes all exceptions.',
    answers: { 200: eventShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const { world, clock } = platform;
      const check = () => {
        const who = requestingMember(caller, params.guild_id, platform);
        const before = eventIn(platform, caller, who.guild.id, params.guild_scheduled_event_id);
        needChange(platform, { caller, who }, before);
        if (isFinished(before)) throw new ApiError('CannotUpdateAFinishedEvent');
        const fields = eventFields(world.tables, who.guild.id, body, { now: clock.now(), before });
        // Moving an event also requires permissions in its new channel.
        if (fields.channel !== before.channel)
          needChange(platform, { caller, who }, { ...before, ...fields });
        return { who, before, fields };
      };
      check();
      return withCover(platform, body.image, (file) => {
        const { who, before, fields } = check();
        const after = world.transaction((tables) => {
          const was = auditFields(tables, before);
          const { recurrence: _, file: cover, ...rest } = before;
          const storedCover = file === undefined ? cover : (file ?? undefined);
          tables.scheduled_events.put({
            ...rest,
            ...fields,
            ...(storedCover === undefined ? {} : { file: storedCover }),
          });
          if (!isSameJson(fields.recurrence ?? null, before.recurrence ?? null)) {
            for (const { id } of [...tables.event_exceptions.by('event', before.id)])
              tables.event_exceptions.remove(id);
          }
          const event = tables.scheduled_events.get(before.id) as ScheduledEvent;
          const changed = become(platform, tables, event, { status: body.status, now: who.now });
          const action = AUDIT.GUILD_SCHEDULED_EVENT_UPDATE;
          note(platform, tables, who, { action, after: changed, reason, was });
          return changed;
        });
        return ok(eventAnswer(world.tables, after));
      });
    },
  }),
  defineOperation({
    id: 'delete_guild_scheduled_event',
    summary: 'Deletes an event.',
    route: `DELETE ${ONE}`,
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const before = eventIn(platform, caller, who.guild.id, params.guild_scheduled_event_id);
      needChange(platform, { caller, who }, before);
      platform.world.transaction((tables) => {
        const was = auditFields(tables, before);
        tables.scheduled_events.remove(before.id);
        note(platform, tables, who, { action: AUDIT.GUILD_SCHEDULED_EVENT_DELETE, before, reason, was });
      });
      return noContent();
    },
  }),
  defineOperation({
    id: 'get_event_cover',
    summary: 'The cover of an event, such as `/guild-events/1/0123….png`.',
    route: 'GET /guild-events/{event_id}/{filename}',
    at: 'site',
    who: [anybody],
    ours: 'The address has no signature, as on the platform: the hash alone protects it.',
    answers: { 200: null },
    handle: ({ params }, platform) => {
      const file = platform.world.tables.scheduled_events.get(params.event_id)?.file;
      const isNamed = file?.digest.slice(0, 32) === params.filename.replace(/\.\w{1,4}$/, '');
      return downloadOf(platform, isNamed ? file : undefined);
    },
  }),
];
