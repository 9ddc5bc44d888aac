import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import { issuerFault, MAX_ISSUER_LENGTH } from './issuer-name.ts';

/** Providers of external identities besides OpenID Connect issuers: stores, and the game's own bot. */
const STORES = [
  'STEAM',
  'EPIC_ONLINE_SERVICES',
  'UNITY',
  'APPLE',
  'PLAYSTATION_NETWORK',
  'DISCORD_BOT',
] as const;

function isProvider(name: string): boolean {
  return isStore(name) || issuerFault(name) === undefined;
}

function isStore(name: string): boolean {
  return STORES.some((store) => store === name);
}

/** Type and id of a provider. Types that have only one provider have no id. */
export function providerTypeOf(provider: string): { readonly type: string; readonly id: string | null } {
  return isStore(provider) ? { type: provider, id: null } : { type: 'OIDC', id: provider };
}

/** States in which `source` refers to another account. */
const WITH_ANOTHER = ['restricted', 'merging'];

/** An external identity: a user of a game or a store, and the user's account on the platform. */
export const externalIdentities = defineRecord({
  name: 'external_identities',
  noun: 'external identity',
  about:
    'which account an identity of a game or store stands for: `status` is provisional, restricted, merging or linked',
  key: ['application', 'provider', 'external_user_id'],
  indexes: { application: {}, status: {}, external_user_id: {} },
  references: {
    user: { to: 'users', onRemoval: 'remove' },
    source: { to: 'users', onRemoval: 'null' },
  },
  check: ({ status, source }) =>
    source === null || WITH_ANOTHER.includes(status)
      ? undefined
      : { path: ['source'], reason: `is only for those that are ${WITH_ANOTHER.join(' or ')}` },
  schema: ({ table, snowflake, text, textThat, or, orNull, choice }: SchemaParts) =>
    table({
      application: snowflake(),
      /** The address of an OpenID Connect issuer, or one of the {@link STORES}. */
      provider: textThat(
        isProvider,
        MAX_ISSUER_LENGTH,
        `must be one of ${STORES.join(', ')}, or an issuer such as https://id.example.com`,
      ),
      /** The user's id at the provider. */
      external_user_id: text(1024),
      /** The current account of the identity. */
      user: text(64),
      /**
       * State of the account. `provisional`: an account of the game alone. `restricted`: a provisional account whose
       * previously linked account was banned, so it cannot be merged. `merging`: linked, while the data of the
       * provisional account is being moved. `linked`: an account of the platform.
       */
      status: or(choice('provisional', 'restricted', 'merging', 'linked'), 'provisional'),
      /**
       * The identity's previous account: for `restricted` the banned account; for `merging` the provisional account,
       * which is removed after the merge.
       */
      source: orNull(text(64)),
    }),
});

/** A row of {@link externalIdentities}: an external identity and its account. */
export type ExternalIdentity = RowOf<typeof externalIdentities>;

/**
 * An OpenID Connect issuer whose tokens an application accepts. The documents that a platform would fetch from the
 * issuer are part of the row.
 */
export const externalIssuers = defineRecord({
  name: 'external_issuers',
  noun: 'external issuer',
  about:
    'OpenID Connect issuers whose tokens an application takes: `client_id` is the audience; `discovery` and `jwks` are written inline',
  key: ['application', 'issuer'],
  indexes: { application: {} },
  check: ({ issuer }) => {
    const reason = issuerFault(issuer);
    return reason === undefined ? undefined : { path: ['issuer'], reason };
  },
  schema: ({ table, snowflake, text, orNull, json }: SchemaParts) =>
    table({
      application: snowflake(),
      issuer: text(MAX_ISSUER_LENGTH),
      /** The audience that the issuer's tokens must have; default: the application's id. */
      client_id: orNull(text(255)),
      /** The issuer's discovery document, valid or not; default: a valid document. */
      discovery: orNull(json()),
      /** The issuer's key set (RFC 7517); default: no key set. */
      jwks: orNull(json()),
    }),
});

/** An OpenID Connect issuer whose tokens an application accepts. */
export type ExternalIssuer = RowOf<typeof externalIssuers>;
