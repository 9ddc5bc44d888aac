import { inGuild } from '../../api/permissions/evaluate.ts';
import type { Reading } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { memberOf } from '../members/membership.ts';
import { subjectOf } from '../roles/rights.ts';
import { type FindPattern, firstFault, type Match } from './keywords.ts';
import { type AutomodRule, EVENTS, PRESETS, TRIGGERS } from './records.ts';

/** Whoever has one of these is never moderated. */
const MODERATORS = bitsOf('ADMINISTRATOR', 'MANAGE_GUILD');

/** The platform's own words are not published: these stand for them, and for spam. */
const PRESET_WORDS: Readonly<Record<number, string>> = {
  [PRESETS.profanity]: 'emu-profanity',
  [PRESETS.sexual_content]: 'emu-sexual-content',
  [PRESETS.slurs]: 'emu-slur',
};
const SPAM_WORD = 'emu-spam';

/** What somebody says, and where. */
export interface Said {
  readonly guild: string;
  /** The channel it is said in, and those that it stands in. */
  readonly channels: readonly string[];
  /** Id of the user. */
  readonly author: string;
  readonly content: string;
  /** How many users and roles it mentions. */
  readonly mentions: number;
}

/** A rule that something is against. */
export interface Breach {
  readonly rule: AutomodRule;
  /** What is at fault; undefined where it is not a word. */
  readonly match: Match | undefined;
}

/** Every rule of the guild that something said is against, in the order of the rules. */
export function breachesOf(tables: Reading, said: Said, find: FindPattern): readonly Breach[] {
  const rules = rulesFor(tables, said.guild, said.author, EVENTS.message_send).filter(
    ({ exempt_channels: spared }) => !said.channels.some((id) => spared.includes(id)),
  );
  return rules.flatMap((rule) => breach(rule, said, find) ?? []);
}

/** The rules that the names of a member are against. */
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

/** The rules of a guild that are in force for a member; none for who manages it, or is no member. */
function rulesFor(tables: Reading, guild: string, userId: string, event: number): AutomodRule[] {
  const rules = tables.automod_rules.by('guild', guild);
  // Most guilds have none.
  if (rules.size === 0) return [];
  const member = memberOf(tables, guild, userId);
  if (member === undefined || (inGuild(subjectOf(tables, member, 0)) & MODERATORS) !== 0n) return [];
  return [...rules].filter(
    ({ enabled, event_type, exempt_roles: spared }) =>
      enabled && event_type === event && !member.roles.some((role) => spared.includes(role)),
  );
}

function breach(rule: AutomodRule, { content, mentions }: Said, find: FindPattern): Breach | undefined {
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
      return { keywords: presets.map((one) => PRESET_WORDS[one] ?? ''), patterns: [], allowed: allow_list };
    default:
      return { keywords: keyword_filter, patterns: regex_patterns, allowed: allow_list };
  }
}
