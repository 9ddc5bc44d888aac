import { columns } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { defineCommand } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';

/** Digits of the oldest ids. */
const MIN_ID_DIGITS = 17;

const who = {
  name: 'CLIENT_ID|PRESET',
  help: 'id of the app that the page speaks for, or the name of a preset',
  arity: 'one',
  completes: ['streamkit', 'overlayed', 'discord'],
} as const;
const where = {
  name: 'ORIGIN',
  help: 'as a browser sends it, such as http://localhost:3000',
  arity: 'optional',
} as const;

/** `footbridge origins add CLIENT_ID ORIGIN`. */
export const originsAdd = defineCommand({
  name: 'origins add',
  summary: 'Let a web page connect and speak for an app',
  group: 'consent',
  positionals: [who, where],
  json: true,
  details: [
    'Presets: streamkit, overlayed, discord. Without an entry no web page can connect at all.',
    'The page may use the HTTP API and the gateway of the emulator as well.',
  ],
  examples: [
    [
      'footbridge origins add 300000000000000002 http://localhost:3000',
      'A page of your own, for one application',
    ],
    ['footbridge origins add streamkit', 'A known overlay by its name'],
  ],
  run({ positionals, json }, io) {
    return change(io, json, 'origins.add', positionals);
  },
});

/** `footbridge origins remove CLIENT_ID ORIGIN`. */
export const originsRemove = defineCommand({
  name: 'origins remove',
  summary: 'Take such a permission back',
  group: 'consent',
  positionals: [who, where],
  json: true,
  examples: [
    ['footbridge origins remove 300000000000000002 http://localhost:3000', 'One page'],
    ['footbridge origins remove streamkit', 'All pages of a preset'],
  ],
  run({ positionals, json }, io) {
    return change(io, json, 'origins.remove', positionals);
  },
});

/** `footbridge origins`. */
export const originsList = defineCommand({
  name: 'origins',
  summary: 'List the web pages that may connect',
  group: 'consent',
  json: true,
  examples: [['footbridge origins', 'Every page that may connect, and for which app']],
  run(_invocation, io) {
    return call(io, _invocation.json, 'origins.list', {});
  },
});

async function change(
  io: Io,
  json: boolean,
  operation: string,
  positionals: readonly string[],
): Promise<number> {
  const [clientId = '', origin] = positionals;
  if (origin === undefined && /^\d+$/.test(clientId)) {
    throw usage('An origin is missing, such as http://localhost:3000.', {
      name: operation.replace('.', ' '),
    });
  }
  const code = await call(
    io,
    json,
    operation,
    origin === undefined ? { preset: clientId } : { clientId, origin },
  );
  // Every existing app has an id of at least this many digits, so a shorter id is usually a slip.
  if (operation === 'origins.add' && /^\d+$/.test(clientId) && clientId.length < MIN_ID_DIGITS)
    io.err(`note: ${clientId} is shorter than the id of any application: no app may have it.\n`);
  return code;
}

async function call(io: Io, json: boolean, operation: string, args: object): Promise<number> {
  const answer = (await daemonClient(io).call(operation, args)) as {
    readonly origins: readonly Entry[];
    /** This member and the next are only in the answer to `origins.list`. */
    readonly ofCore?: readonly Entry[];
    readonly damaged?: readonly string[];
  };
  const ofCore = answer.ofCore ?? [];
  if (json) printJson(io, answer);
  else if (answer.origins.length + ofCore.length === 0) io.out('No web page may connect.\n');
  else {
    io.out(columns([['APP', 'ORIGIN'], ...answer.origins.map(row), ...ofCore.map(rowOfCore)]));
  }
  for (const path of answer.damaged ?? [])
    io.err(
      `note: the list was damaged and is in ${printable(path)}. Add its pages again, then remove that file.\n`,
    );
  return ExitCode.OK;
}

interface Entry {
  readonly clientId: string;
  readonly origin: string;
}

function row({ clientId, origin }: Entry): string[] {
  return [clientId === '*' ? 'any app' : printable(clientId), printable(origin)];
}

function rowOfCore(entry: Entry): string[] {
  return [...row(entry), '(rpc_origins of the emulator)'];
}
