// What the C header takes, beside the same work without it. `npm run bench -- native`
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { UNLIMITED } from './built.ts';
import type { CoreFigure } from './cores.ts';
import { median } from './statistics.ts';

const APP = '300000000000000001';
const CONNECTIONS = 1000;
const RESTARTS = 50;

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const SOURCE = `#define FB_IMPLEMENTATION\n#include "${pathOf('../../src/native/footbridge.h')}"\n`;

/** What `native.c` prints: times in µs, and bytes. */
interface Printed {
  readonly bare: number;
  readonly header: number;
  readonly poll: number;
  readonly call: number;
  readonly heap: number;
}

/** Measures it all; about half a minute. Needs gcc. */
export async function measureNative(passes: number, tell: (text: string) => void): Promise<CoreFigure[]> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-native-'));
  const compile = (source: string, ...flags: readonly string[]): string => {
    const program = join(folder, source.replace(/^.*\//, '').replace(/\.c$/, ''));
    execFileSync('gcc', ['-std=gnu99', '-O2', ...flags, pathOf(source), '-o', program]);
    return program;
  };
  try {
    tell('connections');
    const runs = await connections(compile('native.c'), passes);
    tell('restarts');
    const [ratios, idle] = [
      runs.map(({ bare, header }) => header / bare),
      runs.map(({ poll, call }) => poll - call),
    ];
    const times = await restarts(compile('../native/visitor.c'));
    const [everything, presence] = [sizes(folder), sizes(folder, '-DFB_PRESENCE_ONLY', '-DFB_NO_STDIO')];
    return [
      { ...size('everything', everything), most: 30 },
      { ...size('presence alone', presence), most: 14 },
      { name: 'zeroed data', value: everything.bss + presence.bss, most: 0, unit: 'bytes' },
      {
        name: 'heap of a client',
        value: Math.max(...runs.map(({ heap }) => heap)) / 1024,
        most: 64,
        unit: 'KiB',
      },
      {
        name: 'connect to READY, ÷ a bare client in C',
        value: median(ratios),
        most: 1.5,
        unit: '×',
        more: ` (${spread(ratios)}; ${median(runs.map(({ header }) => header)).toFixed(0)} µs)`,
      },
      {
        name: 'fb_poll with nothing to do, beside its system call',
        value: median(idle),
        most: 1,
        unit: 'µs',
        more: ` (${spread(idle)}; the call ${median(runs.map(({ call }) => call)).toFixed(2)} µs)`,
      },
      {
        name: `presence and subscription back after a restart, longest of ${RESTARTS}`,
        value: Math.max(...times),
        most: 1000,
        unit: 'ms',
        more: ` (median ${median(times).toFixed(0)})`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const spread = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;

async function connections(program: string, passes: number): Promise<Printed[]> {
  const daemon = await startDaemon({ env: UNLIMITED });
  try {
    const args = [daemon.endpoint, APP, String(CONNECTIONS)];
    return Array.from(
      { length: passes },
      () => JSON.parse(execFileSync(program, args, { encoding: 'utf8' })) as Printed,
    );
  } finally {
    await daemon.stop();
  }
}

/** Times from a bridge that listens again until the presence and a subscription are there (ms). */
async function restarts(program: string): Promise<number[]> {
  const bridge = await startEmulator();
  const tasks = {
    CONFORMANCE_CLIENT_ID: APP,
    CONFORMANCE_TASK: 'presence',
    CONFORMANCE_DETAILS: 'At sea',
    ALSO_SUBSCRIBED: 'ACTIVITY_JOIN',
  };
  const client = spawn(program, { env: { ...process.env, ...bridge.env, ...tasks }, stdio: 'ignore' });
  try {
    const times: number[] = [];
    const subscribed = (): number => bridge.journal({ kinds: ['frame'] }).filter(isSubscribing).length;
    for (let count = 0; count <= RESTARTS; count += 1) {
      const begun = performance.now();
      while (bridge.presence(APP) === null || subscribed() <= count) await turn();
      if (count > 0) times.push(performance.now() - begun);
      if (count < RESTARTS) await bridge.restart();
    }
    return times;
  } finally {
    client.kill();
    await bridge.close();
  }
}

const isSubscribing = (entry: JournalEntry): boolean =>
  entry.kind === 'frame' && entry.direction === 'in' && entry.text.includes('"SUBSCRIBE"');

interface Sizes {
  readonly code: number;
  readonly constants: number;
  readonly bss: number;
}

/** Sizes of the object that a compiler makes for a small program (bytes). */
function sizes(folder: string, ...flags: readonly string[]): Sizes {
  const object = join(folder, 'header.o');
  execFileSync('gcc', ['-std=gnu99', '-Os', ...flags, '-x', 'c', '-c', '-', '-o', object], { input: SOURCE });
  const lines = execFileSync('size', ['-A', object], { encoding: 'utf8' }).split('\n');
  const sum = (prefix: string): number =>
    lines
      .filter((line) => line.startsWith(prefix))
      .reduce((bytes, line) => bytes + Number(line.trim().split(/\s+/)[1]), 0);
  return { code: sum('.text'), constants: sum('.rodata') + sum('.data'), bss: sum('.bss') };
}

function size(
  what: string,
  { code, constants }: Sizes,
): Pick<CoreFigure, 'name' | 'value' | 'unit' | 'more'> {
  const more = ` (and ${(constants / 1000).toFixed(1)} KB of constants)`;
  return { name: `object code, ${what}`, value: code / 1000, unit: 'KB', more };
}
