import { columns, styleFor } from '../../base/style.ts';
import { amount, printable } from '../../base/text.ts';
import { calledAs } from '../../daemon/called-as.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { requestText } from '../../daemon/request-text.ts';
import type { Grant } from '../../emulator/accounts/oauth2/types.ts';
import type { WaitingRequest } from '../../emulator/api/waiting-request.ts';
import { defineCommand, flag } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { followRequests } from '../follow-requests.ts';
import { storedExitCode, warnOfUnstored } from '../unstored.ts';

const requestId = {
  name: 'ID',
  help: 'the request, as "footbridge requests" shows it',
  arity: 'one',
  completes: 'requests',
} as const;

/** `footbridge requests`. */
export const requests = defineCommand({
  name: 'requests',
  summary: 'List the requests that wait for your decision',
  group: 'consent',
  options: {
    follow: flag('also print each new request; with --json one per line', { short: 'f' }),
  },
  json: true,
  examples: [
    ['footbridge requests', 'Each waiting request, with the id for the answer'],
    ['footbridge requests --follow --json', 'Each request as it comes, one JSON value a line'],
  ],
  async run({ values, json }, io) {
    if (values.follow === true) return followRequests(json, io);
    const waiting = (await daemonClient(io).call('requests.list')) as readonly WaitingRequest[];
    if (json) printJson(io, waiting);
    else if (waiting.length === 0) io.out('No request waits for you.\n');
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
  options: { always: flag('do not ask again for the same application and scopes') },
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
  examples: [['footbridge deny 6vvp5', 'The app gets a refusal']],
  run({ positionals, json }, io) {
    return settle(io, json, 'requests.deny', { id: positionals[0] }, 'Denied');
  },
});

async function settle(io: Io, json: boolean, operation: string, args: object, done: string): Promise<number> {
  const answer = await daemonClient(io).call(operation, args);
  if (json) printJson(io, answer);
  else {
    const { applicationName } = answer as { readonly applicationName?: string };
    io.out(`${done}: ${printable(applicationName ?? 'the request')}\n`);
  }
  return storedExitCode(io, answer);
}

/** `footbridge grants`. */
export const grants = defineCommand({
  name: 'grants',
  summary: 'List the permissions of apps',
  group: 'consent',
  json: true,
  examples: [
    ['footbridge grants', 'Each permission, its app, and who decided it'],
    ['footbridge grants --json', 'The same for a script'],
  ],
  async run({ json }, io) {
    const daemon = daemonClient(io);
    const list = (await daemon.call('grants.list')) as readonly ListedGrant[];
    if (json) printJson(io, list);
    else if (list.length === 0) io.out('No app has a permission.\n');
    else
      io.out(
        columns([
          ['ID', 'USER', 'APPLICATION', 'VIA', 'WHEN', 'HOW LONG', 'DECIDED BY', 'SCOPES'],
          ...list.map(grantRow),
        ]),
      );
    await warnOfUnstored(io, daemon);
    return ExitCode.OK;
  },
});

/** Entry of the answer to `grants.list`. */
type ListedGrant = Grant & { readonly username: string | null; readonly applicationName: string | null };

function grantRow(grant: ListedGrant): string[] {
  const name = grant.applicationName === null ? '' : ` ${printable(grant.applicationName)}`;
  const when = new Date(grant.grantedAt).toISOString().slice(0, 16).replace('T', ' ');
  const scopes = printable(grant.scopes.join(' '));
  return [
    grant.id,
    printable(grant.username ?? grant.userId),
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
  if (decidedBy.kind === 'secret') return 'a configured secret';
  if (decidedBy.kind === 'publisher') return 'its publisher';
  const { program = 'an unnamed program', pid, via } = decidedBy;
  // A desktop button has no requesting program, so only its name is printed.
  if (via === 'notification') return via;
  return printable(`${via}: ${program}${pid === undefined ? '' : ` (pid ${pid})`}`);
}

/** Answer to `grants.revoke`. */
interface Revoked {
  readonly revoked: string;
  readonly userId: string;
  readonly username: string | null;
  readonly clientId: string;
  readonly applicationName: string | null;
  readonly otherGrants: readonly string[];
  readonly tokens: number;
  readonly sessions: number;
}

/** `Revoked: 624wk and 1 other grant (7hkq2) of river for Harbour Example, 1 token; 1 session is closed.` */
function revokedText(answer: Revoked): string {
  const { revoked, otherGrants, userId, username, clientId, applicationName, tokens, sessions } = answer;
  const others =
    otherGrants.length === 0
      ? ''
      : ` and ${amount(otherGrants.length, 'other grant')} (${otherGrants.join(', ')})`;
  const owner = `${username ?? userId} for ${applicationName ?? clientId}`;
  const closed = `${amount(sessions, 'session is', 'sessions are')} closed`;
  return `Revoked: ${printable(`${revoked}${others} of ${owner}`)}, ${amount(tokens, 'token')}; ${closed}.\n`;
}

/** `footbridge revoke ID`. */
export const revoke = defineCommand({
  name: 'revoke',
  summary: 'Remove every permission that the user of a grant gave its application',
  group: 'consent',
  positionals: [
    { name: 'ID', help: 'the grant, as "footbridge grants" shows it', arity: 'one', completes: 'grants' },
  ],
  json: true,
  details: [
    'As on the platform, an application is allowed or it is not: every other grant of the same user and application goes, too,',
    'their tokens are deleted, with those that its games had for them, and the sessions that used them are closed.',
    'The answer says which. Grants of other users and of other applications stay.',
  ],
  examples: [['footbridge revoke 624wk', 'By the id of any grant of that user and application']],
  async run({ positionals, json }, io) {
    const answer = (await daemonClient(io).call('grants.revoke', { id: positionals[0] })) as Revoked;
    if (json) printJson(io, answer);
    else io.out(revokedText(answer));
    return storedExitCode(io, answer);
  },
});
