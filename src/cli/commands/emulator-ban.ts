import type { Io } from '../../daemon/io.ts';
import { defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

const USER = { name: 'USER', help: 'id or username', arity: 'one', completes: 'users' } as const;
const APP = { name: 'APP', help: 'id or exact name', arity: 'one', completes: 'applications' } as const;

/** What is answered where links end. */
interface Ended {
  readonly user: { readonly username: string };
  readonly applications: readonly { readonly id: string; readonly name: string | null }[];
  readonly identities: readonly {
    readonly external_user_id: string;
    readonly user: string;
    readonly status: string;
  }[];
  readonly until?: string | null;
  readonly kept: boolean;
  readonly reason?: string;
  readonly comesBack?: boolean;
}

/** ` Harbour Example has no token of theirs any more.`, new accounts, and what is not written down yet. */
function ended({ applications, identities, kept, reason, comesBack }: Ended): string {
  const names = applications.map(({ id, name }) => name ?? id).join(', ');
  const verb = applications.length === 1 ? 'has' : 'have';
  const tokens =
    names === '' ? 'No application had a token of theirs.' : `${names} ${verb} no token of theirs any more.`;
  const accounts = identities.map(
    ({ external_user_id: id, user, status }) => ` The identity ${id} has the new ${status} account ${user}.`,
  );
  const what = ` ${tokens}${accounts.join('')}`;
  if (kept) return what;
  const end =
    comesBack === true ? 'a restart brings the tokens back' : 'a restart does not bring the tokens back';
  return `${what} It is not written down yet: ${reason ?? 'the log says why'}; ${end}.`;
}

const END_DETAILS = [
  'Tokens and grants are deleted at once, a refresh answers invalid_grant, RPC sessions are closed with 4003, and the application is',
  'told by APPLICATION_DEAUTHORIZED. An external identity that was linked gets a new provisional account.',
];

/** `footbridge emulator ban USER`. */
export const emulatorBan = defineCommand({
  name: 'emulator ban',
  summary: 'Ban a user from the platform, which ends their links with every application',
  group: 'emulator',
  positionals: [USER],
  options: {
    until: {
      type: 'string',
      value: 'TIME',
      help: 'ISO 8601 with a zone, or a day, by the emulator clock; for good unless given',
    },
  },
  json: true,
  details: [
    ...END_DETAILS,
    'That account is restricted: merging it answers 530017 until the ban lifts, by the clock or by hand.',
  ],
  examples: [
    ['footbridge emulator ban heron', 'For good, or until "emulator unban"'],
    [
      'footbridge emulator ban heron --until 2080-01-31T12:00:00Z',
      'Until then, by the clock of the emulator',
    ],
  ],
  run({ positionals: [user], values, json }, io) {
    return changeEmulator<Ended>(io, json, {
      operation: 'user.ban',
      args: { user, ...(values.until === undefined ? {} : { until: values.until }) },
      say: (answer) => {
        const until = answer.until ?? null;
        return `${answer.user.username} is banned ${until === null ? 'for good' : `until ${until}`}.${ended(answer)}`;
      },
    });
  },
});

/** `footbridge emulator unban USER`. */
export const emulatorUnban = defineCommand({
  name: 'emulator unban',
  summary: 'Lift the ban of a user; no link comes back by itself',
  group: 'emulator',
  positionals: [USER],
  json: true,
  examples: [['footbridge emulator unban heron', 'Their new accounts can be merged again']],
  run({ positionals: [user], json }, io) {
    return changeEmulator<Pick<Ended, 'user'>>(io, json, {
      operation: 'user.unban',
      args: { user },
      say: (answer) => `${answer.user.username} is banned no longer.`,
    });
  },
});

/** `footbridge emulator unlink USER APP`. */
export const emulatorUnlink = defineCommand({
  name: 'emulator unlink',
  summary: 'Unlink a user from an application, as the application itself can',
  group: 'emulator',
  positionals: [USER, APP],
  json: true,
  details: END_DETAILS,
  examples: [
    ["footbridge emulator unlink river 'Harbour Example'", 'As if the game had unmerged the account'],
  ],
  run({ positionals: [user, app], json }, io) {
    return end(io, json, 'user.unlink', { user, app });
  },
});

/** `footbridge emulator remove-app USER APP`. */
export const emulatorRemoveApp = defineCommand({
  name: 'emulator remove-app',
  summary: 'Have a user remove an application in their settings',
  group: 'emulator',
  positionals: [USER, APP],
  json: true,
  details: END_DETAILS,
  examples: [["footbridge emulator remove-app river 'Harbour Example'", 'As if they had pressed the button']],
  run({ positionals: [user, app], json }, io) {
    return end(io, json, 'user.remove-app', { user, app });
  },
});

function end(io: Io, json: boolean, operation: string, args: object): Promise<number> {
  return changeEmulator<Ended>(io, json, {
    operation,
    args,
    say: (answer) => `${answer.user.username} is linked no longer.${ended(answer)}`,
  });
}
