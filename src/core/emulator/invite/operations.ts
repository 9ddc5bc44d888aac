import * as z from 'zod';
import { findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { REFUSALS } from '../../../emulator/guilds/invites/accept.ts';
import type { ChannelInviteRecord } from '../../../emulator/guilds/invites/records.ts';
import { SettingError } from '../../../emulator/kernel/errors.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';

const code = () => z.string().check(z.minLength(1), z.maxLength(64));

/** What a person can do about invites. Users are given by id or name. */
export function inviteOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  return {
    'invite.accept': defineOperation({
      summary: 'Have a user accept an invite, and get the roles that it gives',
      args: () => z.object({ user: z.string().check(z.minLength(1), z.maxLength(100)), code: code() }),
      run(args) {
        const user = findPerson(emulator.tables, args.user);
        const accepted = emulator.channelInvites.accept(args.code, user);
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
    'invite.hold-job': defineOperation({
      summary: 'Read no file of the target users of an invite further by itself: of this one and all to come',
      args: () => z.object({ code: code() }),
      run: (args) => shown(emulator.channelInvites.jobs.hold(args.code)),
    }),
    'invite.advance-job': defineOperation({
      summary: 'Read so many target users more of the file of an invite',
      args: () => z.object({ code: code(), users: z.int().check(z.gte(1), z.lte(1_000_000)) }),
      run: (args) => shown(emulator.channelInvites.jobs.advance(args.code, args.users)),
    }),
    'invite.fail-job': defineOperation({
      summary: 'Have the reading of the target users of an invite fail',
      args: () => z.object({ code: code(), error: z.string().check(z.minLength(1), z.maxLength(1000)) }),
      run: (args) => shown(emulator.channelInvites.jobs.fail(args.code, args.error)),
    }),
  };
}

function shown({ code: name, job }: ChannelInviteRecord): object {
  return {
    code: name,
    state: job?.state ?? null,
    total: job?.total ?? 0,
    processed: job?.processed ?? 0,
    error: job?.error ?? null,
  };
}
