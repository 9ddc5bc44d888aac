import { resolve } from 'node:path';
import { LocalError } from '../../base/local-error.ts';
import { amount } from '../../base/text.ts';
import { bridgeVariables } from '../../control/bridge-variables.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { ignoreStraySignals } from '../../daemon/signals.ts';
import type { PrivateBridge } from '../../testing/private-bridge.ts';
import { candidates, listeningEndpoint } from '../app/endpoint.ts';
import { holdSignals, readConsent, runChild } from '../emulate/child.ts';
import { startCommandBridge } from '../emulate/command-bridge.ts';
import { usage } from '../parse.ts';
import { TrafficFile } from '../traffic-file.ts';

const FLUSH_MS = 2000;

/** Options of `footbridge record`. */
export interface RecordFlags {
  readonly core?: string | undefined;
  readonly upstream?: string | undefined;
  readonly fixture?: string | undefined;
  readonly consent?: string | undefined;
}

/**
 * Runs a command against a private bridge and records the traffic. Returns the command's exit code; 1 if the command
 * ended with 0 and the record is incomplete.
 */
export async function recordSession(
  path: string,
  flags: RecordFlags,
  command: readonly string[],
  io: Io,
): Promise<number> {
  const signals = holdSignals();
  ignoreStraySignals();
  const consent = readConsent(flags.consent, 'record');
  const upstream = await upstreamOf(flags, io);
  const source = { consent, ...(upstream === undefined ? {} : { upstream }) };
  const started = await startCommandBridge(flags.fixture, signals, io, source);
  if (typeof started === 'number') return started;
  const { bridge, err } = started;
  const file = await openedBeside(bridge, path, upstream === undefined ? 'emulator' : 'upstream');
  bridge.journal.follow((entry) => file.write(entry));
  // Behind a chat client FOOTBRIDGE_API is not set, so the command gets its tokens from their usual source.
  const env = { ...io.env, ...bridgeVariables(io.env, bridge) };
  let code: number = ExitCode.FAILED;
  let failure: string | undefined;
  try {
    code = await runChild(command, env, signals, io, () => file.begin());
  } finally {
    await bridge.close();
    if (!file.abandon()) {
      failure = file.end();
      if (failure !== undefined) io.err(`footbridge: the record ${path} is not whole: ${failure}\n`);
      else if (io.terminal.err)
        io.err(`footbridge: ${amount(file.entries, 'entry is', 'entries are')} in ${path}\n`);
    }
    await err.flush(FLUSH_MS);
  }
  return failure !== undefined && code === ExitCode.OK ? ExitCode.FAILED : code;
}

/** Opens the record file for a bridge; closes the bridge if the file cannot be written. */
async function openedBeside(bridge: PrivateBridge, path: string, core: string): Promise<TrafficFile> {
  try {
    return new TrafficFile(path, core, (reason, cause) => notWritten(path, reason, cause));
  } catch (error) {
    await bridge.close();
    throw error;
  }
}

/** Endpoint of the chat client behind the bridge; undefined for the emulator. */
async function upstreamOf(
  { core = 'emulator', upstream, fixture }: RecordFlags,
  io: Io,
): Promise<string | undefined> {
  if (core === 'emulator') {
    if (upstream !== undefined) throw usage('--upstream: only with --core upstream.', { name: 'record' });
    return undefined;
  }
  if (core !== 'upstream')
    throw usage(`--core: ${JSON.stringify(core)} is not one of emulator, upstream.`, { name: 'record' });
  if (fixture !== undefined) throw usage('--fixture: only with --core emulator.', { name: 'record' });
  if (upstream !== undefined) return resolve(upstream);
  const found = await listeningEndpoint(io);
  if (found !== undefined) return found;
  throw new LocalError(
    'FOOTBRIDGE_RECORD',
    `There is no chat client at ${candidates(io, undefined).paths[0]} or an endpoint after it. Start one, or name its endpoint with --upstream.`,
  );
}

function notWritten(path: string, reason: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_RECORD',
    `${path} cannot be written: ${reason}. Give a file in a folder of yours, on a disk with room for it.`,
    { cause },
  );
}
