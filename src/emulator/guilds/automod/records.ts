import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { ofItsGuild } from '../relation-records.ts';

/** Trigger types by name. */
export const TRIGGERS = {
  keyword: 1,
  spam: 3,
  keyword_preset: 4,
  mention_spam: 5,
  member_profile: 6,
} as const;
/** Event types of rules, which decide when a rule is checked. */
export const EVENTS = { message_send: 1, member_update: 2 } as const;
/** Action types by name. */
export const ACTIONS = { block_message: 1, send_alert: 2, timeout: 3, block_member_interaction: 4 } as const;
/** Word lists of the platform. */
export const PRESETS = { profanity: 1, sexual_content: 2, slurs: 3 } as const;

/** A rule of a guild's automatic moderation. */
export const automodRules = defineRecord({
  name: 'automod_rules',
  noun: 'rule of automatic moderation',
  about:
    'rules of automatic moderation: `trigger_type` is keyword, spam, keyword_preset, mention_spam or member_profile; `actions` have `type`, `channel`, `duration_seconds`, `custom_message`',
  key: ['id'],
  indexes: { guild: { order: 'key' } },
  within: { kind: 'guilds', as: 'automod_rules', field: 'guild' },
  references: {
    creator: { to: 'users', onRemoval: 'null' },
    exempt_roles: { to: 'roles', onRemoval: 'null', relationCheck: ofItsGuild },
    exempt_channels: { to: 'channels', onRemoval: 'null', relationCheck: ofItsGuild },
  },
  check: ({ actions }) => {
    const at = (index: number, key: string, reason: string) => ({ path: ['actions', index, key], reason });
    for (const [index, { type, channel, duration_seconds }] of actions.entries()) {
      if (type === ACTIONS.send_alert && channel === null) {
        return at(index, 'channel', 'must name the channel that receives the alert');
      }
      if (type === ACTIONS.timeout && duration_seconds === null) {
        return at(index, 'duration_seconds', 'must set the duration of the timeout');
      }
    }
    return undefined;
  },
  printedForms: { event_type: EVENTS, trigger_type: TRIGGERS },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, textOrEmpty, numberOrName, or, orNull, list, count, flag } = parts;
    return table({
      id: snowflake(),
      name: text(100),
      /** Id of the creator. */
      creator: orNull(text(64)),
      event_type: or(numberOrName(EVENTS), EVENTS.message_send),
      trigger_type: numberOrName(TRIGGERS),
      /** Keywords and phrases. With `*` before or after a keyword, it also matches within a longer word. */
      keyword_filter: list(text(60), 1000),
      /** Regular expressions in the syntax of RE2. */
      regex_patterns: list(text(260), 10),
      /** Allowed terms: a match within one of them does not count. */
      allow_list: list(text(60), 1000),
      presets: list(numberOrName(PRESETS), 3),
      /** Maximum number of users and roles that one message may mention. */
      mention_total_limit: or(count(50), 0),
      mention_raid_protection_enabled: flag(false),
      actions: list(
        table({
          type: numberOrName(ACTIONS),
          /** Id of the channel that receives the alert. */
          channel: orNull(snowflake()),
          /** Duration of a timeout. */
          duration_seconds: orNull(count(2_419_200)),
          /** Text for the blocked author. */
          custom_message: orNull(textOrEmpty(300)),
        }),
        5,
      ),
      enabled: flag(true),
      exempt_roles: list(snowflake(), 20),
      exempt_channels: list(snowflake(), 50),
    });
  },
});

/** A rule of a guild's automatic moderation. */
export type AutomodRule = RowOf<typeof automodRules>;

/** An executed action. It is stored only until its event is emitted. */
export const automodExecutions = defineRecord({
  name: 'automod_executions',
  noun: 'action of a rule',
  key: ['id'],
  transient: true,
  references: {
    rule: { to: 'automod_rules', onRemoval: 'remove' },
    user: { to: 'users', onRemoval: 'remove' },
  },
  schema: ({ table, anyText, orNull, whole }: SchemaParts) =>
    table({
      id: anyText(),
      guild: anyText(),
      rule: anyText(),
      /** Index of the action in the rule's list. */
      action: whole(0, 4),
      user: anyText(),
      channel: orNull(anyText()),
      /** Id of the message; null if the message was blocked. */
      message: orNull(anyText()),
      /** Id of the alert message; null for an action without an alert. */
      alert: orNull(anyText()),
      content: anyText(),
      keyword: orNull(anyText()),
      matched: orNull(anyText()),
    }),
});
