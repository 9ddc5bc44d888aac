import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import { issuerFault, LONGEST_ISSUER } from './issuer-name.ts';

/** Who vouches for external identities besides OpenID Connect issuers: stores, and the game itself through its bot. */
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

/** A provider in the words of the platform: its kind and, of a kind that has several, which one. */
export function providerTypeOf(provider: string): { readonly type: string; readonly id: string | null } {
  return isStore(provider) ? { type: provider, id: null } : { type: 'OIDC', id: provider };
}

/** The states of an identity in which another account than its own still matters. */
const WITH_ANOTHER = ['restricted', 'merging'];

/** Whom the platform knows as a user of a game or a store: an external identity, and the account that it stands for. */
export const externalIdentities = defineRecord({
  name: 'external_identities',
  noun: 'external identity',
  key: ['application', 'provider', 'external_user_id'],
  indexes: { application: {}, status: {}, external_user_id: {} },
  references: {
    user: { to: 'users', gone: 'remove' },
    source: { to: 'users', gone: 'null' },
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
        LONGEST_ISSUER,
        `must be one of ${STORES.join(', ')}, or an issuer such as https://id.example.com`,
      ),
      /** What the provider calls the user. */
      external_user_id: text(1024),
      /** The account that it stands for now. */
      user: text(64),
      /**
       * `provisional`: an account of the game alone. `restricted`: the same, after the account that it was linked with was
       * banned; it cannot be merged. `merging`: linked, while what the provisional account had is on its way. `linked`.
       */
      status: or(choice('provisional', 'restricted', 'merging', 'linked'), 'provisional'),
      /** The account it came from: the banned one, or the provisional one that goes when all is merged. */
      source: orNull(text(64)),
    }),
});

/** An external identity, and the account that it stands for. */
export type ExternalIdentity = RowOf<typeof externalIdentities>;

/** An OpenID Connect issuer whose tokens an application takes, with all that would be fetched from it. */
export const externalIssuers = defineRecord({
  name: 'external_issuers',
  noun: 'external issuer',
  key: ['application', 'issuer'],
  indexes: { application: {} },
  check: ({ issuer }) => {
    const reason = issuerFault(issuer);
    return reason === undefined ? undefined : { path: ['issuer'], reason };
  },
  schema: ({ table, snowflake, text, orNull, json }: SchemaParts) =>
    table({
      application: snowflake(),
      issuer: text(LONGEST_ISSUER),
      /** What the tokens must name as their audience; the application's id unless written. */
      client_id: orNull(text(255)),
      /** What its discovery document says, also when that is not true; a proper one unless written. */
      discovery: orNull(json()),
      /** Its key set (RFC 7517); without one it has none. */
      jwks: orNull(json()),
    }),
});

/** An OpenID Connect issuer whose tokens an application takes. */
export type ExternalIssuer = RowOf<typeof externalIssuers>;
