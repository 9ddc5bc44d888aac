import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';

/** Id of the logged-in account. */
export const me = defineRecord({
  name: 'me',
  noun: 'logged-in user',
  about: 'the account in use',
  singleton: true,
  references: { '': { to: 'users', onRemoval: 'refuse' } },
  schema: ({ text }: SchemaParts) => text(64),
});

/** A user account. The field names are those of the platform's API. */
export const users = defineRecord({
  name: 'users',
  noun: 'user',
  about: 'accounts',
  key: ['id'],
  nameField: 'username',
  // Index for pages of accounts, which are ordered by id.
  indexes: { bot: { order: 'key' } },
  minCount: 1,
  schema: ({ table, snowflake, text, matching, or, orNull, flag, yesOrNo, count }: SchemaParts) =>
    table({
      id: snowflake(),
      username: text(32),
      /** `"0"` for accounts without a four-digit tag. */
      discriminator: or(matching(/^(0|[0-9]{4})$/, 'must be "0" or four digits'), '0'),
      global_name: orNull(text(32)),
      /** Hash of the avatar, as in an address of the CDN. */
      avatar: orNull(text(64)),
      bot: flag(false),
      flags: or(count(2 ** 53 - 1), 0),
      /** 0 none, 1 classic, 2 full, 3 basic. Responses without the scope `identify.premium` hide it. */
      premium_type: or(count(3), 0),
      /** E-mail address, visible only to a token with the scope `email`. */
      email: orNull(text(254)),
      /** IETF language tag such as `en-US`. */
      locale: or(text(16), 'en-US'),
      /**
       * The guild whose tag is displayed beside the user's name. `identity_enabled` is null when the tag was withdrawn.
       */
      primary_guild: orNull(
        table({
          identity_guild_id: orNull(snowflake()),
          identity_enabled: orNull(yesOrNo()),
          tag: orNull(text(4)),
          /** Hash of its picture. */
          badge: orNull(text(64)),
        }),
      ),
    }),
});

/** A user account. */
export type User = RowOf<typeof users>;

/** Services whose accounts a user may connect. */
const PROVIDERS = [
  'battlenet',
  'bluesky',
  'bungie',
  'domain',
  'ebay',
  'epicgames',
  'facebook',
  'github',
  'instagram',
  'leagueoflegends',
  'mastodon',
  'paypal',
  'playstation',
  'reddit',
  'riotgames',
  'roblox',
  'skype',
  'spotify',
  'steam',
  'tiktok',
  'twitch',
  'twitter',
  'xbox',
  'youtube',
] as const;

/** An external account that a user has connected. */
export const connections = defineRecord({
  name: 'connections',
  noun: 'connection',
  about: 'accounts of a user elsewhere',
  key: ['user', 'type', 'id'],
  references: { user: { to: 'users', onRemoval: 'remove', defaultsToMe: true } },
  schema: ({ table, userOrMe, text, or, flag, choice, count }: SchemaParts) =>
    table({
      user: userOrMe(),
      /** Id at the provider. */
      id: text(100),
      type: choice(...PROVIDERS),
      name: text(100),
      verified: flag(true),
      friend_sync: flag(false),
      show_activity: flag(false),
      two_way_link: flag(false),
      /** 0 private, 1 public. */
      visibility: or(count(1), 1),
    }),
});

/** An external account that a user has connected. */
export type Connection = RowOf<typeof connections>;

/** Bit in `flags` of a provisional account, which only one game knows. */
export const PROVISIONAL_FLAG = 1 << 23;

/** Whether an account is provisional. */
export function hasProvisionalFlag(user: { readonly flags: number } | undefined): boolean {
  return user !== undefined && (user.flags & PROVISIONAL_FLAG) !== 0;
}

/** A user with default values for every field but the id and the name. */
export function newUser(id: string, username: string, more: Partial<User> = {}): User {
  return {
    id,
    username,
    discriminator: '0',
    global_name: null,
    avatar: null,
    bot: false,
    flags: 0,
    premium_type: 0,
    email: null,
    locale: 'en-US',
    primary_guild: null,
    ...more,
  };
}
