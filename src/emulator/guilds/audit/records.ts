import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** An action in a guild, for the guild's audit log. */
export const auditLog = defineRecord({
  name: 'audit_log',
  noun: 'entry of an audit log',
  about: 'what was done in the guild',
  key: ['id'],
  note: true,
  indexes: { guild: { order: 'key' } },
  within: { kind: 'guilds', as: 'audit_log', field: 'guild' },
  references: { user: { to: 'users', onRemoval: 'null' } },
  schema: ({ table, snowflake, text, textThat, textOrEmpty, orNull, list, count }: SchemaParts) => {
    const value = () => textThat(isJson, 262_144, 'must be JSON in a text');
    return table({
      id: snowflake(),
      /** Action type, such as 192 for the status of a voice channel. */
      action_type: count(1000),
      /** Id of the author. */
      user: orNull(text(64)),
      /** Id of the object of the action, which may have been deleted. */
      target: orNull(snowflake()),
      /** Changed fields, by the platform's names, with values in JSON; null stands for a missing value. */
      changes: list(table({ key: text(64), old_value: orNull(value()), new_value: orNull(value()) }), 100),
      /** Additional text values. */
      options: list(table({ key: text(64), value: textOrEmpty(2000) }), 16),
      reason: orNull(textOrEmpty(512)),
    });
  },
});

/** An entry of an audit log. */
export type AuditEntry = RowOf<typeof auditLog>;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
