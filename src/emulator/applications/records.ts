import { defineRecord, type Fit, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import { isTarget } from './webhooks/address.ts';

/** Accept only the applications listed. */
export const strict = defineRecord({
  name: 'strict',
  noun: 'strictness',
  singleton: true,
  schema: ({ flag }: SchemaParts) => flag(false),
});

/** How an application may be shown whom somebody else knows, in the words of the platform. */
export const EXTERNAL_AUTH_TYPES = [
  'OIDC',
  'EPIC_ONLINE_SERVICES_ACCESS_TOKEN',
  'EPIC_ONLINE_SERVICES_ID_TOKEN',
  'STEAM_SESSION_TICKET',
  'UNITY_SERVICES_ID_TOKEN',
  'DISCORD_BOT_ISSUED_ACCESS_TOKEN',
  'APPLE_ID_TOKEN',
  'PLAYSTATION_NETWORK_ID_TOKEN',
] as const;

/** How an application may be shown whom somebody else knows. */
export type ExternalAuthType = (typeof EXTERNAL_AUTH_TYPES)[number];

/** Nobody authorizes a game, so it can be no publisher: neither a chain nor a circle of them would ever have tokens. */
const ofAPublisher: Fit = {
  otherwise: 'that is a game itself, or for an application that has games',
  of: (game: { readonly id: string }, publisher: { readonly parent: string | null }, tables: object) => {
    const { applications } = tables as {
      readonly applications: { by(field: 'parent', key: string): { readonly size: number } };
    };
    return publisher.parent === null && applications.by('parent', game.id).size === 0;
  },
};

/** An application as written down. */
export const applications = defineRecord({
  name: 'applications',
  noun: 'application',
  key: ['id'],
  hidden: ['secret', 'bot_token'],
  references: {
    bot_user: { to: 'users', gone: 'null' },
    parent: {
      to: 'applications',
      gone: 'null',
      fits: ofAPublisher,
    },
  },
  check({ id, parent, bot_token }) {
    if (parent === id) return { path: ['parent'], reason: 'is the application itself' };
    const first = Buffer.from(id).toString('base64url');
    // Nobody could sign in with another: the platform reads out of it whose bot it is.
    if (bot_token === null || bot_token.startsWith(`${first}.`)) return undefined;
    return { path: ['bot_token'], reason: `must begin with "${first}.", which is the id of the application` };
  },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, words, matching, or, orNull, flag, list, choice, whole, textThat } =
      parts;
    return table({
      /** The OAuth 2.0 client id. */
      id: snowflake(),
      name: text(100),
      description: or(words(1000), ''),
      icon: orNull(text(64)),
      cover_image: orNull(text(64)),
      rpc_origins: list(text(255), 64),
      /** Approved for the partner-only scopes. */
      partner: flag(false),
      /** The client secret; without one any secret is accepted. */
      secret: orNull(text(255)),
      redirect_uris: list(text(2048), 64),
      /** Overrides the consent policy of the whole emulator. */
      consent: orNull(choice('ask', 'allow', 'deny')),
      /** What its bot signs in with; without one it is made from the id. */
      bot_token: orNull(
        matching(
          /^[\w-]{8,64}\.[\w-]{1,64}\.[\w-]{1,128}$/,
          'must be three parts with dots between: the id of the application in base64 without "=", and two that you choose',
        ),
      ),
      /** The account of its bot; without one it is made when the bot is first used. */
      bot_user: orNull(text(64)),
      /** May exchange codes without a secret. */
      public_client: flag(false),
      /** The publisher's application that it belongs to. */
      parent: orNull(snowflake()),
      /** The privileged intents that its bot may ask for. */
      intents: list(choice('message_content', 'guild_members', 'guild_presences'), 3),
      /** How many shards of a bot may start at once; with more than one, it has large sharding. */
      max_concurrency: or(whole(1, 1024), 1),
      /** The switch "Private Channel Obfuscation": before its day the gateway hides what its bot may not view. */
      private_channel_obfuscation: flag(false),
      /** How users without an account of the platform may come to it; in every way unless written. */
      external_auth: orNull(list(choice(...EXTERNAL_AUTH_TYPES), EXTERNAL_AUTH_TYPES.length)),
      /** Where it is told of interactions instead of at the gateway: on this machine, always. */
      interactions_endpoint_url: orNull(
        textThat(isTarget, 2048, 'must be an http: address of this machine, such as http://127.0.0.1:3000/'),
      ),
    });
  },
});

/** An application as written down. */
export type ApplicationRecord = RowOf<typeof applications>;

/** Who decides about an authorization request: a person, always yes, always no. */
export type ConsentPolicy = NonNullable<ApplicationRecord['consent']>;

/** What anybody may know about an application. */
export type Application = Omit<
  ApplicationRecord,
  | 'secret'
  | 'redirect_uris'
  | 'consent'
  | 'bot_token'
  | 'bot_user'
  | 'public_client'
  | 'parent'
  | 'intents'
  | 'external_auth'
  | 'max_concurrency'
  | 'interactions_endpoint_url'
  | 'private_channel_obfuscation'
>;

/** What an application may say of its users, for the conditions of a guild's roles. */
export const roleConnectionMetadata = defineRecord({
  name: 'role_connection_metadata',
  noun: 'role connection metadata',
  key: ['application', 'key'],
  indexes: { application: {} },
  schema: ({ table, snowflake, text, matching, whole, orNull, json }: SchemaParts) =>
    table({
      application: snowflake(),
      key: matching(/^[a-z0-9_]{1,50}$/, 'must be 1 to 50 of a-z, 0-9 and _'),
      /** 1 to 4 numbers, 5 and 6 moments, 7 and 8 true or false. */
      type: whole(1, 8),
      name: text(100),
      description: text(200),
      /** Both in other languages, by IETF language tag. */
      name_localizations: orNull(json()),
      description_localizations: orNull(json()),
    }),
});

/** What an application said of one user. */
export const roleConnections = defineRecord({
  name: 'role_connections',
  noun: 'role connection',
  key: ['application', 'user'],
  references: { user: { to: 'users', gone: 'remove', orMe: true } },
  schema: ({ table, snowflake, userOrMe, words, text, orNull, list, matching }: SchemaParts) =>
    table({
      application: snowflake(),
      user: userOrMe(),
      platform_name: orNull(words(50)),
      platform_username: orNull(words(100)),
      metadata: list(
        table({ key: matching(/^[a-z0-9_]{1,50}$/, 'must be 1 to 50 of a-z, 0-9 and _'), value: text(100) }),
        5,
      ),
    }),
});

/** An application of whom nothing but this is known. */
export function newApplication(id: string, name: string): ApplicationRecord {
  return {
    id,
    name,
    description: '',
    icon: null,
    cover_image: null,
    rpc_origins: [],
    partner: false,
    secret: null,
    redirect_uris: [],
    consent: null,
    bot_token: null,
    bot_user: null,
    public_client: false,
    parent: null,
    intents: [],
    max_concurrency: 1,
    private_channel_obfuscation: false,
    external_auth: null,
    interactions_endpoint_url: null,
  };
}
