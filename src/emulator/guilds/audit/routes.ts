import * as z from 'zod';
import { queryInteger, snowflake } from '../../api/fields.ts';
import { defineOperation, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { isBefore } from '../../kernel/snowflake.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import { automodRuleAnswer, automodRuleShape } from '../automod/answers.ts';
import { need, requestingMember } from '../guild-access.ts';
import { webhookAnswer } from '../webhooks/answers.ts';
import { webhookShape } from '../webhooks/shapes.ts';
import { entryAnswer, entryShape } from './answers.ts';
import { isUnexpired } from './audit.ts';
import type { AuditEntry } from './records.ts';

/** All users that the entries mention, except deleted users. */
function usersIn({ users }: Reading, entries: readonly AuditEntry[]): z.output<typeof userShape>[] {
  const ids = new Set(entries.flatMap(({ user, target }) => [user, target]));
  return [...ids].flatMap((id) => {
    const user = id === null ? undefined : users.get(id);
    return user === undefined ? [] : [userAnswer(user)];
  });
}

/** All AutoMod rules that the entries mention, except deleted rules. */
function rulesIn(
  { automod_rules: rules }: Reading,
  entries: readonly AuditEntry[],
): z.output<typeof automodRuleShape>[] {
  const ids = new Set(entries.map(({ target }) => target ?? ''));
  return [...ids].flatMap((id) => {
    const rule = rules.get(id);
    return rule === undefined ? [] : [automodRuleAnswer(rule)];
  });
}

/** All webhooks that the entries mention, except deleted ones. Their tokens are left out. */
function webhooksIn(tables: Reading, entries: readonly AuditEntry[]): z.output<typeof webhookShape>[] {
  const ids = new Set(entries.map(({ target }) => target ?? ''));
  return [...ids].flatMap((id) => {
    const webhook = tables.channel_webhooks.get(id);
    return webhook === undefined
      ? []
      : [webhookAnswer(tables, { ...webhook, token: null }, { base: '', application: '' })];
  });
}

/** Route of the audit log. */
export const auditOperations = [
  defineOperation({
    id: 'list_guild_audit_log_entries',
    summary: 'Audit log entries of the last 45 days, the newest first; after an id, the oldest first.',
    route: 'GET /guilds/{guild_id}/audit-logs',
    query: z.object({
      user_id: z.optional(snowflake()),
      target_id: z.optional(snowflake()),
      action_type: z.optional(queryInteger(0, 1000)),
      before: z.optional(snowflake()),
      after: z.optional(snowflake()),
      limit: z.optional(queryInteger(1, 100)),
    }),
    answers: {
      200: z.object({
        audit_log_entries: z.array(entryShape),
        users: z.array(userShape),
        application_commands: z.array(z.never()),
        auto_moderation_rules: z.array(automodRuleShape),
        guild_scheduled_events: z.array(z.never()),
        integrations: z.array(z.never()),
        threads: z.array(z.never()),
        webhooks: z.array(webhookShape),
      }),
    },
    handle: ({ caller, params, query }, platform) => {
      const { guild, now } = need(requestingMember(caller, params.guild_id, platform), 'VIEW_AUDIT_LOG');
      const { user_id, target_id, action_type, before, after, limit = 50 } = query;
      const { tables } = platform.world;
      const matching = [...tables.audit_log.by('guild', guild.id)].filter(
        (entry) =>
          isUnexpired(entry, now) &&
          (user_id === undefined || entry.user === user_id) &&
          (target_id === undefined || entry.target === target_id) &&
          // 0 is no filter.
          (action_type === undefined || action_type === 0 || entry.action_type === action_type) &&
          (before === undefined || isBefore(entry.id, before)) &&
          (after === undefined || isBefore(after, entry.id)),
      );
      const entries = after === undefined ? matching.slice(-limit).reverse() : matching.slice(0, limit);
      return ok({
        audit_log_entries: entries.map(entryAnswer),
        users: usersIn(tables, entries),
        application_commands: [],
        auto_moderation_rules: rulesIn(tables, entries),
        guild_scheduled_events: [],
        integrations: [],
        threads: [],
        webhooks: webhooksIn(tables, entries),
      });
    },
  }),
];
