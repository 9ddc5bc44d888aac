import { defineRecord, type Fit, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A guild shows newcomers channels of its own alone. */
const ofTheGuild: Fit = {
  otherwise: 'of another guild',
  of: (shown: { readonly guild: string }, channel: { readonly guild: string }) =>
    shown.guild === channel.guild,
};

/** A channel that the welcome screen of a guild shows. */
export const welcomeChannels = defineRecord({
  name: 'welcome_channels',
  noun: 'channel of a welcome screen',
  key: ['channel'],
  within: { kind: 'guilds', as: 'welcome_channels', field: 'guild' },
  references: { channel: { to: 'channels', gone: 'remove', fits: ofTheGuild } },
  placed: 'position',
  schema: ({ table, snowflake, text, orNull, position }: SchemaParts) =>
    table({
      channel: snowflake(),
      description: text(50),
      /** Id of an emoji of the guild, or the emoji itself in `emoji_name`. */
      emoji_id: orNull(snowflake()),
      emoji_name: orNull(text(100)),
      /** Where it stands; one without a place stands where it is written. */
      position: position(1000),
    }),
});

/** A question that newcomers of a guild are asked. */
export const onboardingPrompts = defineRecord({
  name: 'onboarding_prompts',
  noun: 'question of the onboarding',
  key: ['id'],
  within: { kind: 'guilds', as: 'onboarding_prompts', field: 'guild' },
  placed: 'position',
  spelled: { type: { multiple_choice: 0, dropdown: 1 } },
  schema: ({ table, snowflake, text, words, or, orNull, list, flag, position, numberOrName }: SchemaParts) =>
    table({
      id: snowflake(),
      title: text(100),
      /** One answer alone. */
      single_select: flag(false),
      required: flag(false),
      /** Asked when somebody comes, and not only where channels are chosen. */
      in_onboarding: flag(true),
      type: or(numberOrName({ multiple_choice: 0, dropdown: 1 }), 0),
      position: position(1000),
      options: list(
        table({
          id: snowflake(),
          title: text(50),
          description: words(100),
          emoji_id: orNull(snowflake()),
          emoji_name: orNull(text(100)),
          emoji_animated: flag(false),
          /** Ids of what whoever chooses it gets; what is no more is not shown. */
          roles: list(snowflake(), 50),
          channels: list(snowflake(), 50),
        }),
        50,
      ),
    }),
});

/** What a member answered to the questions of a guild. */
export const onboardingAnswers = defineRecord({
  name: 'onboarding_answers',
  noun: 'answers to an onboarding',
  key: ['guild', 'user'],
  within: { kind: 'guilds', as: 'onboarding_answers', field: 'guild' },
  references: { user: { to: 'users', gone: 'remove' } },
  schema: ({ table, snowflake, text, list, moment }: SchemaParts) =>
    table({
      user: text(64),
      /** Ids of the answers that they chose. */
      options: list(snowflake(), 750),
      answered_at: moment(),
    }),
});

/** Somebody who asks to be let into a guild. */
export const guildJoinRequests = defineRecord({
  name: 'guild_join_requests',
  noun: 'request to join a guild',
  key: ['id'],
  indexes: { guild: { order: 'key' } },
  within: { kind: 'guilds', as: 'join_requests', field: 'guild' },
  references: { user: { to: 'users', gone: 'remove' }, reviewer: { to: 'users', gone: 'null' } },
  schema: ({ table, snowflake, text, words, or, orNull, choice, moment, list, json }: SchemaParts) =>
    table({
      id: snowflake(),
      /** Id of who asks. */
      user: text(64),
      status: or(choice('STARTED', 'SUBMITTED', 'REJECTED', 'APPROVED'), 'SUBMITTED'),
      reviewed_at: orNull(moment()),
      /** Id of who let them in, or did not. */
      reviewer: orNull(text(64)),
      rejection_reason: orNull(words(160)),
      /** What they were asked and what they say, by the names of the platform: `field_type`, `label`, `response` … */
      form_responses: list(json(), 10),
    }),
});

/** What a member answered. */
export type OnboardingAnswers = RowOf<typeof onboardingAnswers>;
/** Somebody who asks to be let into a guild. */
export type GuildJoinRequest = RowOf<typeof guildJoinRequests>;
/** A channel that a welcome screen shows. */
export type WelcomeChannel = RowOf<typeof welcomeChannels>;
/** A question that newcomers are asked. */
export type OnboardingPrompt = RowOf<typeof onboardingPrompts>;
