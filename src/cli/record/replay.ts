import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { endpointPath } from '../../../platform/endpoint/endpoints.ts';
import { makeTemporaryFolder } from '../../../platform/files/temporary-folder.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { isLocalError, LocalError, systemCode } from '../../base/local-error.ts';
import { styleFor } from '../../base/style.ts';
import { printableLines } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import type { SessionRecord } from '../../journal/record-reader.ts';
import { playClient } from '../../record/client.ts';
import { diffText, type Mismatch } from '../../record/compare.ts';
import { playApi } from '../../record/http.ts';
import { readRecord } from '../../record/read.ts';
import { exchangesIn, scriptsIn } from '../../record/script.ts';
import { playServer } from '../../record/server.ts';
import { candidates, listeningEndpoint } from '../app/endpoint.ts';
import { currentHost, daemonClient, printJson } from '../daemon-client.ts';
import { holdSignals, runChild } from '../emulate/child.ts';
import { usage } from '../parse.ts';
import { requestedApi } from '../token/api-address.ts';

/** Exit code for a difference. */
const DIFFERENT = 2;
/** Timeout for an answer (ms), which may depend on a user's approval. */
const TIMEOUT_MS = 10_000;

/** Options of `footbridge replay`. */
export interface ReplayFlags {
  readonly as?: string | undefined;
  readonly timing?: true | undefined;
  readonly path?: string | undefined;
  readonly api?: string | undefined;
  readonly json: boolean;
}

/** Replays one side of a record, prints differences as a diff, and returns the exit code. */
export async function replayRecord(
  file: string,
  flags: ReplayFlags,
  command: readonly string[],
  io: Io,
): Promise<number> {
  const { as: side, path, api } = flags;
  if (side !== 'server' && side !== 'client') throw usage('--as: give server or client.', { name: 'replay' });
  if (side === 'server' && command.length === 0) {
    throw usage('--as server: give the command that connects, behind --.', { name: 'replay' });
  }
  if (side === 'server' && (path !== undefined || api !== undefined)) {
    throw usage('--path and --api: only with --as client.', { name: 'replay' });
  }
  if (side === 'client' && command.length > 0)
    throw usage('--as client: takes no command.', { name: 'replay' });
  // The variable names the API of the bridge that is found without --path, so --path alone ignores it.
  const usesApi = side === 'client' && (api !== undefined || path === undefined);
  const apiAddress = usesApi ? requestedApi(api, 'replay', io) : undefined;
  const record = await readRecord(file);
  for (const line of record.secrets) {
    io.err(`footbridge: ${file}:${line}: this line contains a secret; the secret is left out\n`);
  }
  if (side === 'client')
    return printMismatches(await asClient(record, { ...flags, api: apiAddress }, io), ExitCode.OK, flags, io);
  const { mismatches, code } = await asServer(record, flags, command, io);
  return printMismatches(mismatches, code, flags, io);
}

async function asServer(
  { entries }: SessionRecord,
  { timing }: ReplayFlags,
  command: readonly string[],
  io: Io,
): Promise<{ readonly mismatches: readonly Mismatch[]; readonly code: number }> {
  const signals = holdSignals();
  const { os } = currentHost();
  const folder = makeTemporaryFolder('footbridge-replay-');
  try {
    const endpoint = endpointPath(os, folder, 0);
    const server = await playServer(scriptsIn(entries), { endpoint, timing: timing === true });
    const api = await playApi(exchangesIn(entries));
    const variables = { XDG_RUNTIME_DIR: folder, FOOTBRIDGE_ENDPOINT: endpoint, FOOTBRIDGE_API: api.url };
    const env = { ...io.env, ...variables };
    const code = await runChild(command, env, signals, io);
    return { mismatches: [...server.end(), ...api.end()], code };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function asClient(
  { entries }: SessionRecord,
  { timing, path, api }: ReplayFlags,
  io: Io,
): Promise<readonly Mismatch[]> {
  const endpoint = path === undefined ? await endpointOf(io) : resolve(path);
  const address = api ?? (path === undefined ? await apiOf(io) : undefined);
  try {
    return await playClient(entries, {
      endpoint,
      api: address,
      timing: timing === true,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    if (isLocalError(error) || systemCode(error) === undefined) throw error;
    const reason = systemErrorText(error);
    throw new LocalError(
      'FOOTBRIDGE_RECORD',
      `${endpoint}: ${reason}. Start the server first, or name another endpoint with --path.`,
      {
        cause: error,
      },
    );
  }
}

async function endpointOf(io: Io): Promise<string> {
  return (await listeningEndpoint(io)) ?? candidates(io, undefined).paths[0] ?? '';
}

async function apiOf(io: Io): Promise<string | undefined> {
  const status = await daemonClient(io)
    .status()
    .catch(() => undefined);
  return status?.core.api ?? undefined;
}

function printMismatches(
  mismatches: readonly Mismatch[],
  code: number,
  { json }: ReplayFlags,
  io: Io,
): number {
  if (json) printJson(io, { same: mismatches.length === 0, mismatches, exit: code });
  else if (mismatches.length > 0) io.out(coloured(printableLines(diffText(mismatches)), io));
  else io.out('Nothing was different.\n');
  return mismatches.length > 0 ? DIFFERENT : code;
}

function coloured(diff: string, io: Io): string {
  const style = styleFor(io.colour.out);
  return diff
    .split('\n')
    .map((line) => (line.startsWith('-') ? style.bad(line) : line.startsWith('+') ? style.good(line) : line))
    .join('\n');
}
