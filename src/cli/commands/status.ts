import type { Environment } from '../../../platform/endpoint/endpoints.ts';
import { columns } from '../../base/style.ts';
import { amount, printable } from '../../base/text.ts';
import { otherUsersText, searchedFoldersText } from '../../control/address.ts';
import type { ControlStatus } from '../../control/routes.ts';
import { withCallableCommands } from '../../daemon/called-as.ts';
import { inFrontRemedy, strangerRemedy } from '../../daemon/in-front.ts';
import { describeRefusal } from '../../journal/describe.ts';
import { placesIn, unstoredIn } from '../bridge-places.ts';
import { defineCommand } from '../command.ts';
import type { CoreReach } from '../core-reach.ts';
import { currentHost, printJson } from '../daemon-client.ts';
import { endpointNote } from '../endpoints/note.ts';
import type { FirstEndpoint } from '../service/first-endpoint.ts';
import type { Pong } from '../service/handshake.ts';
import type { WholeStatus } from '../service/status.ts';
import { statusExitCode, wholeStatus } from '../service/status.ts';

/** `footbridge status`. */
export const status = defineCommand({
  name: 'status',
  summary: 'Show the bridge: its service, whether it answers, and who is connected',
  group: 'bridge',
  json: true,
  details: [
    'Exits with 0 when it serves, 1 when it runs and does not answer, 3 when it is installed and does not run,',
    'and 4 when there is none.',
  ],
  examples: [
    ['footbridge status', 'What runs, and whether it answers'],
    ['footbridge status --json', 'The same for a script; the exit code tells it, too'],
  ],
  async run({ json }, io) {
    const whole = await wholeStatus(io);
    const { service, bridge } = whole;
    if (json) {
      const { reach, handshake = null } = bridge ?? {};
      const behind = reach?.behind ?? null;
      const { first = null } = whole;
      printJson(io, { running: bridge !== undefined, first, service, handshake, behind, ...bridge?.status });
    } else io.out(withCallableCommands(wholeText(whole, io.env), io.env));
    return statusExitCode(whole);
  },
});

function wholeText({ service, bridge, first }: WholeStatus, env: Environment): string {
  const rows = [['service', serviceText(service)]];
  if (bridge !== undefined) return bridgeText(bridge, rows);
  const host = currentHost();
  rows.push(['bridge', `none answers for ${printable(searchedFoldersText(host, env))}`]);
  const otherUsers = otherUsersText(host, env);
  if (otherUsers !== undefined) return columns([...rows, ['to do', otherUsers]]);
  if (first !== undefined) return columns([...rows, ...firstRows(first)]);
  const isThere = service.state.kind !== 'absent';
  rows.push([
    'try',
    isThere ? 'footbridge start, or footbridge logs' : 'footbridge install, or footbridge run',
  ]);
  return columns(rows);
}

/** Advice beside a program that has the endpoint that apps try first. */
function firstRows({ path, kind, text, answers }: FirstEndpoint): string[][] {
  const row = [kind, printable(`${path}: ${text}`)];
  if (kind === 'program') return [row, ['to do', printable(strangerRemedy(path, answers))]];
  return [
    row,
    ['to do', 'nothing: apps reach the bridge at the other end of the forward; footbridge doctor says more'],
  ];
}

function serviceText({ manager, state }: WholeStatus['service']): string {
  switch (state.kind) {
    case 'absent':
      return 'not installed';
    case 'running': {
      const again = (state.restarts ?? 0) > 0 ? `, started again ${state.restarts} times` : '';
      return `runs under ${manager}${state.pid === undefined ? '' : `, pid ${state.pid}`}${again}`;
    }
    case 'starting':
      return `${manager} starts it`;
    case 'stopped':
      return `installed (${manager}) and stopped${state.reason === undefined ? '' : `: ${printable(state.reason)}`}`;
    case 'failed':
      return `${manager} gave it up: ${printable(state.reason)}`;
    case 'unknown':
      return `installed; ${printable(state.reason)}`;
  }
}

function answerText(answer: Pong, reach: CoreReach | undefined): string {
  if (answer.kind === 'failed') return `FAILED: ${printable(answer.reason)}`;
  const refusal = reach?.served === false ? '; apps are refused until a client is there' : '';
  return `answers after ${answer.ms} ms${refusal}`;
}

