import { defineRecord, type RelationCheck, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import { isTarget } from './webhooks/address.ts';

/** True if only applications that the fixture lists are accepted, and in strict mode: see `Violations`. */
export const strict = defineRecord({
  name: 'strict',
  noun: 'strictness',
  about: 'accept only the applications listed, and fail runs in which a bot breaks a rule (strict mode)',
  singleton: true,
  schema: ({ flag }: SchemaParts) => flag(false),
});

/** Types of external authentication, with the platform's names. */
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

/** A type of external authentication. */
export type ExternalAuthType = (typeof EXTERNAL_AUTH_TYPES)[number];

/**
 * A game cannot be a publisher: users do not authorize games, so no game in a chain or circle of publishers would ever
 * have tokens.
 */
const ofAPublisher: RelationCheck = {
  errorText: 'that is a game itself, or for an application that has games',
  of: (game: { readonly id: string }, publisher: { readonly parent: string | null }, tables: object) => {
    const { applications } = tables as {
      readonly applications: { by(field: 'parent', key: string): { readonly size: number } };
    };
    return publisher.parent === null && applications.by('parent', game.id).size === 0;
  },
};

/** An application and its settings, as configured in the fixture. */
export const applications = defineRecord({
  name: 'applications',
  noun: 'application',
  about:
    'applications. `intents` are the privileged ones (message_content, guild_members, guild_presences); `max_concurrency` above 1 is large sharding; `private_channel_obfuscation` hides channels out of view before 2026-11-16, too; `external_auth` lists the kinds of external identities it takes, all unless written; `interactions_endpoint_url` gets interactions instead of the gateway; `parent` is its publisher',
  key: ['id'],
  hidden: ['secret', 'bot_token'],
  references: {
    bot_user: { to: 'users', onRemoval: 'null' },
    parent: {
      to: 'applications',
      onRemoval: 'null',
      relationCheck: ofAPublisher,
    },
  },
  check({ id, parent, bot_token }) {
    if (parent === id) return { path: ['parent'], reason: 'is the application itself' };
    const first = Buffer.from(id).toString('base64url');
    // A token with any other first part could not sign in, because the platform reads the application's id from that
    // part.
    if (bot_token === null || bot_token.startsWith(`${first}.`)) return undefined;
    return { path: ['bot_token'], reason: `must begin with "${first}.", which is the id of the application` };
  },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, textOrEmpty, matching, or, orNull, flag, list, choice, whole, textThat } =
      parts;
    return table({
      /** The OAuth 2.0 client id. */
      id: snowflake(),
      name: text(100),
      description: or(textOrEmpty(1000), ''),
      icon: orNull(text(64)),
      cover_image: orNull(text(64)),
      rpc_origins: list(text(255), 64),
      /** True if the application may use the partner-only scopes. */
      partner: flag(false),
      /** The client secret. An application without a configured secret accepts any secret. */
      secret: orNull(text(255)),
      redirect_uris: list(text(2048), 64),
      /**
       * Consent policy of the application, which takes precedence over the emulator's; null for the emulator's policy.
       */
      consent: orNull(choice('ask', 'allow', 'deny')),
      /** The bot's token; by default it is derived from the id. */
      bot_token: orNull(
        matching(
          /^[\w-]{8,64}\.[\w-]{1,64}\.[\w-]{1,128}$/,
          'must be three parts with dots between: the id of the application in base64 without "=", and two that you choose',
        ),
      ),
      /** Id of the bot's account; by default the account is created when the bot is first used. */
      bot_user: orNull(text(64)),
      /** True if the application may exchange codes without a secret. */
      public_client: flag(false),
      /** Id of the publisher's application that this game belongs to; null for none. */
      parent: orNull(snowflake()),
      /** The privileged intents that the application's bot may use. */
      intents: list(choice('message_content', 'guild_members', 'guild_presences'), 3),
      /** Number of shards of the bot that may start at once. More than one implies the rules for large sharding. */
      max_concurrency: or(whole(1, 1024), 1),
      /**
       * The setting "Private Channel Obfuscation": with it, the gateway hides channels that the bot may not view
       * already before the change's official date.
       */
      private_channel_obfuscation: flag(false),
      /** External authentication types that the application accepts; default: all types. */
      external_auth: orNull(list(choice(...EXTERNAL_AUTH_TYPES), EXTERNAL_AUTH_TYPES.length)),
      /** URL that receives interactions instead of the gateway. It is always on this machine. */
      interactions_endpoint_url: orNull(
        textThat(isTarget, 2048, 'must be an http: address of this machine, such as http://127.0.0.1:3000/'),
      ),
    });
  },
});

/** A row of {@link applications}: an application as configured. */
export type ApplicationRecord = RowOf<typeof applications>;

/** Policy for authorization requests: `ask` prompts the user, `allow` allows all, `deny` denies all. */
export type ConsentPolicy = NonNullable<ApplicationRecord['consent']>;

/** The public part of an application. */
export type Application = Pick<
  ApplicationRecord,
  'id' | 'name' | 'description' | 'icon' | 'cover_image' | 'rpc_origins' | 'partner'
>;

/** A field of role connections that an application defines. A guild's roles can have conditions on it. */
export const roleConnectionMetadata = defineRecord({
  name: 'role_connection_metadata',
  noun: 'role connection metadata',
  about: 'what an application may say of its users',
  key: ['application', 'key'],
  indexes: { application: {} },
  schema: ({ table, snowflake, text, matching, whole, orNull, json }: SchemaParts) =>
    table({
      application: snowflake(),
      key: matching(/^[a-z0-9_]{1,50}$/, 'must be 1 to 50 of a-z, 0-9 and _'),
      /** Type of the field's condition: 1 to 4 for numbers, 5 and 6 for dates, 7 and 8 for booleans. */
      type: whole(1, 8),
      name: text(100),
      description: text(200),
      /** Translations of name and description, by IETF language tag. */
      name_localizations: orNull(json()),
      description_localizations: orNull(json()),
    }),
});

/** An application's role connection of one user. */
export const roleConnections = defineRecord({
  name: 'role_connections',
  noun: 'role connection',
  about: 'what an application said of a user',
  key: ['application', 'user'],
  references: { user: { to: 'users', onRemoval: 'remove', defaultsToMe: true } },
  schema: ({ table, snowflake, userOrMe, textOrEmpty, text, orNull, list, matching }: SchemaParts) =>
    table({
      application: snowflake(),
      user: userOrMe(),
      platform_name: orNull(textOrEmpty(50)),
      platform_username: orNull(textOrEmpty(100)),
      metadata: list(
        table({ key: matching(/^[a-z0-9_]{1,50}$/, 'must be 1 to 50 of a-z, 0-9 and _'), value: text(100) }),
        5,
      ),
    }),
});

/** An application with default values for every field but the id and the name. */
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
