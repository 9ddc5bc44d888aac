import * as z from 'zod';
import { ApiError, invalidField } from '../../api/api-error.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base, Reading } from '../../api/world.ts';
import { AUDIT, logged } from '../audit/audit.ts';
import { need, requestingMember } from '../guild-access.ts';
import { automodRuleAnswer, automodRuleShape } from './answers.ts';
import type { HasAutoMod } from './automod.ts';
import type { AutomodRule } from './records.ts';
import { changedRule, checkRoom, checkRule, emptyRule, newRule, ruleAfter } from './requests.ts';

const defineOperation = operationsFor<Base & HasAutoMod>();

const ours =
  "The platform's word lists and its definition of spam are not published: the words emu-profanity, emu-sexual-content, emu-slur and emu-spam are used instead. Patterns use the syntax of RE2, which is that of Rust without its operations on sets. The setting for raid detection is stored, and detects none.";

/** @throws ApiError 10066 for an unknown rule. */
function ruleIn({ automod_rules: rules }: Reading, guildId: string, id: string): AutomodRule {
  const rule = rules.get(id);
  if (rule?.guild !== guildId) throw new ApiError('UnknownAutoModerationRule');
  return rule;
}

function logView(id: string) {
  return ({ automod_rules: rules }: Reading) => {
    const rule = rules.get(id);
    return rule && automodRuleAnswer(rule);
  };
}

/** Routes of AutoMod rules. */
export const automodOperations = [
  defineOperation({
    id: 'list_auto_moderation_rules',
    summary: 'AutoMod rules of a guild.',
    route: 'GET /guilds/{guild_id}/auto-moderation/rules',
    answers: { 200: z.array(automodRuleShape) },
    handle: ({ caller, params }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      return ok([...platform.world.tables.automod_rules.by('guild', guild.id)].map(automodRuleAnswer));
    },
  }),
  defineOperation({
    id: 'get_auto_moderation_rule',
    summary: 'A rule.',
    route: 'GET /guilds/{guild_id}/auto-moderation/rules/{rule_id}',
    answers: { 200: automodRuleShape },
    handle: ({ caller, params }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      return ok(automodRuleAnswer(ruleIn(platform.world.tables, guild.id, params.rule_id)));
    },
  }),
  defineOperation({
    id: 'create_auto_moderation_rule',
    summary: 'Creates a rule, disabled unless enabled is true.',
    route: 'POST /guilds/{guild_id}/auto-moderation/rules',
    body: newRule,
    maxBodyBytes: 256 * 1024,
    ours: `Without actions a rule blocks. ${ours}`,
    answers: { 200: automodRuleShape },
    handle: async ({ caller, params, body, reason }, platform) => {
      const { world, automod } = platform;
      const goOn = world.continuation();
      await automod.patterns.load();
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const fields = ruleAfter(emptyRule(body.trigger_type), body);
      checkRule(world.tables, who, fields, automod.patterns);
      checkRoom(world.tables, who.guild.id, body.trigger_type);
      const id = world.ids.next(who.now, (taken) => world.tables.automod_rules.has(taken));
      const row = { ...fields, id, guild: who.guild.id, creator: who.member.user };
      const deed = { action: AUDIT.AUTO_MODERATION_RULE_CREATE, target: id, reason };
      const made = goOn(() =>
        logged(world, who, deed, logView(id), ({ automod_rules }) => automod_rules.insert(row)),
      );
      return ok(automodRuleAnswer(made));
    },
  }),
  defineOperation({
    id: 'update_auto_moderation_rule',
    summary: 'Changes a rule; an absent field stays unchanged.',
    route: 'PATCH /guilds/{guild_id}/auto-moderation/rules/{rule_id}',
    body: changedRule,
    maxBodyBytes: 256 * 1024,
    ours,
    answers: { 200: automodRuleShape },
    handle: async ({ caller, params, body, reason }, platform) => {
      const { world, automod } = platform;
      const goOn = world.continuation();
      await automod.patterns.load();
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const before = ruleIn(world.tables, who.guild.id, params.rule_id);
      if (body.trigger_type !== undefined && body.trigger_type !== before.trigger_type) {
        const message = `Value must be one of {${before.trigger_type}}.`;
        throw invalidField(['trigger_type'], 'BASE_TYPE_CHOICES', message);
      }
      const fields = ruleAfter(before, body);
      checkRule(world.tables, who, fields, automod.patterns);
      const { id } = before;
      const deed = { action: AUDIT.AUTO_MODERATION_RULE_UPDATE, target: id, reason };
      const after = goOn(() =>
        logged(world, who, deed, logView(id), ({ automod_rules }) => automod_rules.update(id, fields)),
      );
      return ok(automodRuleAnswer(after));
    },
  }),
  defineOperation({
    id: 'delete_auto_moderation_rule',
    summary: 'Deletes a rule.',
    route: 'DELETE /guilds/{guild_id}/auto-moderation/rules/{rule_id}',
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const { world } = platform;
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { id } = ruleIn(world.tables, who.guild.id, params.rule_id);
      const deed = { action: AUDIT.AUTO_MODERATION_RULE_DELETE, target: id, reason };
      logged(world, who, deed, logView(id), ({ automod_rules }) => automod_rules.remove(id));
      return noContent();
    },
  }),
];
