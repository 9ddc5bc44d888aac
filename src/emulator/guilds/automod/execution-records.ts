import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** An executed action. It is stored only until its event is emitted. */
export const automodExecutions = defineRecord({
  name: 'automod_executions',
  noun: 'action of a rule',
  key: ['id'],
  transient: true,
  references: {
    rule: { to: 'automod_rules', onRemoval: 'remove' },
    user: { to: 'users', onRemoval: 'remove' },
  },
  schema: ({ table, anyText, orNull, whole }: SchemaParts) =>
    table({
      id: anyText(),
      guild: anyText(),
      rule: anyText(),
      /** Index of the action in the rule's list. */
      action: whole(0, 4),
      user: anyText(),
      channel: orNull(anyText()),
      /** Id of the message; null if the message was blocked. */
      message: orNull(anyText()),
      /** Id of the alert message; null for an action without an alert. */
      alert: orNull(anyText()),
      content: anyText(),
      keyword: orNull(anyText()),
      matched: orNull(anyText()),
    }),
});
