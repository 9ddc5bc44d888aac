import * as z from 'zod';
import { nameArg, operatorOperationsFor, USER_ARG } from '../../api/operator.ts';
import { SettingError } from '../../kernel/errors.ts';
import { type ChannelInvites, REFUSALS } from './accept.ts';
import type { ChannelInviteRecord } from './records.ts';

const operation = operatorOperationsFor<{
  readonly channelInvites: Pick<ChannelInvites, 'accept' | 'jobs'>;
}>();

const code = () => z.string().check(z.minLength(1), z.maxLength(64));

/** Progress of the job that reads a file of target users; `state` is null if the invite has never had a file. */
const job = () =>
  z.object({
    code: z.string(),
    state: z.nullable(z.enum(['processing', 'completed', 'failed'])),
    total: z.number(),
    processed: z.number(),
    error: z.nullable(z.string()),
  });

/** Result of operations on a job that reads target users. */
export type InviteJob = z.output<ReturnType<typeof job>>;

function jobAnswer({ code: name, job: read }: ChannelInviteRecord): InviteJob {
  return {
    code: name,
    state: read?.state ?? null,
    total: read?.total ?? 0,
    processed: read?.processed ?? 0,
    error: read?.error ?? null,
  };
}

/** Operator operations for invites. Users are named by id or name. */
export const inviteOperations = [
  operation({
    name: 'invite.accept',
    summary: 'Have a user accept an invite, and get the roles that it gives',
    about: '`joined` is false for a user who was a member before.',
    args: () => z.object({ user: nameArg(), code: code() }),
    result: () =>
      z.object({
        user: z.string(),
        code: z.string(),
        guild: z.object({ id: z.string(), name: z.string() }),
        joined: z.boolean(),
      }),
    command: {
      name: 'accept-invite',
      syntax: { user: USER_ARG, code: { name: 'CODE', help: 'code of the invite' } },
      examples: [['accept-invite otter jvuBeT38', 'With the code that the bot was answered']],
      resultText: ({ user, guild, joined }) =>
        joined
          ? `${user} is a member of ${guild.name} now.`
          : `${user} was a member of ${guild.name} already, and gets no roles.`,
    },
    run({ channelInvites, lookup }, args) {
      const user = lookup.user(args.user);
      const accepted = channelInvites.accept(args.code, user);
      if (accepted.kind === 'refused') throw new SettingError('', REFUSALS[accepted.why]);
      const { guild, isNew } = accepted;
      return {
        user: user.username,
        code: args.code,
        guild: { id: guild.id, name: guild.name },
        joined: isNew,
      };
    },
  }),
  operation({
    name: 'invite.hold-job',
    summary:
      'Do not read the files of target users of an invite by itself: neither the present file nor later ones',
    args: () => z.object({ code: code() }),
    result: job,
    run: ({ channelInvites }, args) => jobAnswer(channelInvites.jobs.hold(args.code)),
  }),
  operation({
    name: 'invite.advance-job',
    summary: 'Read a number of further target users from the file of an invite',
    args: () => z.object({ code: code(), users: z.int().check(z.gte(1), z.lte(1_000_000)) }),
    result: job,
    run: ({ channelInvites }, args) => jobAnswer(channelInvites.jobs.advance(args.code, args.users)),
  }),
  operation({
    name: 'invite.fail-job',
    summary: 'Make the reading of the target users of an invite fail',
    args: () => z.object({ code: code(), error: z.string().check(z.minLength(1), z.maxLength(1000)) }),
    result: job,
    run: ({ channelInvites }, args) => jobAnswer(channelInvites.jobs.fail(args.code, args.error)),
  }),
] as const;
