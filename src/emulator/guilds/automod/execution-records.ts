import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** What a rule of automatic moderation did, until it is told: nobody asks for it later. */
export const automodExecutions = defineRecord({
  name: 'automod_executions',
  noun: 'action of a rule',
  key: ['id'],
  transient: true,
  references: { rule: { to: 'automod_rules', gone: 'remove' }, user: { to: 'users', gone: 'remove' } },
  schema: ({ table, anyText, orNull, whole }: SchemaParts) =>
    table({
      id: anyText(),
      guild: anyText(),
      rule: anyText(),
      /** Which of the actions of the rule. */
      action: whole(0, 4),
      user: anyText(),
      channel: orNull(anyText()),
      /** Of what was not blocked. */
      message: orNull(anyText()),
      /** Which told of it, for an alert. */
      alert: orNull(anyText()),
      content: anyText(),
      keyword: orNull(anyText()),
      matched: orNull(anyText()),
    }),
});
