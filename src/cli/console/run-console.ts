import { printableJson } from '../../base/text.ts';
import type { ConsoleBackend } from '../../console/backend.ts';
import { serveConsole } from '../../console/console.ts';
import type { ControlClient } from '../../control/client.ts';
import type { BridgeFacts } from '../../daemon/bridge-facts.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { untilStopped } from '../../daemon/signals.ts';
import { bugreportOf } from '../bugreport/run-bugreport.ts';
import { daemonClient } from '../daemon-client.ts';
import { examine } from '../doctor/doctor.ts';
import { type Opening, openAddress } from './open.ts';

/** Options of a call of `footbridge console`. */
export interface ConsoleCall {
  readonly json: boolean;
  readonly open: boolean;
}

/** Maximum time for an operation that waits for an event (ms). */
const CALL_MS = 45_000;

/**
 * Runs `footbridge console`: serves the page until a signal ends the process, or opens the page of a bridge that serves
 * its console itself. Throws when no bridge runs. `untilEnd` is for tests.
 */
export async function runConsole(
  call: ConsoleCall,
  io: Io,
  untilEnd: () => Promise<unknown> = untilStopped,
): Promise<ExitCode> {
  const client = daemonClient(io);
  const operations = await client.operations();
  if (operations.some(({ name }) => name === ADDRESS)) {
    const address = async (): Promise<string> =>
      ((await client.call(ADDRESS)) as { readonly url: string }).url;
    printUrl(await address(), 'The bridge serves it until it ends.', call, io);
    // This process ends and cannot remove the file. The next call replaces the file, whose address is useless after one
    // use.
    if (call.open) await open(await address(), 'console', io);
    return ExitCode.OK;
  }
  const served = await serveConsole(backendOf(client, io), { uid: process.getuid?.() });
  const stopped = untilEnd();
  const more = `${io.interactive ? 'Enter prints another one. ' : ''}Ctrl+C ends the console.`;
  const printAddress = (): void => printUrl(served.address(), more, call, io);
  printAddress();
  const opening = call.open ? await open(served.address(), `console-${process.pid}`, io) : undefined;
  if (io.interactive) io.stdin.on('data', printAddress);
  await stopped;
  if (io.interactive) io.stdin.off('data', printAddress).pause();
  opening?.clear();
  served.close();
  return ExitCode.OK;
}

/** Operation of a bridge that serves its console itself. */
const ADDRESS = 'console.address';

async function open(address: string, name: string, io: Io): Promise<Opening> {
  const opening = await openAddress(address, name, io);
  if (opening.failure !== undefined)
    io.err(`footbridge: no browser could be started (${opening.failure}): open the address yourself\n`);
  return opening;
}

function printUrl(url: string, more: string, { json }: ConsoleCall, io: Io): void {
  if (json) return io.out(`${printableJson({ url })}\n`);
  io.out(`The console is at ${url}\nThat address opens it once, within ten minutes. ${more}\n`);
}

/** The running bridge, for a console of this process. */
export function backendOf(client: ControlClient, io: Io): ConsoleBackend {
  const facts = factsOf(client);
  return {
    status: () => client.status(),
    operations: () => client.operations(),
    operation: (name) => client.operation(name),
    call: (name, args, forProcesses) =>
      client.call(name, args, { timeoutMs: CALL_MS, slowness: 'expected', forProcesses }),
    doctor: async () => examine({}, io, await facts()),
    bugreport: async () => bugreportOf({}, io, await facts()),
  };
}

/**
 * Facts of the bridge that runs, which may have been started with other folders and variables than the console; while
 * none answers, those of the last one.
 */
function factsOf(client: ControlClient): () => Promise<BridgeFacts | undefined> {
  let last: BridgeFacts | undefined;
  return async () => {
    try {
      last = (await client.call('bridge.facts')) as BridgeFacts;
    } catch {
      // No bridge runs, or one that is too old for this operation.
    }
    return last;
  };
}
