import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import { everyoneRole } from './roles/records.ts';

const newMemberWelcome = (parts: SchemaParts) => {
  const { table, snowflake, text, textOrEmpty, or, orNull, list, count, flag } = parts;
  const emoji = () =>
    orNull(table({ id: orNull(snowflake()), name: orNull(text(64)), animated: flag(false) }));
  return table({
    enabled: flag(true),
    /** Ids of the authors of the welcome message. */
    authors: list(text(64), 10),
    message: orNull(textOrEmpty(300)),
    actions: list(
      table({
        channel: snowflake(),
        /** Action: 0 to view the channel, 1 to write in it. */
        action_type: or(count(1), 0),
        title: text(60),
        description: textOrEmpty(200),
        emoji: emoji(),
      }),
      5,
    ),
    resources: list(
      table({ channel: snowflake(), title: text(60), description: textOrEmpty(200), emoji: emoji() }),
      7,
    ),
  });
};

/** A guild. Its channels, roles and members are separate records. */
export const guilds = defineRecord({
  name: 'guilds',
  noun: 'guild',
  about:
    'guilds. `membership` is `everybody` (default: all users, but those in `[[guilds.departed]]`) or `listed`; bots are members only where they are listed. `welcome_description`, `default_channels`, `onboarding_enabled` and `new_member_welcome` belong to the welcome screen and the onboarding',
  key: ['id'],
  indexes: { membership: { order: 'key' }, vanity_url_code: {} },
  references: {
    owner: { to: 'users', onRemoval: 'refuse' },
    afk_channel: { to: 'channels', onRemoval: 'null' },
    system_channel: { to: 'channels', onRemoval: 'null' },
    rules_channel: { to: 'channels', onRemoval: 'null' },
    public_updates_channel: { to: 'channels', onRemoval: 'null' },
    safety_alerts_channel: { to: 'channels', onRemoval: 'null' },
    widget_channel: { to: 'channels', onRemoval: 'null' },
    default_channels: { to: 'channels', onRemoval: 'null' },
  },
  creates: { kind: 'roles', row: everyoneRole },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, textOrEmpty, orNull, or, list, matching, choice, count, flag, moment } =
      parts;
    return table({
      id: snowflake(),
      name: text(100),
      icon_url: orNull(text(2048)),
      /** Image hashes, which are part of the images' CDN addresses. */
      icon: orNull(text(64)),
      banner: orNull(text(64)),
      splash: orNull(text(64)),
      discovery_splash: orNull(text(64)),
      description: orNull(textOrEmpty(300)),
      /** The guild's vanity code, which works like an invite code, and the number of its uses. */
      vanity_url_code: orNull(text(64)),
      vanity_uses: or(count(2 ** 31 - 1), 0),
      /** Id of the owner. */
      owner: orNull(text(64)),
      /**
       * Membership rule. `everybody`: all users of the state are members, except users with a departure. `listed`: only
       * the listed users are members.
       */
      membership: or(choice('everybody', 'listed'), 'everybody'),
      /** Features of the guild, such as `ENHANCED_ROLE_COLORS`. */
      features: list(matching(/^[A-Z0-9_]{1,64}$/, 'must be of A-Z, 0-9 and _'), 100),
      /** 0 none … 4 very high. */
      verification_level: or(count(4), 0),
      /** Default notifications: 0 for all messages, 1 for mentions only. */
      default_message_notifications: or(count(1), 0),
      /** Content filter: 0 disabled, 1 for members without roles, 2 for all members. */
      explicit_content_filter: or(count(2), 0),
      /** 1 if moderators need a second factor, otherwise 0. */
      mfa_level: or(count(1), 0),
      /** Age rating: 0 default, 1 explicit, 2 safe, 3 age-restricted. */
      nsfw_level: or(count(3), 0),
      premium_tier: or(count(3), 0),
      premium_progress_bar_enabled: flag(false),
      preferred_locale: or(text(16), 'en-US'),
      /** Seconds. */
      afk_timeout: or(count(3600), 300),
      system_channel_flags: or(count(2 ** 31 - 1), 0),
      /** Ids of the guild's channels with a special purpose. */
      afk_channel: orNull(snowflake()),
      system_channel: orNull(snowflake()),
      rules_channel: orNull(snowflake()),
      public_updates_channel: orNull(snowflake()),
      safety_alerts_channel: orNull(snowflake()),
      home_header: orNull(text(64)),
      /** Whether the widget is public, and the id of the channel that the widget's invite leads to. */
      widget_enabled: flag(false),
      widget_channel: orNull(snowflake()),
      /** Description on the welcome screen. It is public if the guild has the feature `WELCOME_SCREEN_ENABLED`. */
      welcome_description: orNull(textOrEmpty(140)),
      onboarding_enabled: flag(false),
      /**
       * Channels that count for the conditions of onboarding: 0 only the default channels, 1 also the channels of its
       * prompts.
       */
      onboarding_mode: or(count(1), 0),
      /** Ids of the default channels of new members. */
      default_channels: list(snowflake(), 500),
      /** Times until which invites, and direct messages between members, are disabled. */
      invites_disabled_until: orNull(moment()),
      dms_disabled_until: orNull(moment()),
      /** Welcome message and tasks of new members. They can be set only by a fixture. */
      new_member_welcome: orNull(newMemberWelcome(parts)),
    });
  },
});

/** A guild. */
export type Guild = RowOf<typeof guilds>;
