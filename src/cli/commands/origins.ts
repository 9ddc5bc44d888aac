import { isLocalError } from '../../base/local-error.ts';
import { columns } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import type { Flags } from '../../daemon/config/settings.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import type { Change } from '../../daemon/origins.ts';
import { defineCommand, textOption } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { storedExitCode, warnOfUnstored } from '../unstored.ts';

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

const options = {
  config: textOption('FILE', 'configuration of the next bridge, where none runs'),
  'data-dir': textOption('FOLDER', 'data folder of the next bridge, where none runs'),
} as const;
const OFFLINE = 'Where no bridge runs, the list in the data folder is meant, which the next bridge reads.';

/** `footbridge origins add CLIENT_ID ORIGIN`. */
export const originsAdd = defineCommand({
  name: 'origins add',
  summary: 'Let a web page connect and speak for an app',
  group: 'consent',
  positionals: [who, where],
  options,
  json: true,
  details: [
    'Presets: streamkit, overlayed, discord. Without an entry no web page can connect at all.',
    'The page may use the HTTP API and the gateway of the emulator as well.',
    OFFLINE,
  ],
  examples: [
    [
      'footbridge origins add 300000000000000002 http://localhost:3000',
      'A page of your own, for one application',
    ],
    ['footbridge origins add streamkit', 'A known overlay by its name'],
  ],
  run({ values, positionals, json }, io) {
    return change({ io, json, values }, 'origins.add', positionals);
  },
});

/** `footbridge origins remove CLIENT_ID ORIGIN`. */
export const originsRemove = defineCommand({
  name: 'origins remove',
  summary: 'Take such a permission back',
  group: 'consent',
  positionals: [who, where],
  options,
  json: true,
  details: [OFFLINE],
  examples: [
    ['footbridge origins remove 300000000000000002 http://localhost:3000', 'One page'],
    ['footbridge origins remove streamkit', 'All pages of a preset'],
  ],
  run({ values, positionals, json }, io) {
    return change({ io, json, values }, 'origins.remove', positionals);
  },
});

/** `footbridge origins`. */
export const originsList = defineCommand({
  name: 'origins',
  summary: 'List the web pages that may connect',
  group: 'consent',
  options,
  json: true,
  details: [OFFLINE],
  examples: [['footbridge origins', 'Every page that may connect, and for which app']],
  run({ values, json }, io) {
    return run({ io, json, values }, 'origins.list', {});
  },
});

interface Call {
  readonly io: Io;
  readonly json: boolean;
  readonly values: Flags;
}

async function change(
  call: Call,
  operation: 'origins.add' | 'origins.remove',
  positionals: readonly string[],
): Promise<number> {
  const [clientId = '', origin] = positionals;
  if (origin === undefined && /^\d+$/.test(clientId)) {
    throw usage('An origin is missing, such as http://localhost:3000.', {
      name: operation.replace('.', ' '),
    });
  }
  const code = await run(call, operation, origin === undefined ? { preset: clientId } : { clientId, origin });
  // Every existing app has an id of at least this many digits, so a shorter id is usually a slip.
  if (operation === 'origins.add' && /^\d+$/.test(clientId) && clientId.length < MIN_ID_DIGITS)
    call.io.err(`note: ${clientId} is shorter than the id of any application: no app may have it.\n`);
  return code;
}

interface Answer {
  readonly origins: readonly Entry[];
  /** This member and the next are only in the answer to `origins.list`. */
  readonly ofCore?: readonly Entry[];
  readonly damaged?: readonly string[];
}

async function run(
  { io, json, values }: Call,
  operation: 'origins.list' | 'origins.add' | 'origins.remove',
  args: object,
): Promise<number> {
  const daemon = daemonClient(io);
  let offline: string | undefined;
  const answer = (await daemon.call(operation, args).catch(async (error: unknown) => {
    if (!isLocalError(error) || error.code !== 'FOOTBRIDGE_NO_DAEMON') throw error;
    const { offlineOrigins } = await import('../origins-offline.ts');
    const list = await offlineOrigins(values, io);
    offline = list.path;
    return operation === 'origins.list' ? list.list() : list.change(operation, args as Change);
  })) as Answer;
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
  if (offline !== undefined) {
    io.err(`note: no bridge runs here; the next one reads ${printable(offline)}.\n`);
    return ExitCode.OK;
  }
  if (operation !== 'origins.list') return storedExitCode(io, answer);
  await warnOfUnstored(io, daemon);
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
