import { type ChildProcess, spawn } from 'node:child_process';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../bench/statistics.ts';
import { atMost, type Figure, type Scenario } from './figure.ts';
import { type Target, withTarget } from './target.ts';

/** The user that is nobody. */
const STRANGER_UID = 65_534;
const PER_SECOND = 1000;
const SAMPLES = 300;

/** Connects at a steady rate, sends one complete request on each connection, and prints how many were made. */
const SCRIPT = `
  const { connect } = require('node:net');
  const [port, perSecond] = process.argv.slice(1).map(Number);
  const begin = Date.now();
  let made = 0;
  setInterval(() => {
    for (const due = ((Date.now() - begin) * perSecond) / 1000; made < due; made++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {}).resume();
      socket.write('GET /api/gateway HTTP/1.1\\r\\nHost: 127.0.0.1:' + port + '\\r\\n\\r\\n');
    }
    process.stdout.write(made + '\\n');
  }, 5);
`;

/** One process of another user that opens 1,000 connections a second, each with a complete request, to an HTTP port. */
export const strangers: Scenario = {
  name: 'strangers',
  rows: ['T52'],
  raised: {},
  async run(progress) {
    if (process.getuid?.() !== 0 || process.platform !== 'linux') {
      progress('skipped: needs root on Linux');
      return [];
    }
    const measure = async ({ ready, control }: Target): Promise<readonly Figure[]> => {
      const { url } = (await control.call('console.address')) as { readonly url: string };
      const ports = { 'HTTP API': Number(new URL(ready.api).port), console: Number(new URL(url).port) };
      const figures: Figure[] = [];
      for (const [what, port] of Object.entries(ports)) figures.push(await flooded(what, port));
      return figures;
    };
    return withTarget({}, measure, { env: { FOOTBRIDGE_CONSOLE: 'true' } });
  },
};

async function flooded(what: string, port: number): Promise<Figure> {
  // The first requests load what answers.
  await times(port, 20);
  const idle = percentile(await times(port, SAMPLES), 50);
  const attacker = spawn(process.execPath, ['-e', SCRIPT, String(port), String(PER_SECOND)], {
    uid: STRANGER_UID,
    gid: STRANGER_UID,
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): void => void attacker.kill('SIGKILL');
  process.once('exit', kill);
  let made = 0;
  attacker.stdout.on('data', (text) => {
    made = Number(String(text).trim().split('\n').at(-1));
  });
  try {
    await atWork(attacker, () => made);
    const [before, begin] = [made, performance.now()];
    const busy = percentile(await times(port, SAMPLES), 50);
    const rate = ((made - before) * 1000) / (performance.now() - begin);
    const goal = `${PER_SECOND.toLocaleString('en')} connections a second of another user: ${what} p50 ≤ 2 × idle`;
    const note = ` (${idle.toFixed(2)} → ${busy.toFixed(2)} ms, ${rate.toFixed(0)}/s)`;
    return atMost(goal, busy / idle, 2, { unit: '×', note });
  } finally {
    process.off('exit', kill);
    kill();
  }
}

/** Resolves once it has connected for a second. */
async function atWork(attacker: ChildProcess, made: () => number): Promise<void> {
  while (made() < PER_SECOND) {
    if (attacker.exitCode !== null) throw new Error('the attacker ended before it was at work');
    await delay(50);
  }
}

/** How long honest requests take (ms), each on a connection of its own, one every 5 ms. */
async function times(port: number, count: number): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < count; n++) {
    const begin = performance.now();
    await status(port);
    all.push(performance.now() - begin);
    await delay(5);
  }
  return all;
}

function status(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/api/gateway', agent: false }, (response) => {
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
}
