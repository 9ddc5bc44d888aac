import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import type { AutomodRule } from './records.ts';
import { ACTIONS, TRIGGERS } from './records.ts';

/** Action of a rule. */
export const actionShape = z.object({
  type: z.int(),
  metadata: z.object({
    custom_message: z.optional(z.string()),
    channel_id: z.optional(z.string()),
    duration_seconds: z.optional(z.int()),
  }),
});

const common = {
  id: z.string(),
  guild_id: z.string(),
  creator_id: z.string(),
  name: z.string(),
  event_type: z.int(),
  actions: z.array(actionShape),
  trigger_type: z.int(),
  enabled: z.boolean(),
  exempt_roles: z.array(z.string()),
  exempt_channels: z.array(z.string()),
};

/** A rule, as members who manage the guild see it. The trigger metadata depends on the trigger type. */
export const automodRuleShape = namedShape('AutoModerationRule', {
  ...common,
  trigger_metadata: z.object({
    keyword_filter: z.optional(z.array(z.string())),
    regex_patterns: z.optional(z.array(z.string())),
    presets: z.optional(z.array(z.int())),
    allow_list: z.optional(z.array(z.string())),
    mention_total_limit: z.optional(z.int()),
    mention_raid_protection_enabled: z.optional(z.boolean()),
  }),
});

type RuleAnswer = z.output<typeof automodRuleShape>;

/** Id that stands for the creator of a rule after that user was deleted: the platform's account for deleted users. */
const NOBODY = '456226577798135808';

/** A rule, as members who manage the guild see it. */
export function automodRuleAnswer(rule: AutomodRule): RuleAnswer {
  return {
    id: rule.id,
    guild_id: rule.guild,
    creator_id: rule.creator ?? NOBODY,
    name: rule.name,
    event_type: rule.event_type,
    actions: rule.actions.map(actionAnswer),
    trigger_type: rule.trigger_type,
    trigger_metadata: triggerAnswer(rule),
    enabled: rule.enabled,
    exempt_roles: [...rule.exempt_roles],
    exempt_channels: [...rule.exempt_channels],
  };
}

function triggerAnswer(rule: AutomodRule): RuleAnswer['trigger_metadata'] {
  const { mention_total_limit, mention_raid_protection_enabled } = rule;
  const allow_list = [...rule.allow_list];
  switch (rule.trigger_type) {
    case TRIGGERS.spam:
      return {};
    case TRIGGERS.keyword_preset:
      return { presets: [...rule.presets], allow_list };
    case TRIGGERS.mention_spam:
      return { mention_total_limit, mention_raid_protection_enabled };
    default:
      return {
        keyword_filter: [...rule.keyword_filter],
        regex_patterns: [...rule.regex_patterns],
        allow_list,
      };
  }
}

/** Action of a rule. */
export function actionAnswer(action: AutomodRule['actions'][number]): RuleAnswer['actions'][number] {
  const { type, channel, duration_seconds, custom_message } = action;
  switch (type) {
    case ACTIONS.send_alert:
      return { type, metadata: { channel_id: channel ?? '' } };
    case ACTIONS.timeout:
      return { type, metadata: { duration_seconds: duration_seconds ?? 0 } };
    default:
      return { type, metadata: custom_message === null ? {} : { custom_message } };
  }
}
