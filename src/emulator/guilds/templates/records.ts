import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Longest picture of a guild, in characters of JSON. */
const LONGEST = 2 * 1024 * 1024;

/** What other guilds can be made after. */
export const guildTemplates = defineRecord({
  name: 'guild_templates',
  noun: 'template of a guild',
  key: ['code'],
  within: { kind: 'guilds', as: 'templates', field: 'guild' },
  references: { creator: { to: 'users', gone: 'null' } },
  schema: ({ table, text, words, matching, or, orNull, count, moment, json }: SchemaParts) =>
    table({
      code: matching(/^[A-Za-z0-9]{2,64}$/, 'must be 2 to 64 letters and digits'),
      name: text(100),
      description: orNull(words(120)),
      /** How many guilds were made after it. */
      usage_count: or(count(2 ** 31 - 1), 0),
      /** Id of the user who made it. */
      creator: orNull(text(64)),
      created_at: moment(),
      updated_at: moment(),
      /** The guild as it was then; null is the guild as it is. */
      snapshot: orNull(json(LONGEST)),
    }),
});

/** What other guilds can be made after. */
export type GuildTemplate = RowOf<typeof guildTemplates>;
