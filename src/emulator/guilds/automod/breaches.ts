import { inGuild } from '../../api/permissions/evaluate.ts';
import type { Reading } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { memberOf } from '../members/membership.ts';
import { subjectOf } from '../roles/rights.ts';
import { type FindPattern, firstFault, type Match } from './keywords.ts';
import { type AutomodRule, EVENTS, PRESETS, TRIGGERS } from './records.ts';

/** Permissions that exempt a member from moderation. */
const MODERATORS = bitsOf('ADMINISTRATOR', 'MANAGE_GUILD');

/** Substitutes for the platform's word lists, which are not published, and for its detection of spam. */
const PRESET_KEYWORDS: Readonly<Record<number, string>> = {
  [PRESETS.profanity]: 'emu-profanity',
  [PRESETS.sexual_content]: 'emu-sexual-content',
  [PRESETS.slurs]: 'emu-slur',
};
const SPAM_WORD = 'emu-spam';

/** A message to check, and its location. */
export interface ModeratedMessage {
  readonly guild: string;
  /** The channel and its parents. */
  readonly channels: readonly string[];
  /** Id of the user. */
  readonly author: string;
  readonly content: string;
  /** Number of mentioned users and roles. */
  readonly mentions: number;
}

/** A broken rule. */
export interface Breach {
  readonly rule: AutomodRule;
  /** The text that matches the rule; undefined for a rule that is not about text. */
  readonly match: Match | undefined;
}

/** All rules of the guild that a message breaks, in the order of the rules. */
export function breachesOf(tables: Reading, message: ModeratedMessage, find: FindPattern): readonly Breach[] {
  const rules = rulesFor(tables, message.guild, message.author, EVENTS.message_send).filter(
    ({ exempt_channels: spared }) => !message.channels.some((id) => spared.includes(id)),
  );
  return rules.flatMap((rule) => breach(rule, message, find) ?? []);
}

/** Rules that the names of a member break. */
export function breachesOfProfile(
  tables: Reading,
  who: { readonly guild: string; readonly user: string },
  find: FindPattern,
): readonly Breach[] {
  const user = tables.users.get(who.user);
  const member = memberOf(tables, who.guild, who.user);
  const names = [member?.nick, user?.global_name, user?.username].filter((name) => typeof name === 'string');
  return rulesFor(tables, who.guild, who.user, EVENTS.member_update).flatMap((rule) => {
    for (const name of names) {
      const match = firstFault(name, wantedBy(rule), find);
      if (match !== undefined) return [{ rule, match }];
    }
    return [];
  });
}

/** Active rules of a guild that apply to a member; none apply to a moderator or to a user who is not a member. */
function rulesFor(tables: Reading, guild: string, userId: string, event: number): AutomodRule[] {
  const rules = tables.automod_rules.by('guild', guild);
  // A guild without rules is the common case, so it is checked first.
  if (rules.size === 0) return [];
  const member = memberOf(tables, guild, userId);
  if (member === undefined || (inGuild(subjectOf(tables, member, 0)) & MODERATORS) !== 0n) return [];
  return [...rules].filter(
    ({ enabled, event_type, exempt_roles: spared }) =>
      enabled && event_type === event && !member.roles.some((role) => spared.includes(role)),
  );
}

function breach(
  rule: AutomodRule,
  { content, mentions }: ModeratedMessage,
  find: FindPattern,
): Breach | undefined {
  if (rule.trigger_type === TRIGGERS.mention_spam) {
    return mentions > rule.mention_total_limit ? { rule, match: undefined } : undefined;
  }
  const match = firstFault(content, wantedBy(rule), find);
  return match === undefined ? undefined : { rule, match };
}

function wantedBy({ trigger_type, keyword_filter, regex_patterns, presets, allow_list }: AutomodRule) {
  switch (trigger_type) {
    case TRIGGERS.spam:
      return { keywords: [SPAM_WORD], patterns: [], allowed: [] };
    case TRIGGERS.keyword_preset:
      return {
        keywords: presets.map((one) => PRESET_KEYWORDS[one] ?? ''),
        patterns: [],
        allowed: allow_list,
      };
    default:
      return { keywords: keyword_filter, patterns: regex_patterns, allowed: allow_list };
  }
}
