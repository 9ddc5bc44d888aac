import * as z from 'zod';
import { nameArg, operatorOperationsFor, USER_ARG } from '../../api/operator.ts';
import type { Reading } from '../../api/world.ts';
import { GUILD_ARG } from '../guild-arg.ts';
import { memberOf } from '../members/membership.ts';
import type { GuildJoinRequest, OnboardingAnswers } from './records.ts';

const operation = operatorOperationsFor<{
  readonly tables: Reading;
  onboard(guildId: string, userId: string, options: readonly string[]): OnboardingAnswers;
  askToJoin(
    guildId: string,
    userId: string,
    answers: readonly string[],
    isStarted: boolean,
  ): GuildJoinRequest;
  withdrawRequest(guildId: string, userId: string): GuildJoinRequest;
}>();

/** Operator operations for how users come into a guild. Users are named by id or name. */
export const onboardingOperations = [
  operation({
    name: 'guild.onboard',
    summary: 'Answer the onboarding questions of a guild as a member, who gets the roles of the answers',
    about: '`options` are ids or titles of answers; the result has ids.',
    args: () =>
      z.object({ guild: z.string(), user: nameArg(), options: z.array(nameArg()).check(z.maxLength(750)) }),
    result: () =>
      z.object({
        guild: z.string(),
        user: z.string(),
        options: z.array(z.string()),
        roles: z.array(z.string()),
      }),
    command: {
      name: 'onboard',
      syntax: {
        guild: GUILD_ARG,
        user: USER_ARG,
        options: { name: 'ANSWER', help: 'id or title of each chosen answer', arity: 'many' },
      },
      examples: [['onboard 400000000000000001 otter "Tug boats"', 'Their only answer, by its title']],
      resultText: ({ user, roles }) => `${user} has answered, and has ${roles.length} roles now.`,
    },
    run(emulator, { guild, user, options }) {
      const { tables, lookup } = emulator;
      const account = lookup.user(user);
      const answered = emulator.onboard(guild, account.id, options);
      const roles = tables.members.get(guild, account.id)?.roles ?? [];
      return { guild, user: account.username, options: answered.options, roles };
    },
  }),
  operation({
    name: 'guild.ask-to-join',
    summary: 'Have a user ask to join a guild whose moderators let members in one by one',
    about:
      'Each answer is `QUESTION=ANSWER`. With `started` the user has not submitted the request; the same operation without it submits it. `pending` is true for a user who is a member of the guild meanwhile, because the guild has a preview.',
    args: () =>
      z.object({
        guild: z.string(),
        user: nameArg(),
        answers: z.optional(z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(10))),
        started: z.optional(z.boolean()),
      }),
    result: () =>
      z.object({
        id: z.string(),
        guild: z.string(),
        user: z.string(),
        status: z.string(),
        pending: z.boolean(),
      }),
    command: {
      name: 'ask-to-join',
      syntax: {
        guild: GUILD_ARG,
        user: USER_ARG,
        started: { option: 'started', type: 'flag', help: 'begin the request without submitting it' },
        answers: { name: 'QUESTION=ANSWER', help: 'each answer to a question of the guild', arity: 'many' },
      },
      examples: [['ask-to-join 400000000000000001 otter Why=Fish', 'A request with one answer']],
      resultText: ({ user, id, status }) =>
        `The request of ${user} is ${id}, and ${status === 'STARTED' ? 'not submitted yet' : 'waits'}.`,
    },
    run(emulator, { guild, user, answers = [], started = false }) {
      const account = emulator.lookup.user(user);
      const { id, status } = emulator.askToJoin(guild, account.id, answers, started);
      const pending = memberOf(emulator.tables, guild, account.id) !== undefined;
      return { id, guild, user: account.username, status, pending };
    },
  }),
  operation({
    name: 'guild.withdraw-request',
    summary: 'Have a user withdraw the request to join a guild',
    args: () => z.object({ guild: z.string(), user: nameArg() }),
    result: () => z.object({ id: z.string(), guild: z.string(), user: z.string() }),
    command: {
      name: 'withdraw-request',
      syntax: { guild: GUILD_ARG, user: USER_ARG },
      examples: [['withdraw-request 400000000000000001 otter', 'Nobody has to review it any more']],
      resultText: ({ user, id }) => `${user} has withdrawn the request ${id}.`,
    },
    run(emulator, { guild, user }) {
      const account = emulator.lookup.user(user);
      const { id } = emulator.withdrawRequest(guild, account.id);
      return { id, guild, user: account.username };
    },
  }),
] as const;
