import type { World } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import { memberOf, updateMember } from '../members/membership.ts';
import { promptsOf } from './onboarding.ts';
import type { OnboardingAnswers } from './records.ts';

/** Flags of a member who has started and completed onboarding. */
const DONE = (1 << 1) | (1 << 3);

/**
 * Sets a member's onboarding answers, by ids or titles of options. The member gets the roles of these answers, and
 * loses the roles of earlier answers. @throws SettingError for an unknown option, or a required question without an
 * answer.
 */
export function answerOnboarding(
  world: World,
  input: {
    readonly guild: string;
    readonly user: string;
    readonly options: readonly string[];
    /** In milliseconds. */
    readonly now: number;
  },
): OnboardingAnswers {
  const { tables } = world;
  const guild = tables.guilds.get(input.guild);
  if (guild === undefined) throw new SettingError('guild', 'there is no such guild; give the id of one');
  const member = memberOf(tables, guild.id, input.user);
  if (member === undefined) throw new SettingError('user', 'is no member of the guild');
  const prompts = promptsOf(tables, guild.id);
  const options = prompts.flatMap((prompt) => prompt.options);
  const chosen = new Set(
    input.options.map((name) => {
      const found = options.find(({ id, title }) => id === name || title === name);
      if (found === undefined) {
        throw new SettingError('options', `there is no answer ${JSON.stringify(name.slice(0, 50))}`);
      }
      return found.id;
    }),
  );
  for (const { title, required, single_select, options: own } of prompts) {
    const count = own.filter(({ id }) => chosen.has(id)).length;
    if (required && count === 0) throw new SettingError('options', `"${title}" needs an answer`);
    if (single_select && count > 1) throw new SettingError('options', `"${title}" takes one answer`);
  }
  const isRole = (id: string): boolean => tables.roles.get(id)?.guild === guild.id;
  const rolesOf = (ids: ReadonlySet<string>): string[] =>
    options.filter(({ id }) => ids.has(id)).flatMap(({ roles }) => roles.filter(isRole));
  const before = rolesOf(new Set(tables.onboarding_answers.get(guild.id, input.user)?.options));
  const otherRoles = member.roles.filter((id) => !before.includes(id));
  return world.transaction((writing) => {
    const roles = [...new Set([...otherRoles, ...rolesOf(chosen)])];
    updateMember(writing, member, { roles, flags: member.flags | DONE });
    return writing.onboarding_answers.put({
      guild: guild.id,
      user: input.user,
      options: [...chosen],
      answered_at: new Date(input.now).toISOString(),
    });
  });
}
