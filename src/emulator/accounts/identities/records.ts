import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** The provider of an identity that only its profile makes. */
export const NONE = 'NONE';

/** What a game tells of one of its players, such as a rank: stands with one of their identities in the game. */
export const identityProfiles = defineRecord({
  name: 'identity_profiles',
  noun: 'profile of an identity',
  key: ['application', 'user', 'provider', 'external_user_id'],
  indexes: { application: {}, external_user_id: {} },
  references: { user: { to: 'users', gone: 'remove' } },
  schema: ({ table, snowflake, text, words, orNull, json }: SchemaParts) =>
    table({
      application: snowflake(),
      user: text(64),
      /** As in `external_identities`, or `NONE`: then this profile is the identity. */
      provider: text(2048),
      /** What the provider, or the game itself, calls the user. */
      external_user_id: text(1024),
      username: orNull(words(1024)),
      /** The fields of the game, as it sent them. */
      data: orNull(json()),
    }),
});

/** What a game tells of one of its players. */
export type IdentityProfile = RowOf<typeof identityProfiles>;
