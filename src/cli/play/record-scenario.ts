import { amount } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { daemonClient, printResult } from '../daemon-client.ts';
import { holdSignals } from '../emulate/child.ts';
import { writableTarget, writeTarget } from '../private-target.ts';

/** Records on the bridge that runs until a signal, and writes the scenario. */
export async function recordScenario(
  path: string,
  { name, json }: { readonly name?: string | undefined; readonly json: boolean },
  io: Io,
): Promise<number> {
  const target = writableTarget(path, 'file');
  const client = daemonClient(io);
  const signals = holdSignals();
  await client.call('record.start', {});
  io.err('Recording; Ctrl-C ends it.\n');
  // Waiting for a signal alone would not keep the process.
  const timer = setInterval(() => {}, 60_000);
  await signals.first;
  clearInterval(timer);
  const { text, steps, left } = (await client.call('record.stop', name === undefined ? {} : { name })) as {
    readonly text: string;
    readonly steps: number;
    readonly left: number;
  };
  if (steps === 0) {
    io.err('Nothing was done that a scenario has a step for; no file is written.\n');
    return ExitCode.FAILED;
  }
  await writeTarget(target, path, text, 'file');
  return printResult(
    io,
    json,
    { file: target, steps, left },
    () => `${amount(steps, 'step is', 'steps are')} in ${path}. Play it: footbridge emulator play ${path}\n`,
  );
}
