import { ApiError, invalidForm } from '../../api/api-error.ts';
import type { Reading } from '../../api/world.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { hasVoice, isStage } from '../channels/records.ts';
import { EVENT_TYPES, type ScheduledEvent } from './records.ts';
import { isRuleWhole } from './recurrence.ts';
import type { RuleRequest, UpdateRequest } from './requests.ts';

/** Fields of a scheduled event. Only an external event has a location, and it has no channel. */
type Fields = Pick<
  ScheduledEvent,
  'name' | 'description' | 'type' | 'channel' | 'location' | 'start' | 'end' | 'recurrence'
>;

const fault = (field: string, code: string, message: string): FieldFault => ({
  path: [field],
  code,
  message,
});
const required = (field: string) => fault(field, 'BASE_TYPE_REQUIRED', 'This field is required');

/**
 * Fields of a created or changed event. @throws ApiError 50035 for fields that contradict the event's type, and for
 * invalid times.
 */
export function eventFields(
  tables: Reading,
  guildId: string,
  request: Omit<UpdateRequest, 'status' | 'image' | 'privacy_level'>,
  { now, before }: { readonly now: number; readonly before?: ScheduledEvent },
): Fields {
  const type = request.entity_type ?? before?.type ?? EVENT_TYPES.external;
  const isExternal = type === EVENT_TYPES.external;
  const channel = isExternal
    ? (request.channel_id ?? null)
    : request.channel_id === undefined
      ? (before?.channel ?? null)
      : request.channel_id;
  const location = isExternal ? (request.entity_metadata?.location ?? before?.location ?? null) : null;
  const start = request.scheduled_start_time ?? Date.parse(before?.start ?? '');
  const endBefore = before?.end == null ? null : Date.parse(before.end);
  const end = request.scheduled_end_time === undefined ? endBefore : request.scheduled_end_time;
  const faults: FieldFault[] = [];
  if (isExternal) {
    if (channel !== null) faults.push(fault('channel_id', 'GUILD_SCHEDULED_EVENT_CHANNEL', 'Must be null.'));
    if (location === null) faults.push(required('entity_metadata'));
    if (end === null) faults.push(required('scheduled_end_time'));
  } else if (channel === null) faults.push(required('channel_id'));
  if (request.scheduled_start_time !== undefined && start <= now) {
    faults.push(
      fault(
        'scheduled_start_time',
        'GUILD_SCHEDULED_EVENT_SCHEDULE_PAST',
        'Cannot schedule event in the past.',
      ),
    );
  }
  if (end !== null && end <= start) {
    const message = 'Cannot schedule an event that ends before it starts.';
    faults.push(fault('scheduled_end_time', 'GUILD_SCHEDULED_EVENT_END_BEFORE_START', message));
  }
  const recurrence =
    request.recurrence_rule === undefined ? before?.recurrence : ruleOf(request.recurrence_rule, faults);
  if (faults.length > 0) throw invalidForm(faults);
  if (channel !== null) checkChannel(tables, guildId, channel, type);
  return {
    name: request.name ?? before?.name ?? '',
    description:
      request.description === undefined ? (before?.description ?? null) : request.description || null,
    type,
    channel,
    location,
    start: new Date(start).toISOString(),
    end: end === null ? null : new Date(end).toISOString(),
    ...(recurrence === undefined ? {} : { recurrence }),
  };
}

function checkChannel({ channels }: Reading, guildId: string, id: string, type: number): void {
  const channel = channels.get(id);
  if (channel?.guild !== guildId) throw new ApiError('UnknownChannel');
  if (!hasVoice(channel) || isStage(channel) !== (type === EVENT_TYPES.stage)) {
    const message = 'The type of the channel does not fit the event.';
    throw invalidForm([fault('channel_id', 'GUILD_SCHEDULED_EVENT_CHANNEL_TYPE', message)]);
  }
}

/** The recurrence rule of a request, checked against the limits of the platform; null removes the rule. */
function ruleOf(ruleRequest: RuleRequest | null, faults: FieldFault[]): ScheduledEvent['recurrence'] {
  if (ruleRequest === null) return undefined;
  const cannot = (['end', 'count', 'by_year_day'] as const).filter((key) => ruleRequest[key] != null);
  for (const key of cannot) {
    const where = ['recurrence_rule', key];
    faults.push({ path: where, code: 'RECURRENCE_RULE_INVALID', message: 'This cannot be set.' });
  }
  const rule = {
    start: new Date(ruleRequest.start).toISOString(),
    frequency: ruleRequest.frequency,
    interval: ruleRequest.interval ?? 1,
    by_weekday: ruleRequest.by_weekday ?? [],
    by_n_weekday: ruleRequest.by_n_weekday ?? [],
    by_month: ruleRequest.by_month ?? [],
    by_month_day: ruleRequest.by_month_day ?? [],
  };
  if (rule.interval > 2 || !isRuleWhole(rule)) {
    const message = 'The platform does not support this rule.';
    faults.push(fault('recurrence_rule', 'RECURRENCE_RULE_INVALID', message));
  }
  return rule;
}
