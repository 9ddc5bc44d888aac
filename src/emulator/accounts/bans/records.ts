import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A person who is banned from the platform, and not from one guild. */
export const accountBans = defineRecord({
  name: 'account_bans',
  noun: 'account ban',
  key: ['user'],
  references: { user: { to: 'users', gone: 'remove' } },
  schema: ({ table, text, orNull, moment }: SchemaParts) =>
    table({
      user: text(64),
      /** When it lifts by itself, by the emulator's clock; null is never. */
      until: orNull(moment()),
    }),
});

/** A person who is banned from the platform. */
export type Ban = RowOf<typeof accountBans>;
