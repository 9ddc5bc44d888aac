import { dirname } from 'node:path';
import { isLocalError, LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { shellWord } from '../../base/shell-word.ts';
import { columns } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import type { FurtherEndpoint } from '../../control/routes.ts';
import type { EndpointSetting } from '../../daemon/config/endpoints.ts';
import { TableFault } from '../../daemon/config/table.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { bridgePlaces } from '../bridge-places.ts';
import { type EditedFile, isSameFile, openConfiguration, saveConfiguration } from '../configuration/file.ts';
import { withoutTable, withTable } from '../configuration/tables.ts';
import { daemonClient, printJson, printResult } from '../daemon-client.ts';
import { quote, usage } from '../parse.ts';
import { endpointNote } from './note.ts';
import { checkEndpoints, ENDPOINT_TABLES, type EndpointTable, endpointsOf } from './tables.ts';

/** An endpoint as the command prints it; `state` is `not running` without a bridge. */
interface Row extends Omit<FurtherEndpoint, 'state'> {
  readonly state: FurtherEndpoint['state'] | 'not running';
}

/** Prints every endpoint of the running bridge, or those of the configuration where none runs. */
export async function listEndpoints(config: string | undefined, json: boolean, io: Io): Promise<number> {
  const file = await openConfiguration(io.env, config);
  const configured = endpointsOf(file, file.text, io.env);
  const rows = (await servedRows('endpoints.list', io)) ?? configured.flatMap(withoutBridge);
  if (json) printJson(io, rows);
  else if (rows.length === 0)
    io.out('There is no endpoint besides the bridge\'s own. "footbridge endpoints add flatpak" adds one.\n');
  else io.out(tableOf(rows));
  return ExitCode.OK;
}

/** Prints the folder of an endpoint's socket, which a container mounts. */
export async function printMountPath(
  name: string | undefined,
  config: string | undefined,
  json: boolean,
  io: Io,
): Promise<number> {
  const file = await openConfiguration(io.env, config);
  const paths = endpointsOf(file, file.text, io.env).filter(({ preset }) => preset === 'path');
  const named = name === undefined ? paths : paths.filter((one) => one.name === name);
  const [one, another] = named;
  if (one === undefined || another !== undefined) throw notOne(name, paths, file);
  const folder = dirname(one.paths[0] ?? '');
  return printResult(io, json, { name: one.name, path: folder }, () => `${printable(folder)}\n`);
}

/** Adds an endpoint to the configuration file, and to the running bridge. */
export async function addEndpoint(
  table: EndpointTable,
  config: string | undefined,
  json: boolean,
  io: Io,
): Promise<number> {
  const file = await openConfiguration(io.env, config, { creates: true });
  const { name } = table;
  if (endpointsOf(file, file.text, io.env).some((one) => one.name === name)) {
    throw new LocalError(
      'FOOTBRIDGE_ENDPOINT',
      `${file.path} already has an endpoint ${quote(name)}. Give this one another --name, or remove that one: ` +
        `footbridge endpoints remove ${shellWord(name)}`,
    );
  }
  withoutFault(
    () => checkEndpoints(file, [table], io.env),
    ({ problem }) => usage(problem.replace(OPTION_KEY, '--$&'), { name: 'endpoints add' }),
  );
  const text = withTable(file, ENDPOINT_TABLES, table);
  withoutFault(
    () => endpointsOf(file, text, io.env),
    ({ problem }) => new LocalError('FOOTBRIDGE_ENDPOINT', `Nothing was added to ${file.path}: ${problem}`),
  );
  saveConfiguration(file, text);
  return report(
    `Added "${table.name}" to ${file.path}.`,
    { file, name: table.name, command: addCommand(table) },
    json,
    io,
  );
}

/** Key at the beginning of a fault that an option of `footbridge endpoints add` has set. */
const OPTION_KEY = /^(?:name|client|path|rights)(?=:)/;

/** Runs a check, and throws another error instead of a fault in a table. */
function withoutFault(check: () => unknown, errorFor: (fault: TableFault) => LocalError): void {
  try {
    check();
  } catch (error) {
    throw error instanceof TableFault ? errorFor(error) : error;
  }
}

/** Removes an endpoint from the configuration file and from the running bridge. */
export async function removeEndpoint(
  name: string,
  config: string | undefined,
  json: boolean,
  io: Io,
): Promise<number> {
  const file = await openConfiguration(io.env, config);
  const configured = endpointsOf(file, file.text, io.env);
  const at = configured.findIndex((one) => one.name === name);
  if (at === -1) {
    const known = configured.map((one) => one.name);
    const hint = didYouMean(name, known) || ` There are: ${known.join(', ') || 'none'}.`;
    throw new LocalError('FOOTBRIDGE_ENDPOINT', `${file.path} has no endpoint ${quote(name)}.${hint}`);
  }
  saveConfiguration(file, withoutTable(file, ENDPOINT_TABLES, at));
  const command = `endpoints remove ${shellWord(name)}`;
  return report(`Removed "${name}" from ${file.path}.`, { file, name: undefined, command }, json, io);
}

/** What was changed: the file, the name of a new endpoint, and the command without `--config`. */
interface Change {
  readonly file: EditedFile;
  readonly name: string | undefined;
  readonly command: string;
}

/** The words of the command that adds a table. */
function addCommand({ name, preset, client, path, rights }: EndpointTable): string {
  const kind = preset ?? 'path';
  const options = { name: name === kind ? undefined : name, client, path, rights: rights?.toString() };
  const words = Object.entries(options).flatMap(([option, value]) =>
    value === undefined ? [] : [` --${option} ${shellWord(value)}`],
  );
  return `endpoints add ${kind}${words.join('')}`;
}

/** Lets the running bridge read the file again, and prints the result. FINDINGS where it cannot serve the endpoint. */
async function report(done: string, { file, name, command }: Change, json: boolean, io: Io): Promise<number> {
  const read = (await bridgePlaces(io.env))?.config;
  if (read !== undefined && (read === null || !isSameFile(read, file.path))) {
    if (json) printJson(io, { done, running: true, reads: read, endpoints: [] });
    else io.out(`${printable(done)}\n`);
    const other =
      read === null ? 'no file' : `${read}. For that one: footbridge ${command} --config ${shellWord(read)}`;
    io.err(`footbridge: nothing changes now: the running bridge reads ${printable(other)}\n`);
    return read === null ? ExitCode.OK : ExitCode.FINDINGS;
  }
  const served = await servedRows('endpoints.reload', io);
  const rows = served?.filter((row) => row.name === name) ?? [];
  if (json) printJson(io, { done, running: served !== undefined, endpoints: rows });
  else {
    io.out(`${printable(done)}\n`);
    if (served === undefined) io.out('No bridge runs; the next one reads it.\n');
    else if (rows.length > 0) io.out(tableOf(rows));
  }
  const blocked = rows.filter(({ state }) => state === 'blocked');
  for (const row of blocked)
    io.err(`footbridge: ${printable(`${row.name} is not served: ${row.why ?? ''}`)}\n`);
  return blocked.length > 0 ? ExitCode.FINDINGS : ExitCode.OK;
}

/**
 * The endpoints of the running bridge, with `endpoints.reload` after it has read its file; undefined without a bridge.
 */
async function servedRows(
  operation: 'endpoints.list' | 'endpoints.reload',
  io: Io,
): Promise<readonly Row[] | undefined> {
  try {
    return (await daemonClient(io).call(operation)) as readonly FurtherEndpoint[];
  } catch (error) {
    if (isLocalError(error) && error.code === 'FOOTBRIDGE_NO_DAEMON') return undefined;
    throw error;
  }
}

function withoutBridge({ name, preset, paths, rights }: EndpointSetting): Row[] {
  return paths.map((path) => ({
    name,
    preset,
    path,
    rights,
    state: 'not running',
    why: 'no bridge runs. Start one with footbridge start or footbridge run.',
  }));
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    printable(row.name),
    row.state,
    typeof row.rights === 'string' ? row.rights : printable(row.rights.join(' ')),
    printable(row.path),
    printable(endpointNote(row)),
  ]);
  return columns([['NAME', 'STATE', 'RIGHTS', 'PATH', ''], ...lines]);
}

function notOne(name: string | undefined, paths: readonly EndpointSetting[], file: EditedFile): LocalError {
  const known = paths.map((one) => one.name).join(', ');
  if (known === '') {
    return new LocalError(
      'FOOTBRIDGE_ENDPOINT',
      `${file.path} has no endpoint with a path, which a container could mount. ` +
        'Add one: footbridge endpoints add path --path "$XDG_RUNTIME_DIR/footbridge-apps/discord-ipc-0"',
    );
  }
  const problem =
    name === undefined ? 'has several endpoints with a path' : `has no endpoint ${quote(name)} with a path`;
  return new LocalError('FOOTBRIDGE_ENDPOINT', `${file.path} ${problem}. Name one of: ${known}.`);
}
