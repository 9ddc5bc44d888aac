import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** The provider of an identity that exists only through its profile. */
export const NONE = 'NONE';

/** A game's profile of one of its players, such as a rank, attached to one of the player's identities. */
export const identityProfiles = defineRecord({
  name: 'identity_profiles',
  noun: 'profile of an identity',
  about:
    'what a game tells of a player: `provider` and `external_user_id` of the identity that it belongs to (`NONE` where it makes one)',
  key: ['application', 'user', 'provider', 'external_user_id'],
  indexes: { application: {}, external_user_id: {} },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, snowflake, text, textOrEmpty, orNull, json }: SchemaParts) =>
    table({
      application: snowflake(),
      user: text(64),
      /** Provider as in `external_identities`; `NONE` where the profile itself is the identity. */
      provider: text(2048),
      /** The id of the user at the provider, or in the game. */
      external_user_id: text(1024),
      username: orNull(textOrEmpty(1024)),
      /** The game's fields, stored as the game sent them. */
      data: orNull(json()),
    }),
});

/** A game's profile of one of its players. */
export type IdentityProfile = RowOf<typeof identityProfiles>;
