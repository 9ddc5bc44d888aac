import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** A user who is banned from a guild. */
export const guildBans = defineRecord({
  name: 'guild_bans',
  noun: 'ban',
  about: 'who may not come',
  key: ['guild', 'user'],
  indexes: { guild: { order: 'key' } },
  within: { kind: 'guilds', as: 'bans', field: 'guild' },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, text, textOrEmpty, orNull }: SchemaParts) =>
    table({ user: text(64), reason: orNull(textOrEmpty(512)) }),
});
