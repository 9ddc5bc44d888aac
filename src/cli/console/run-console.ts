import { printableJson } from '../../../platform/text.ts';
import type { ConsoleBackend } from '../../console/backend.ts';
import { serveConsole } from '../../console/console.ts';
import type { ControlClient } from '../../control/client.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { untilStopped } from '../../daemon/signals.ts';
import { askDaemon } from '../ask-daemon.ts';
import { allChecks } from '../doctor/checks.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { gatherScene } from '../doctor/scene.ts';
import { openAddress } from './open.ts';

/** How a call of `footbridge console` differs from a plain one. */
export interface ConsoleCall {
  readonly json: boolean;
  readonly open: boolean;
}

/** An operation may wait that long for something to happen (ms). */
const CALL_MS = 45_000;

/** `footbridge console`: serves the page until a signal ends it. Throws when no bridge runs. */
export async function runConsole(call: ConsoleCall, io: Io): Promise<ExitCode> {
  const client = askDaemon(io);
  await client.status();
  const served = await serveConsole(backendOf(client, io), { uid: process.getuid?.() });
  const stopped = untilStopped();
  tell(served.address(), call, io);
  const opening = call.open ? await openAddress(served.address(), io) : undefined;
  if (opening?.failure !== undefined)
    io.err(`footbridge: no browser could be started (${opening.failure}): open the address yourself\n`);
  const typed = (): void => tell(served.address(), call, io);
  if (io.interactive) io.stdin.on('data', typed);
  await stopped;
  io.stdin.off('data', typed).pause();
  opening?.clear();
  served.close();
  return ExitCode.OK;
}

function tell(url: string, { json }: ConsoleCall, io: Io): void {
  if (json) return io.out(`${printableJson({ url })}\n`);
  const more = io.interactive ? ' Enter prints another one.' : '';
  io.out(
    `The console is at ${url}\nThat address opens it once, within ten minutes.${more} Ctrl+C ends the console.\n`,
  );
}

function backendOf(client: ControlClient, io: Io): ConsoleBackend {
  return {
    status: () => client.status(),
    operations: () => client.operations(),
    call: (name, args, forProcesses) =>
      client.call(name, args, { timeoutMs: CALL_MS, slowness: 'expected', forProcesses }),
    doctor: async () => ({ checks: await runChecks(allChecks, await gatherScene({}, io), false) }),
  };
}