function bridgeText(
  { status: answer, reach, handshake }: NonNullable<WholeStatus['bridge']>,
  above: readonly string[][],
): string {
  const { core, sessions } = answer;
  // The remedy for a program in front of the bridge also makes the chat client reachable, so it is the only remedy in
  // the report.
  const [inFront] = answer.notInFrontOf;
  const rows = [
    ...above,
    ['footbridge', `${answer.version}, pid ${answer.pid}, up ${duration(answer.uptime)}`],
    ['endpoint', answerText(handshake, reach)],
    ['core', printable(core.api === null ? core.name : `${core.name}, ${core.api}`)],
    ...(reach === undefined ? [] : [['behind it', printable(behindText(reach, inFront !== undefined))]]),
    ...answer.notInFrontOf.map(({ path, why }) => ['not in front', printable(`${path}: ${why}`)]),
    ...toDo(inFront === undefined ? reach?.remedy : inFrontRemedy(inFront.path, core.name)),
    ...core.details.map(([label, text]) => [label, printable(text)]),
    ...answer.endpoints.map(({ kind, path }) => [kind, printable(path)]),
    ...furtherRows(answer.further),
    ...forwardRows(answer.forwards),
    ...placeRows(answer),
    ...unstoredIn(answer).map((text) => [
      'not stored',
      printable(`${text}; its last changes end with the bridge`),
    ]),
    ...answer.weaker.map((text) => ['weaker', text]),
    ['memory', answer.rss === null ? 'unknown' : `${(answer.rss / 1024 / 1024).toFixed(1)} MiB`],
    ['journal', journalText(answer.journal)],
    ['sessions', String(sessions.length)],
    ...refusedRows(answer.refused),
  ];
  const table = sessions.map((session) => [
    `  ${session.id.slice(0, 8)}`,
    printable(session.application ?? session.clientId ?? '-'),
    session.pid === null
      ? 'pid ?'
      : printable(`pid ${session.pid}${session.program == null ? '' : ` (${session.program})`}`),
    printable(session.endpoint == null ? session.transport : throughText(session)),
    session.state,
    amount(session.subscriptions, 'subscription'),
    printable(session.scopes.join(' ')),
  ]);
  return columns(rows) + columns(table);
}

/** Endpoints with rights of their own; absent in the status of an older bridge. */
function furtherRows(further: ControlStatus['further'] | undefined = []): string[][] {
  return further.map((one) => {
    const { name, path, rights, why } = one;
    const allowed = typeof rights === 'string' ? rights : rights.join(' ');
    const note = endpointNote(one);
    const text =
      why === null
        ? `${path} (${allowed})${note === '' ? '' : `, ${note}`}`
        : `not served: ${note} (${allowed})`;
    return [printable(name), printable(text)];
  });
}

/** Files of the bridge, whose environment may differ from that of this command. */
function placeRows(status: ControlStatus): string[][] {
  const places = placesIn(status);
  if (places === undefined) return [];
  const { config, data, log } = places;
  return [
    ...(config === null ? [] : [['configuration', printable(config)]]),
    ['data', printable(data ?? 'stored nowhere')],
    ...(log === null ? [] : [['log', printable(log)]]),
  ];
}

/** Forwards of the configuration; absent in the status of an older bridge. */
function forwardRows(forwards: ControlStatus['forwards'] | undefined = []): string[][] {
  return forwards.map((forward) => {
    const { name, from, to, rights } = forward;
    return [
      `forward ${printable(name)}`,
      printable(`${from} to ${to} (${rights}): ${forwardStateText(forward)}`),
    ];
  });
}

function forwardStateText({ state, why, lastError, sessions }: ControlStatus['forwards'][number]): string {
  if (state === 'starting') return lastError === null ? 'starting' : `starting; last error: ${lastError}`;
  const count = amount(sessions, 'session');
  return why === null ? count : `${count}; ${why}`;
}

function throughText({ transport, endpoint, sandbox }: ControlStatus['sessions'][number]): string {
  return `${transport} at ${endpoint}${sandbox === null ? '' : `, ${sandbox}`}`;
}

/** Absent in the status of an older bridge. */
function journalText(journal: ControlStatus['journal'] | undefined): string {
  if (journal == null) return 'off; journal = true turns it on';
  const { entries, bytes } = journal;
  return `${amount(entries, 'entry', 'entries')}, ${(bytes / 1024 / 1024).toFixed(1)} MiB: footbridge watch`;
}

/** Maximum of refused pages in the table. */
const MAX_REFUSED = 3;

/** Rows for refused pages, newest first; an older bridge has no such list in its status. */
function refusedRows(refused: ControlStatus['refused'] | undefined = []): string[][] {
  const more = refused.length - MAX_REFUSED;
  return [
    ...refused.slice(0, MAX_REFUSED).flatMap((page) => [
      ['refused', `${describeRefusal(page)}, last ${ago(page.at)}`],
      ['to do', printable(page.remedy)],
    ]),
    ...(more > 0 ? [['refused', `${more} more: footbridge status --json, or footbridge journal`]] : []),
  ];
}

function ago(at: number): string {
  return `${duration(Math.max(0, Math.round((Date.now() - at) / 1000)))} ago`;
}

/**
 * Text of the row `behind it`. If a program is in front of the bridge and nothing is behind it, both have the same
 * cause: the chat client was started first.
 */
function behindText({ core, behind, text }: CoreReach, hasOneInFront: boolean): string {
  if (core !== 'upstream' || behind !== false || !hasOneInFront) return text;
  return 'nothing: the program in front was started first, so apps connect to it and not to the bridge';
}

function toDo(remedy: string | null | undefined): string[][] {
  return remedy == null ? [] : [['to do', printable(remedy)]];
}

/** `1d 2h`, `5m 3s`: the two largest units. */
export function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const;
  const parts: string[] = [];
  let left = seconds;
  for (const [unit, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0s';
}
