// What the journal costs a request, and what `footbridge watch` keeps up with. `npm run bench -- journal`
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import { PROGRAM, UNLIMITED } from './built.ts';
import type { CoreFigure } from './cores.ts';
import { FramePeer } from './frame-peer.ts';
import { type Generator, prepareGenerator } from './generator/generator.ts';
import { roundTrips } from './http-round-trips.ts';
import { findPinning, pinned } from './machine.ts';
import { setActivity, signedIn } from './messages.ts';
import { residentBytes } from './process-facts.ts';
import { mustBeClean } from './rows/requests.ts';
import { median } from './statistics.ts';

/** Turns of on and off within a pass, so that a mood of the machine meets both. */
const TURNS = 3;
const MORE_AT_MOST = 1.1;
/** Frames a second that a watcher has to keep up with, and for how long (s). */
const FRAMES_PER_SECOND = 5000;
const SECONDS = 5;
const APPS = 16;

/** Measures them all; about a minute and a half in three passes. */
export async function measureJournal(passes: number, tell: (text: string) => void): Promise<CoreFigure[]> {
  const workFolder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-bench-'));
  try {
    const generator = await prepareGenerator(workFolder);
    const figures: CoreFigure[] = [];
    tell('SET_ACTIVITY');
    figures.push(await ratio('SET_ACTIVITY p50', passes, (daemon) => activityP50(daemon, generator)));
    tell('GET /users/@me');
    figures.push(await ratio('GET /users/@me p50', passes, (daemon) => roundTrips(String(daemon.ready.api))));
    tell('watch');
    figures.push(...(await watched()));
    tell('memory at rest');
    figures.push(await memory(passes));
    return figures;
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

const cpus = (): readonly number[] => {
  const found = findPinning().cpus;
  return typeof found === 'string' ? [] : found;
};

function started(journal: boolean): Promise<Daemon> {
  const [program = '', ...rest] = pinned([process.execPath, ...NODE_FLAGS, PROGRAM], cpus()[0]);
  return startDaemon({
    command: [program, ...rest],
    args: ['--consent', 'allow', '--http-port', '0', '--ws-port', 'off', '--journal', String(journal)],
    env: UNLIMITED,
  });
}

/** Medians of all turns with the journal over those without. */
async function ratio(
  name: string,
  passes: number,
  measure: (daemon: Daemon) => Promise<number>,
): Promise<CoreFigure> {
  const found = { on: [] as number[], off: [] as number[] };
  for (let pass = 0; pass < passes; pass += 1) {
    const daemons = { off: await started(false), on: await started(true) };
    try {
      for (let turn = 0; turn < TURNS; turn += 1) {
        for (const which of ['off', 'on'] as const) found[which].push(await measure(daemons[which]));
      }
    } finally {
      await Promise.all([daemons.on.stop(), daemons.off.stop()]);
    }
  }
  const [on, off] = [median(found.on), median(found.off)];
  const more = ` (${on.toFixed(1)} and ${off.toFixed(1)} µs)`;
  return {
    name: `${name}, with the journal ÷ without`,
    value: on / off,
    most: MORE_AT_MOST,
    unit: '×',
    more,
  };
}

async function activityP50(daemon: Daemon, generator: Generator): Promise<number> {
  const words = {
    path: daemon.endpoint,
    opening: signedIn(undefined),
    request: setActivity,
    pid: daemon.pid,
    'warm-ms': 700,
    'measure-ms': 1000,
  };
  // Both on one processor, as in the row activity-same.
  const result = await generator.run('load', words, cpus()[0]);
  mustBeClean(result);
  return result.p50;
}

/** A watcher in a process of its own, beside an app that asks as often as makes so many frames. */
async function watched(): Promise<CoreFigure[]> {
  const daemon = await started(true);
  const child = spawn(process.execPath, [PROGRAM, 'watch', '--json'], { env: daemon.env, stdio: 'pipe' });
  const seen = { entries: 0, missing: 0 };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as { readonly kind: string; readonly entries?: number };
    if (entry.kind === 'dropped') seen.missing += entry.entries ?? 0;
    else seen.entries += 1;
  });
  try {
    const apps = await Promise.all(Array.from({ length: APPS }, () => FramePeer.open(daemon.endpoint)));
    while (seen.entries === 0) {
      await answered(apps[0]?.request('GET_SELECTED_VOICE_CHANNEL'));
      await sleep(20);
    }
    await sleep(500);
    const before = seen.entries;
    const begun = performance.now();
    const since = (): number => (performance.now() - begun) / 1000;
    let asked = 0;
    // One in flight each, and all together no more than are due.
    const ask = async (app: FramePeer): Promise<void> => {
      while (since() < SECONDS) {
        if (asked >= since() * (FRAMES_PER_SECOND / 2)) await sleep(2);
        else {
          asked += 1;
          await answered(app.request('SET_ACTIVITY', { pid: 1, activity: { state: String(asked) } }));
        }
      }
    };
    await Promise.all(apps.map(ask));
    const seconds = since();
    await sleep(1500);
    const frames = asked * 2;
    const heard = seen.entries - before;
    const more = ` of ${frames} at ${Math.round(frames / seconds)}/s`;
    return [
      { name: 'watch --json: frames missing', value: frames - heard, most: 0, unit: '', more },
      {
        name: 'watch --json: frames missing that it does not count',
        value: frames - heard - seen.missing,
        most: 0,
        unit: '',
      },
    ];
  } finally {
    child.kill('SIGKILL');
    await daemon.stop();
  }
}

/** Rather a failure than a benchmark that never ends. */
async function answered(request: Promise<unknown> | undefined): Promise<void> {
  const giveUp = new AbortController();
  const late = sleep(10_000, 'late', { signal: giveUp.signal }).catch(() => undefined);
  const first = await Promise.race([request, late]);
  giveUp.abort();
  if (first === 'late') throw new Error('a request was not answered within 10 s');
}

async function memory(passes: number): Promise<CoreFigure> {
  const found = { on: [] as number[], off: [] as number[] };
  for (let pass = 0; pass < passes * 2; pass += 1) {
    for (const which of ['off', 'on'] as const) {
      const daemon = await started(which === 'on');
      await sleep(1500);
      found[which].push(residentBytes(daemon.pid) / 1e6);
      await daemon.stop();
    }
  }
  const [on, off] = [median(found.on), median(found.off)];
  const more = ` (${on.toFixed(1)} and ${off.toFixed(1)} MB)`;
  return { name: 'at rest, empty journal more than none', value: on - off, most: 0.5, unit: 'MB', more };
}
