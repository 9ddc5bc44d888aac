import * as z from 'zod';
import { invalidField, invalidForm } from '../../api/api-error.ts';
import { choice, clearable, integer, list, set, snowflake, text } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { hasText } from '../channels/records.ts';
import { need, type RequestingMember } from '../guild-access.ts';
import type { Patterns } from './patterns.ts';
import { ACTIONS, type AutomodRule, EVENTS, TRIGGERS } from './records.ts';

const { keyword, spam, keyword_preset, mention_spam, member_profile } = TRIGGERS;
/** Maximum duration of a timeout: four weeks, in seconds. */
const MAX_TIMEOUT_S = 2_419_200;

/** Maximum number of rules per guild, by trigger type. */
const MAX_RULES: Readonly<Record<number, number>> = { [keyword]: 6 };

/** Actions that a rule may have, by trigger type. */
const MAY: Readonly<Record<number, readonly number[]>> = {
  [ACTIONS.block_message]: [keyword, spam, keyword_preset, mention_spam],
  [ACTIONS.send_alert]: [keyword, spam, keyword_preset, mention_spam, member_profile],
  [ACTIONS.timeout]: [keyword, mention_spam],
  [ACTIONS.block_member_interaction]: [member_profile],
};

const fields = {
  actions: clearable(
    list(
      z.object({
        type: choice(1, 2, 3, 4),
        metadata: clearable(
          z.object({
            custom_message: clearable(text(0, 300)),
            channel_id: clearable(snowflake()),
            duration_seconds: clearable(integer(0, MAX_TIMEOUT_S)),
          }),
        ),
      }),
      1,
      5,
    ),
  ),
  enabled: clearable(z.boolean()),
  exempt_roles: clearable(set(snowflake(), 0, 20)),
  exempt_channels: clearable(set(snowflake(), 0, 50)),
  trigger_metadata: clearable(
    z.object({
      keyword_filter: clearable(list(text(1, 60), 0, 1000)),
      regex_patterns: clearable(list(text(1, 260), 0, 10)),
      allow_list: clearable(list(text(1, 60), 0, 1000)),
      presets: clearable(set(choice(1, 2, 3), 0, 3)),
      mention_total_limit: clearable(integer(0, 50)),
      mention_raid_protection_enabled: clearable(z.boolean()),
    }),
  ),
};

/** A rule to create. */
export const newRule = z.object({
  name: text(1, 100),
  event_type: choice(1, 2),
  trigger_type: choice(1, 3, 4, 5, 6),
  ...fields,
});
/** Changes to a rule: an absent field stays unchanged. */
export const changedRule = z.object({
  name: z.optional(text(1, 100)),
  event_type: z.optional(choice(1, 2)),
  trigger_type: z.optional(choice(1, 3, 4, 5, 6)),
  ...fields,
});

/** Fields of a rule without those that identify it. */
export type RuleFields = Omit<AutomodRule, 'id' | 'guild' | 'creator'>;

/** Default fields of a rule with a trigger type. */
export function emptyRule(trigger_type: number): RuleFields {
  const isProfile = trigger_type === member_profile;
  const type = isProfile ? ACTIONS.block_member_interaction : ACTIONS.block_message;
  return {
    name: '',
    event_type: isProfile ? EVENTS.member_update : EVENTS.message_send,
    trigger_type,
    keyword_filter: [],
    regex_patterns: [],
    allow_list: [],
    presets: [],
    mention_total_limit: 0,
    mention_raid_protection_enabled: false,
    actions: [{ type, channel: null, duration_seconds: null, custom_message: null }],
    enabled: false,
    exempt_roles: [],
    exempt_channels: [],
  };
}

/** Fields of a rule after the changes of a request. */
export function ruleAfter(before: RuleFields, changes: z.output<typeof changedRule>): RuleFields {
  const { name, event_type, actions, enabled, exempt_roles, exempt_channels, trigger_metadata } = changes;
  const or = <T>(value: T | null | undefined, otherwise: T, none: T): T =>
    value === undefined ? otherwise : (value ?? none);
  const empty = emptyRule(before.trigger_type);
  const trigger = trigger_metadata === null ? empty : { ...trigger_metadata };
  return {
    ...before,
    name: name ?? before.name,
    event_type: event_type ?? before.event_type,
    keyword_filter: or(trigger.keyword_filter, before.keyword_filter, []),
    regex_patterns: or(trigger.regex_patterns, before.regex_patterns, []),
    allow_list: or(trigger.allow_list, before.allow_list, []),
    presets: [...or(trigger.presets, before.presets, [])],
    mention_total_limit: or(trigger.mention_total_limit, before.mention_total_limit, 0),
    mention_raid_protection_enabled: or(
      trigger.mention_raid_protection_enabled,
      before.mention_raid_protection_enabled,
      false,
    ),
    actions:
      actions === undefined
        ? before.actions
        : (actions?.map(({ type, metadata }) => ({
            type,
            channel: (type === ACTIONS.send_alert ? metadata?.channel_id : null) ?? null,
            duration_seconds: metadata?.duration_seconds ?? null,
            custom_message: metadata?.custom_message ?? null,
          })) ?? empty.actions),
    enabled: or(enabled, before.enabled, false),
    exempt_roles: [...or(exempt_roles, before.exempt_roles, [])],
    exempt_channels: [...or(exempt_channels, before.exempt_channels, [])],
  };
}

