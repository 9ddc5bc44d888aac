import * as z from 'zod';
import { type Dispatched, defineDispatch, defineRowDispatches, INTENTS } from '../../api/dispatch.ts';
import type { Base, Committed } from '../../api/world.ts';
import { botsWith, stays } from '../dispatch-audience.ts';
import { actionAnswer, actionShape, automodRuleAnswer, automodRuleShape } from './answers.ts';
import type { AutomodRule } from './records.ts';

function ofRule(commit: Committed, platform: Base, rule: AutomodRule): Dispatched[] {
  const { guild } = rule;
  if (!stays(commit, platform.world.tables, guild)) return [];
  return [{ guild, canSee: botsWith(platform, guild, 'MANAGE_GUILD'), data: () => automodRuleAnswer(rule) }];
}

/** Gateway events of automatic moderation, for bots that manage the guild. */
export const automodDispatches = [
  ...defineRowDispatches({
    table: 'automod_rules',
    intents: ['AUTO_MODERATION_CONFIGURATION'],
    shape: automodRuleShape,
    events: {
      created: ['AUTO_MODERATION_RULE_CREATE', 'A rule is made.'],
      removed: ['AUTO_MODERATION_RULE_DELETE', 'A rule is gone.'],
      updated: ['AUTO_MODERATION_RULE_UPDATE', 'A rule is changed.'],
    },
    derive: ofRule,
  }),
  defineDispatch({
    event: 'AUTO_MODERATION_ACTION_EXECUTION',
    summary: 'A rule was executed for a message or a member name; with its content only for MESSAGE_CONTENT.',
    intents: ['AUTO_MODERATION_EXECUTION'],
    tables: ['automod_executions'],
    shape: z.object({
      guild_id: z.string(),
      action: actionShape,
      rule_id: z.string(),
      rule_trigger_type: z.int(),
      user_id: z.string(),
      channel_id: z.optional(z.string()),
      message_id: z.optional(z.string()),
      alert_system_message_id: z.optional(z.string()),
      content: z.string(),
      matched_keyword: z.nullable(z.string()),
      matched_content: z.nullable(z.string()),
    }),
    *derive(commit, platform) {
      for (const done of commit.of('automod_executions').created) {
        const rule = platform.world.tables.automod_rules.get(done.rule);
        const action = rule?.actions[done.action];
        if (rule === undefined || action === undefined) continue;
        const { guild, channel, message, alert, content, keyword, matched } = done;
        yield {
          guild,
          canSee: botsWith(platform, guild, 'MANAGE_GUILD'),
          sameFor: ({ intents }) => (intents & INTENTS.MESSAGE_CONTENT ? 'content' : ''),
          data: ({ intents }) => ({
            guild_id: guild,
            action: actionAnswer(action),
            rule_id: rule.id,
            rule_trigger_type: rule.trigger_type,
            user_id: done.user,
            ...(channel === null ? {} : { channel_id: channel }),
            ...(message === null ? {} : { message_id: message }),
            ...(alert === null ? {} : { alert_system_message_id: alert }),
            content: intents & INTENTS.MESSAGE_CONTENT ? content : '',
            matched_keyword: keyword,
            matched_content: intents & INTENTS.MESSAGE_CONTENT ? matched : matched === null ? null : '',
          }),
        };
      }
    },
  }),
];
