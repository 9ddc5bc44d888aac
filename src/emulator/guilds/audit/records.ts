import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** What somebody did in a guild that others may want to know. */
export const auditLog = defineRecord({
  name: 'audit_log',
  noun: 'entry of an audit log',
  key: ['id'],
  note: true,
  indexes: { guild: { order: 'key' } },
  within: { kind: 'guilds', as: 'audit_log', field: 'guild' },
  references: { user: { to: 'users', gone: 'null' } },
  schema: ({ table, snowflake, text, textThat, words, orNull, list, count }: SchemaParts) => {
    const value = () => textThat(isJson, 262_144, 'must be JSON in a text');
    return table({
      id: snowflake(),
      /** Number of what was done, such as 192 for the status of a voice channel. */
      action_type: count(1000),
      /** Who did it. */
      user: orNull(text(64)),
      /** Id of what it was done to, which may be no more. */
      target: orNull(snowflake()),
      /** What was different, by the names of the platform, in JSON; null where it was, or became, nothing. */
      changes: list(table({ key: text(64), old_value: orNull(value()), new_value: orNull(value()) }), 100),
      /** More about it, as texts. */
      options: list(table({ key: text(64), value: words(2000) }), 16),
      reason: orNull(words(512)),
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