/**
 * Checks a rule before it is stored. @throws ApiError 50035 for an invalid rule, 50013 for a rule that the caller may
 * not create.
 */
export function checkRule(
  tables: Reading,
  who: RequestingMember,
  rule: RuleFields,
  patterns: Patterns,
): void {
  const { trigger_type, event_type, actions } = rule;
  const event = trigger_type === member_profile ? EVENTS.member_update : EVENTS.message_send;
  const faults: FieldFault[] = [];
  if (event_type !== event) faults.push(choices(['event_type'], event));
  const maxLength = trigger_type === keyword_preset ? 1000 : 100;
  if (rule.allow_list.length > maxLength) {
    const message = `Must be between 0 and ${maxLength} in length.`;
    faults.push({ path: ['trigger_metadata', 'allow_list'], code: 'BASE_TYPE_BAD_LENGTH', message });
  }
  for (const [index, pattern] of rule.regex_patterns.entries()) {
    if (patterns.isPattern(pattern)) continue;
    const message = 'The pattern is no regular expression, uses unsupported syntax, or repeats too much.';
    faults.push({ path: ['trigger_metadata', 'regex_patterns', index], code: 'REGEX_INVALID', message });
  }
  for (const [index, action] of actions.entries()) faults.push(...faultsOf(tables, who, rule, action, index));
  for (const [name, table] of [
    ['exempt_roles', 'roles'] as const,
    ['exempt_channels', 'channels'] as const,
  ]) {
    for (const [index, id] of rule[name].entries()) {
      if (tables[table].get(id)?.guild === who.guild.id) continue;
      faults.push({ path: [name, index], code: 'BASE_TYPE_INVALID', message: `The guild has no such one.` });
    }
  }
  if (faults.length > 0) throw invalidForm(faults);
  if (actions.some(({ type }) => type === ACTIONS.timeout)) need(who, 'MODERATE_MEMBERS');
}

function faultsOf(
  tables: Reading,
  { guild }: RequestingMember,
  { trigger_type }: RuleFields,
  { type, channel, duration_seconds }: RuleFields['actions'][number],
  index: number,
): FieldFault[] {
  const required = { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  if (MAY[type]?.includes(trigger_type) !== true) {
    const allowed = Object.keys(MAY).filter((one) => MAY[Number(one)]?.includes(trigger_type));
    return [choices(['actions', index, 'type'], ...allowed.map(Number))];
  }
  if (type === ACTIONS.timeout && duration_seconds === null) {
    return [{ path: ['actions', index, 'metadata', 'duration_seconds'], ...required }];
  }
  if (type !== ACTIONS.send_alert) return [];
  const path = ['actions', index, 'metadata', 'channel_id'];
  if (channel === null) return [{ path, ...required }];
  const found = tables.channels.get(channel);
  if (found?.guild === guild.id && hasText(found)) return [];
  return [{ path, code: 'CHANNEL_INVALID', message: 'The channel cannot be used here.' }];
}

function choices(path: FieldFault['path'], ...values: readonly number[]): FieldFault {
  return { path, code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${values.join(', ')}}.` };
}

/**
 * Checks the number of rules of a guild. @throws ApiError 50035 where the guild has reached the limit for the trigger
 * type.
 */
export function checkRoom({ automod_rules: rules }: Reading, guildId: string, trigger_type: number): void {
  const maxRules = MAX_RULES[trigger_type] ?? 1;
  const own = [...rules.by('guild', guildId)].filter((rule) => rule.trigger_type === trigger_type);
  if (own.length < maxRules) return;
  const message = `Maximum number of rules of this type reached (${maxRules}).`;
  throw invalidField(['trigger_type'], 'AUTO_MODERATION_MAX_RULES_OF_TYPE_EXCEEDED', message);
}
