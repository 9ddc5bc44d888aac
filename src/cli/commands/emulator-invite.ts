import type { InviteJob } from '../../emulator/guilds/invites/operations.ts';
import { defineCommand } from '../command.ts';
import { usage } from '../parse.ts';
import { changeEmulator } from './emulator-change.ts';

const CODE = { name: 'CODE', help: 'code of the invite', arity: 'one' } as const;

/** `footbridge emulator invite-job CODE hold|advance|fail [N|TEXT]`. */
export const emulatorInviteJob = defineCommand({
  name: 'emulator invite-job',
  summary: 'Hold the job that reads the target users of an invite, continue it, or make it fail',
  group: 'emulator',
  positionals: [
    CODE,
    {
      name: 'hold|advance|fail',
      help: 'hold this file and all to come, read N users more, or fail with TEXT',
      arity: 'one',
      choices: ['hold', 'advance', 'fail'],
    },
    { name: 'N|TEXT', help: 'how many users for advance, the message for fail', arity: 'optional' },
  ],
  json: true,
  examples: [
    ['footbridge emulator invite-job jvuBeT38 hold', 'No user is read without advance'],
    ['footbridge emulator invite-job jvuBeT38 advance 40', 'Forty users more'],
    ['footbridge emulator invite-job jvuBeT38 fail "Failed to parse CSV file"', 'With this message'],
  ],
  run({ positionals: [code = '', action = 'hold', more], json }, io) {
    return changeEmulator<InviteJob>(io, json, { ...jobRequest(code, action, more), describe: describeJob });
  },
});

const wrong = (problem: string) => usage(problem, { name: 'emulator invite-job' });

function jobRequest(code: string, action: string, more: string | undefined) {
  if (action === 'hold') {
    if (more !== undefined)
      throw wrong(`One word too many: hold takes none, and not ${JSON.stringify(more.slice(0, 60))}.`);
    return { operation: 'invite.hold-job', args: { code } };
  }
  if (action === 'fail') {
    if (more === undefined || more === '') throw wrong('N|TEXT is missing: fail needs the message.');
    return { operation: 'invite.fail-job', args: { code, error: more } };
  }
  const users = Number(more);
  if (more === undefined || !/^\d{1,7}$/.test(more) || users < 1 || users > 1_000_000) {
    throw wrong('N|TEXT: advance needs how many users, 1 to 1000000.');
  }
  return { operation: 'invite.advance-job', args: { code, users } };
}

function describeJob({ code, state, total, processed, error }: InviteJob): string {
  switch (state) {
    case null:
      return `No file of the invite ${code} was sent so far; the next is held.`;
    case 'completed':
      return `The ${total} users of the invite ${code} are all read.`;
    case 'failed':
      return `The users of the invite ${code} are not read: ${error}`;
    case 'processing':
      return `Of the ${total} users of the invite ${code}, ${processed} are read.`;
  }
}
