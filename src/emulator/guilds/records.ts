import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import { everyoneRole } from './roles/records.ts';

const newMemberWelcome = (parts: SchemaParts) => {
  const { table, snowflake, text, words, or, orNull, list, count, flag } = parts;
  const emoji = () =>
    orNull(table({ id: orNull(snowflake()), name: orNull(text(64)), animated: flag(false) }));
  return table({
    enabled: flag(true),
    /** Ids of those in whose name it is said. */
    authors: list(text(64), 10),
    message: orNull(words(300)),
    actions: list(
      table({
        channel: snowflake(),
        /** 0 to look at the channel, 1 to write in it. */
        action_type: or(count(1), 0),
        title: text(60),
        description: words(200),
        emoji: emoji(),
      }),
      5,
    ),
    resources: list(
      table({ channel: snowflake(), title: text(60), description: words(200), emoji: emoji() }),
      7,
    ),
  });
};

/** A guild; its channels, roles and members are records of their own. */
export const guilds = defineRecord({
  name: 'guilds',
  noun: 'guild',
  key: ['id'],
  indexes: { membership: { order: 'key' }, vanity_url_code: {} },
  references: {
    owner: { to: 'users', gone: 'refuse' },
    afk_channel: { to: 'channels', gone: 'null' },
    system_channel: { to: 'channels', gone: 'null' },
    rules_channel: { to: 'channels', gone: 'null' },
    public_updates_channel: { to: 'channels', gone: 'null' },
    safety_alerts_channel: { to: 'channels', gone: 'null' },
    widget_channel: { to: 'channels', gone: 'null' },
    default_channels: { to: 'channels', gone: 'null' },
  },
  brings: { kind: 'roles', row: everyoneRole },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, words, orNull, or, list, matching, choice, count, flag, moment } = parts;
    return table({
      id: snowflake(),
      name: text(100),
      icon_url: orNull(text(2048)),
      /** Picture hashes, as in a CDN address. */
      icon: orNull(text(64)),
      banner: orNull(text(64)),
      splash: orNull(text(64)),
      discovery_splash: orNull(text(64)),
      description: orNull(words(300)),
      /** Its own address among the invites, and how often somebody came by it. */
      vanity_url_code: orNull(text(64)),
      vanity_uses: or(count(2 ** 31 - 1), 0),
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
      home_header: orNull(text(64)),
      /** Whether anybody may ask who is there, and the channel that the answer invites to. */
      widget_enabled: flag(false),
      widget_channel: orNull(snowflake()),
      /** What the welcome screen says; it is shown with the feature `WELCOME_SCREEN_ENABLED`. */
      welcome_description: orNull(words(140)),
      /** Whether newcomers are asked what they want to see. */
      onboarding_enabled: flag(false),
      /** What its conditions count: 0 the channels that everybody begins with, 1 those of its questions too. */
      onboarding_mode: or(count(1), 0),
      /** Ids of the channels that everybody begins with. */
      default_channels: list(snowflake(), 500),
      /** Until when nobody comes in by an invite, and members write each other nothing. */
      invites_disabled_until: orNull(moment()),
      dms_disabled_until: orNull(moment()),
      /** What a newcomer reads and is asked to do; only a fixture says so. */
      new_member_welcome: orNull(newMemberWelcome(parts)),
    });
  },
});

/** A guild. */
export type Guild = RowOf<typeof guilds>;
