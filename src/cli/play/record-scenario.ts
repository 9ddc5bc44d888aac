import { resolve } from 'node:path';
import { LocalError } from '../../base/local-error.ts';
import { amount } from '../../base/text.ts';
import type { ControlClient } from '../../control/client.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { daemonClient, printResult } from '../daemon-client.ts';
import { holdSignals } from '../emulate/child.ts';
import { writableTarget, writeTarget } from '../private-target.ts';

/** Interval of the looks whether the recording still runs (ms). */
const LOOK_MS = 1000;

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
  await untilEnded(signals.first, client);
  const { text, steps, expectations, left } = (await client.call('record.stop', {
    ...(name === undefined ? {} : { name }),
    file: resolve(path),
  })) as {
    readonly text: string;
    readonly steps: number;
    readonly expectations: number;
    readonly left: number;
  };
  if (steps === 0) {
    io.err('Nothing was done that a scenario has a step for; no file is written.\n');
    return ExitCode.FAILED;
  }
  await writeTarget(target, path, text, 'file');
  // A private bridge has no bot but the one that this command starts.
  const bot = expectations === 0 ? '' : ' -- COMMAND, with the command that starts the bot';
  return printResult(
    io,
    json,
    { file: target, steps, left },
    () =>
      `${amount(steps, 'step is', 'steps are')} in ${path}. Play it: footbridge emulator play ${path}${bot}\n`,
  );
}

/**
 * Waits for a signal. Rejects when the recording, its world or the bridge was ended by somebody else: nothing of it can be
 * had then.
 */
async function untilEnded(first: Promise<unknown>, client: ControlClient): Promise<void> {
  // The timer also keeps the process, which waiting for a signal alone would not.
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_resolve, reject) => {
    const look = async (): Promise<void> => {
      const { recording } = (await client.call('record.show', {})) as { readonly recording: boolean };
      if (!recording)
        throw new LocalError(
          'FOOTBRIDGE_RECORD',
          'The recording was ended elsewhere, such as in the console.',
        );
    };
    timer = setInterval(() => void look().catch(reject), LOOK_MS);
  });
  try {
    await Promise.race([first, lost]);
  } finally {
    clearInterval(timer);
  }
}
