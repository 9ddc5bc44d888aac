import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Maximum size of the snapshot of a guild, in characters of JSON. */
const MAX_SNAPSHOT_LENGTH = 2 * 1024 * 1024;

/** A template of a guild, from which other guilds can be created. */
export const guildTemplates = defineRecord({
  name: 'guild_templates',
  noun: 'template of a guild',
  about: 'what other guilds can be made after',
  key: ['code'],
  within: { kind: 'guilds', as: 'templates', field: 'guild' },
  references: { creator: { to: 'users', onRemoval: 'null' } },
  schema: ({ table, text, textOrEmpty, matching, or, orNull, count, moment, json }: SchemaParts) =>
    table({
      code: matching(/^[A-Za-z0-9]{2,64}$/, 'must be 2 to 64 letters and digits'),
      name: text(100),
      description: orNull(textOrEmpty(120)),
      /** Number of guilds that have been created from the template. */
      usage_count: or(count(2 ** 31 - 1), 0),
      /** Id of the creator. */
      creator: orNull(text(64)),
      created_at: moment(),
      updated_at: moment(),
      /** Snapshot of the guild; null stands for the guild's current state. */
      snapshot: orNull(json(MAX_SNAPSHOT_LENGTH)),
    }),
});

/** A template of a guild. */
export type GuildTemplate = RowOf<typeof guildTemplates>;
