import { defineRecord, type RowOf, type SchemaParts } from '../state/record.ts';

/** A guild; its channels and members are records of their own. */
export const guilds = defineRecord({
  name: 'guilds',
  noun: 'guild',
  key: ['id'],
  references: { owner: { to: 'users', gone: 'refuse' } },
  schema: ({ table, snowflake, text, orNull }: SchemaParts) =>
    table({
      id: snowflake(),
      name: text(100),
      icon_url: orNull(text(2048)),
      vanity_url_code: orNull(text(64)),
      /** Id of the user who owns it. */
      owner: orNull(text(64)),
    }),
});

/** What a guild says of one of its members. Everybody is a member; only those with a nickname are listed. */
export const members = defineRecord({
  name: 'members',
  noun: 'member',
  key: ['guild', 'user'],
  within: { kind: 'guilds', as: 'members', field: 'guild' },
  references: { user: { to: 'users', gone: 'remove' } },
  schema: ({ table, text, orNull }: SchemaParts) => table({ user: text(64), nick: orNull(text(32)) }),
});

/** A guild. */
export type Guild = RowOf<typeof guilds>;
/** A member that a guild says something of. */
export type Member = RowOf<typeof members>;
