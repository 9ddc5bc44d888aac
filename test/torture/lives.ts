import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { atMost, type Scenario } from './figure.ts';
import { createRuntime, honestHandshakes, RawClient, startAttacker } from './target.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));
const RUN = [...NODE_FLAGS, PROGRAM, 'run', '--json', '--http-port', '0', '--consent', 'allow'];

/** From `kill -9` to the next READY, the worst of 15. */
export const restart: Scenario = {
  name: 'restart',
  rows: ['R01'],
  raised: {},
  async run(progress) {
    const runtime = createRuntime();
    let worst = 0;
    try {
      for (let round = 0; round < 15; round++) {
        progress(`round ${round + 1} of 15`);
        const first = await startDaemon({ runtime });
        await honestHandshakes(first.endpoint, 1);
        const begin = performance.now();
        await first.kill();
        const second = await startDaemon({ runtime });
        await honestHandshakes(second.endpoint, 1);
        worst = Math.max(worst, performance.now() - begin);
        await second.kill();
      }
    } finally {
      runtime.remove();
    }
    const goal = '`kill -9` to the next handshake ≤ 500 ms (worst of 15)';
    return [atMost(goal, worst, 500, { unit: 'ms', digits: 0 })];
  },
};

const ROUNDS = 25;
const RACERS = 6;

/** Six daemons race for the socket that a killed one left. */
export const races: Scenario = {
  name: 'races',
  rows: ['T07', 'R03'],
  raised: {},
  async run(progress) {
    const runtime = createRuntime();
    let good = 0;
    try {
      for (let round = 0; round < ROUNDS; round++) {
        progress(`round ${round + 1} of ${ROUNDS}`);
        // What is left after each round is a dead socket: its owner is killed.
        const outcomes = await Promise.all(Array.from({ length: RACERS }, (_, n) => race(runtime, n)));
        const owners = outcomes.filter((outcome) => outcome.kind === 'owner');
        const refused = outcomes.filter((outcome) => outcome.kind === 'ended' && outcome.code === 75);
        if (owners.length === 1 && refused.length === RACERS - 1) good += 1;
        await Promise.all(owners.map((owner) => owner.kill()));
      }
    } finally {
      runtime.remove();
    }
    const goal = `exactly 1 owner in ${ROUNDS} of ${ROUNDS} six-way races over a stale socket`;
    return [{ goal, value: good, met: good === ROUNDS, measured: `${good} of ${ROUNDS}` }];
  },
};

type Outcome =
  | { readonly kind: 'owner'; kill(): Promise<void> }
  | { readonly kind: 'ended'; readonly code: number | null };

function race(runtime: ReturnType<typeof createRuntime>, n: number): Promise<Outcome> {
  const data = join(runtime.folder, `data-${n}`);
  mkdirSync(data, { recursive: true });
  const child = spawn(process.execPath, [...RUN, '--index', '0', '--data-dir', data], {
    env: { ...runtime.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      process.off('exit', killAtExit);
      resolve(code);
    });
  });
  return new Promise((resolve) => {
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL');
      await closed;
    };
    child.stdout.once('data', () => resolve({ kind: 'owner', kill }));
    void closed.then((code) => resolve({ kind: 'ended', code }));
  });
}

/** SIGTERM with a full disk under the log, mute peers and one that never leaves; the worst of five. */
export const sigterm: Scenario = {
  name: 'sigterm',
  rows: ['R04', 'R12'],
  raised: {},
  async run(progress) {
    let worst = 0;
    for (let round = 0; round < 5; round++) {
      progress(`round ${round + 1} of 5`);
      worst = Math.max(worst, await timeToExit());
    }
    const goal = 'SIGTERM to exit ≤ 2.5 s with a full disk and mute peers (worst of 5)';
    return [atMost(goal, worst / 1000, 2.5, { unit: 's', digits: 2 })];
  },
};

async function timeToExit(): Promise<number> {
  const runtime = createRuntime();
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [...RUN, '--log-level', 'debug'], {
    env: { ...runtime.env },
    stdio: ['ignore', 'pipe', full],
  });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const path = join(runtime.folder, 'discord-ipc-0');
    const mute = await startAttacker('mute', path, 10);
    const lingering = new RawClient(path);
    await lingering.handshake();
    const begin = performance.now();
    child.kill('SIGTERM');
    await closed;
    const time = performance.now() - begin;
    await mute.stop();
    return time;
  } finally {
    child.kill('SIGKILL');
    process.off('exit', killAtExit);
    await closed;
    closeSync(full);
    runtime.remove();
  }
}
