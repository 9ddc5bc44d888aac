import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { ofItsGuild } from '../relation-records.ts';

/** A channel on the welcome screen of a guild. */
export const welcomeChannels = defineRecord({
  name: 'welcome_channels',
  noun: 'channel of a welcome screen',
  about: 'channels that newcomers see',
  key: ['channel'],
  within: { kind: 'guilds', as: 'welcome_channels', field: 'guild' },
  references: { channel: { to: 'channels', onRemoval: 'remove', relationCheck: ofItsGuild } },
  positionField: 'position',
  schema: ({ table, snowflake, text, orNull, position }: SchemaParts) =>
    table({
      channel: snowflake(),
      description: text(50),
      /** Id of an emoji of the guild; a Unicode emoji is in `emoji_name` instead. */
      emoji_id: orNull(snowflake()),
      emoji_name: orNull(text(100)),
      /** Position on the welcome screen; the default follows from the order in the fixture. */
      position: position(1000),
    }),
});

/** An onboarding question for new members of a guild. */
export const onboardingPrompts = defineRecord({
  name: 'onboarding_prompts',
  noun: 'question of the onboarding',
  about: 'questions to newcomers: `options` have `roles`, `channels` …',
  key: ['id'],
  within: { kind: 'guilds', as: 'onboarding_prompts', field: 'guild' },
  positionField: 'position',
  printedForms: { type: { multiple_choice: 0, dropdown: 1 } },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, textOrEmpty, or, orNull, list, flag, position, numberOrName } = parts;
    return table({
      id: snowflake(),
      title: text(100),
      /** Only one answer is allowed. */
      single_select: flag(false),
      required: flag(false),
      /** True if the prompt is part of onboarding; otherwise it appears only in the channel list. */
      in_onboarding: flag(true),
      type: or(numberOrName({ multiple_choice: 0, dropdown: 1 }), 0),
      position: position(1000),
      options: list(
        table({
          id: snowflake(),
          title: text(50),
          description: textOrEmpty(100),
          emoji_id: orNull(snowflake()),
          emoji_name: orNull(text(100)),
          emoji_animated: flag(false),
          /** Ids of the roles and channels that the option grants. Replies omit those that have been deleted. */
          roles: list(snowflake(), 50),
          channels: list(snowflake(), 50),
        }),
        50,
      ),
    });
  },
});

/** Onboarding answers of a member. */
export const onboardingAnswers = defineRecord({
  name: 'onboarding_answers',
  noun: 'answers to an onboarding',
  about:
    'what members answered: `options` are ids. `footbridge emulator onboard ID USER ANSWER…` (`guild.onboard`) answers, and gives the roles',
  key: ['guild', 'user'],
  within: { kind: 'guilds', as: 'onboarding_answers', field: 'guild' },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, snowflake, text, list, moment }: SchemaParts) =>
    table({
      user: text(64),
      /** Ids of the chosen options. */
      options: list(snowflake(), 750),
      answered_at: moment(),
    }),
});

/** A user's request to join a guild. */
export const guildJoinRequests = defineRecord({
  name: 'guild_join_requests',
  noun: 'request to join a guild',
  about: 'who asks to be let in',
  key: ['id'],
  indexes: { guild: { order: 'key' } },
  within: { kind: 'guilds', as: 'join_requests', field: 'guild' },
  references: { user: { to: 'users', onRemoval: 'remove' }, reviewer: { to: 'users', onRemoval: 'null' } },
  schema: ({ table, snowflake, text, textOrEmpty, or, orNull, choice, moment, list, json }: SchemaParts) =>
    table({
      id: snowflake(),
      /** Id of the user. */
      user: text(64),
      status: or(choice('STARTED', 'SUBMITTED', 'REJECTED', 'APPROVED'), 'SUBMITTED'),
      reviewed_at: orNull(moment()),
      /** Id of the user who approved or rejected the request. */
      reviewer: orNull(text(64)),
      rejection_reason: orNull(textOrEmpty(160)),
      /** Questions with their answers, in the platform's form: `field_type`, `label`, `response` … */
      form_responses: list(json(), 10),
    }),
});

/** Onboarding answers of a member. */
export type OnboardingAnswers = RowOf<typeof onboardingAnswers>;
/** A user's request to join a guild. */
export type GuildJoinRequest = RowOf<typeof guildJoinRequests>;
/** A channel on a welcome screen. */
export type WelcomeChannel = RowOf<typeof welcomeChannels>;
/** An onboarding question. */
export type OnboardingPrompt = RowOf<typeof onboardingPrompts>;
