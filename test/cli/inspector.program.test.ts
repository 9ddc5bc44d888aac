import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { createRuntime } from '../helpers/daemon.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));
const noSignals = process.platform === 'win32' ? ' (skipped: Windows has no SIGUSR1)' : '';
const STARTS = 12;
const EVERY_MS = 10;

interface Start {
  /** The ports that Node says it has opened for a debugger. */
  readonly ports: () => readonly number[];
}

/**
 * Starts a bridge that gets SIGUSR1 every 10 ms, the first time after `delay` ms, also once it serves. Undefined when
 * that was before Node handles signals, which ended it.
 */
async function startSignalled(flags: readonly string[], delay: number): Promise<Start | undefined> {
  const runtime = createRuntime();
  const argv = [...flags, PROGRAM, 'run', '--json', '--http-port', '0', '--ws-port', 'off'];
  const child = spawn(process.execPath, argv, { env: runtime.env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let timer: NodeJS.Timeout | undefined;
  const wait = setTimeout(() => {
    child.kill('SIGUSR1');
    timer = setInterval(() => child.kill('SIGUSR1'), EVERY_MS);
  }, delay);
  onTestFinished(() => {
    clearTimeout(wait);
    clearInterval(timer);
    child.kill('SIGKILL');
    runtime.remove();
  });
  const served = await new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', () => resolve(true));
    child.once('close', (code, signal) => {
      if (signal === 'SIGUSR1') resolve(false);
      else reject(new Error(`it ended with ${signal ?? code}: ${said}`));
    });
  });
  if (!served) return undefined;
  const ports = () =>
    [...said.matchAll(/^Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)/gm)].map(([, port]) => Number(port));
  return { ports };
}

/** As many starts as are looked at, the signals of each as early as a start survives. */
async function* signalledStarts(flags: readonly string[]): AsyncGenerator<Start> {
  let delay = 0;
  for (let served = 0; served < STARTS; ) {
    const start = await startSignalled(flags, delay);
    if (start === undefined) {
      delay += 5;
    } else {
      served++;
      yield start;
    }
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

it.skipIf(noSignals !== '')(
  `the bridge never opens the inspector at SIGUSR1 with the Node flags of npm start and the service${noSignals}`,
  async () => {
    const opened: number[] = [];
    for await (const { ports } of signalledStarts(NODE_FLAGS)) opened.push(...ports());
    expect(opened).toEqual([]);
  },
  120_000,
);

it.skipIf(noSignals !== '')(
  `the bridge closes an inspector that Node opened at SIGUSR1 before the first statement, for good${noSignals}`,
  async () => {
    // Any free port: others may run at the same time.
    for await (const { ports } of signalledStarts(['--inspect-port=0'])) {
      const before = ports();
      await expect
        .poll(async () => (await Promise.all(before.map(isOpen))).filter(Boolean), { timeout: 10_000 })
        .toEqual([]);
      expect(ports()).toEqual(before);
    }
  },
  120_000,
);
