import { columns, styleFor } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import { calledAs } from '../../daemon/called-as.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { requestText } from '../../daemon/request-text.ts';
import type { Grant } from '../../emulator/accounts/oauth2/oauth2.ts';
import type { WaitingRequest } from '../../emulator/api/waiting-request.ts';
import { askDaemon, printJson } from '../ask-daemon.ts';
import { defineCommand } from '../command.ts';
import { followRequests } from '../follow-requests.ts';

const requestId = {
  name: 'ID',
  help: 'the request, as "footbridge requests" shows it',
  arity: 'one',
  completes: 'requests',
} as const;

/** `footbridge requests`. */
export const requests = defineCommand({
  name: 'requests',
  summary: 'List what waits for your decision',
  group: 'consent',
  options: {
    follow: { type: 'boolean', short: 'f', help: 'go on with each that comes; with --json one a line' },
  },
  json: true,
  examples: [
    ['footbridge requests', 'What waits, and the id to answer with'],
    ['footbridge requests --follow --json', 'Each request as it comes, one JSON value a line'],
  ],
  async run({ values, json }, io) {
    if (values.follow === true) return followRequests(json, io);
    const waiting = (await askDaemon(io).call('requests.list')) as readonly WaitingRequest[];
    if (json) printJson(io, waiting);
    else if (waiting.length === 0) io.out('Nothing waits for you.\n');
    else {
      for (const request of waiting) io.out(requestText(request, styleFor(io.colour.out)));
      const called = calledAs(io.env);
      io.out(`\nAnswer with: ${called} approve ID [--always], or ${called} deny ID\n`);
    }
    return ExitCode.OK;
  },
});

/** `footbridge approve ID`. */
export const approve = defineCommand({
  name: 'approve',
  summary: 'Allow a waiting request',
  group: 'consent',
  positionals: [requestId],
  options: { always: { type: 'boolean', help: 'do not ask again for the same application and scopes' } },
  json: true,
  examples: [
    ['footbridge approve 6vvp5', 'This once'],
    ['footbridge approve 6vvp5 --always', 'And do not ask this application for these scopes again'],
  ],
  run({ values, positionals, json }, io) {
    const args = { id: positionals[0], ...(values.always === true ? { always: true } : {}) };
    return settle(io, json, 'requests.approve', args, 'Allowed');
  },
});

/** `footbridge deny ID`. */
export const deny = defineCommand({
  name: 'deny',
  summary: 'Deny a waiting request',
  group: 'consent',
  positionals: [requestId],
  json: true,
  examples: [['footbridge deny 6vvp5', 'The app hears that you said no']],
  run({ positionals, json }, io) {
    return settle(io, json, 'requests.deny', { id: positionals[0] }, 'Denied');
  },
});

async function settle(io: Io, json: boolean, operation: string, args: object, done: string): Promise<number> {
  const answer = await askDaemon(io).call(operation, args);
  if (json) printJson(io, answer);
  else {
    const { applicationName } = answer as { readonly applicationName?: string };
    io.out(`${done}: ${printable(applicationName ?? 'the request')}\n`);
  }
  return ExitCode.OK;
}

/** `footbridge grants`. */
export const grants = defineCommand({
  name: 'grants',
  summary: 'List what apps have been allowed',
  group: 'consent',
  json: true,
  examples: [
    ['footbridge grants', 'What was allowed, to whom, and by whom'],
    ['footbridge grants --json', 'The same for a script'],
  ],
  async run({ json }, io) {
    const list = (await askDaemon(io).call('grants.list')) as readonly (Grant & {
      readonly applicationName: string | null;
    })[];
    if (json) printJson(io, list);
    else if (list.length === 0) io.out('No app has been allowed anything.\n');
    else
      io.out(
        columns([
          ['ID', 'APPLICATION', 'VIA', 'WHEN', 'HOW LONG', 'DECIDED BY', 'SCOPES'],
          ...list.map(grantRow),
        ]),
      );
    return ExitCode.OK;
  },
});

function grantRow(grant: Grant & { readonly applicationName: string | null }): string[] {
  const name = grant.applicationName === null ? '' : ` ${printable(grant.applicationName)}`;
  const when = new Date(grant.grantedAt).toISOString().slice(0, 16).replace('T', ' ');
  const scopes = printable(grant.scopes.join(' '));
  return [
    grant.id,
    `${grant.clientId}${name}`,
    printable(grant.transport),
    when,
    grant.always ? 'always' : 'once',
    decider(grant),
    scopes,
  ];
}

function decider({ decidedBy }: Grant): string {
  if (decidedBy.kind === 'policy') return 'the policy';
  if (decidedBy.kind === 'secret') return 'whoever wrote its secret down';
  if (decidedBy.kind === 'publisher') return 'its publisher';
  const { program = 'an unnamed program', pid, via } = decidedBy;
  // A button of the desktop is pressed by no program.
  if (via === 'notification') return via;
  return printable(`${via}: ${program}${pid === undefined ? '' : ` (pid ${pid})`}`);
}

/** What `grants.revoke` answers. */
interface Revoked {
  readonly kept: boolean;
  readonly reason?: string;
  readonly comesBack?: boolean;
}

function unkeptText({ reason = 'the log says why', comesBack }: Revoked): string {
  const why = `Revoked, but not written down yet: ${printable(reason)}.\n`;
  return comesBack === false
    ? `${why}A restart does not bring it back. Make room on that disk; the bridge tries again until it can write.\n`
    : `${why}Mend that before the bridge ends, or the grant is back at its next start.\n`;
}

/** `footbridge revoke ID`. */
export const revoke = defineCommand({
  name: 'revoke',
  summary: 'Take a grant back: its tokens are deleted and its sessions closed',
  group: 'consent',
  positionals: [
    { name: 'ID', help: 'the grant, as "footbridge grants" shows it', arity: 'one', completes: 'grants' },
  ],
  json: true,
  examples: [['footbridge revoke 624wk', 'By the id of the grant']],
  async run({ positionals, json }, io) {
    const answer = (await askDaemon(io).call('grants.revoke', { id: positionals[0] })) as Revoked;
    if (json) printJson(io, answer);
    else if (answer.kept) io.out('Revoked.\n');
    else io.out(unkeptText(answer));
    return answer.kept ? ExitCode.OK : ExitCode.FINDINGS;
  },
});
