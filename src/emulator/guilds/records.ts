import { defineRecord, type RowOf, type SchemaParts } from '../state/record.ts';
import { everyoneRole } from './role-records.ts';

/** A guild; its channels, roles and members are records of their own. */
export const guilds = defineRecord({
  name: 'guilds',
  noun: 'guild',
  key: ['id'],
  indexes: { membership: { order: 'key' } },
  references: {
    owner: { to: 'users', gone: 'refuse' },
    afk_channel: { to: 'channels', gone: 'null' },
    system_channel: { to: 'channels', gone: 'null' },
    rules_channel: { to: 'channels', gone: 'null' },
    public_updates_channel: { to: 'channels', gone: 'null' },
    safety_alerts_channel: { to: 'channels', gone: 'null' },
  },
  brings: { kind: 'roles', row: everyoneRole },
  schema: ({ table, snowflake, text, words, orNull, or, list, matching, choice, count, flag }: SchemaParts) =>
    table({
      id: snowflake(),
      name: text(100),
      icon_url: orNull(text(2048)),
      /** Picture hashes, as in a CDN address. */
      icon: orNull(text(64)),
      banner: orNull(text(64)),
      splash: orNull(text(64)),
      discovery_splash: orNull(text(64)),
      description: orNull(words(300)),
      vanity_url_code: orNull(text(64)),
      /** Id of the user who owns it. */
      owner: orNull(text(64)),
      /** `everybody`: all persons of the state, but those who are listed as departed. `listed`: the listed members alone. */
      membership: or(choice('everybody', 'listed'), 'everybody'),
      /** What it has that not every guild has, such as `ENHANCED_ROLE_COLORS`. */
      features: list(matching(/^[A-Z0-9_]{1,64}$/, 'must be of A-Z, 0-9 and _'), 100),
      /** 0 none … 4 very high. */
      verification_level: or(count(4), 0),
      /** 0 all messages, 1 only mentions. */
      default_message_notifications: or(count(1), 0),
      /** 0 disabled, 1 members without roles, 2 all members. */
      explicit_content_filter: or(count(2), 0),
      /** 1: whoever moderates needs a second factor. */
      mfa_level: or(count(1), 0),
      /** 0 default, 1 explicit, 2 safe, 3 age-restricted. */
      nsfw_level: or(count(3), 0),
      premium_tier: or(count(3), 0),
      premium_progress_bar_enabled: flag(false),
      preferred_locale: or(text(16), 'en-US'),
      /** Seconds. */
      afk_timeout: or(count(3600), 300),
      system_channel_flags: or(count(2 ** 31 - 1), 0),
      /** Ids of its channels for certain things. */
      afk_channel: orNull(snowflake()),
      system_channel: orNull(snowflake()),
      rules_channel: orNull(snowflake()),
      public_updates_channel: orNull(snowflake()),
      safety_alerts_channel: orNull(snowflake()),
    }),
});

/** A guild. */
export type Guild = RowOf<typeof guilds>;
