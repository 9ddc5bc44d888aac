import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A ban of a user from the whole platform, not from a guild. */
export const accountBans = defineRecord({
  name: 'account_bans',
  noun: 'account ban',
  about: 'who is banned from the platform: `until` is a time, for good unless written',
  key: ['user'],
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, text, orNull, moment }: SchemaParts) =>
    table({
      user: text(64),
      /** Time by the emulator's clock when the ban is lifted automatically; null for a ban without an end. */
      until: orNull(moment()),
    }),
});

/** A ban of a user from the platform. */
export type Ban = RowOf<typeof accountBans>;
