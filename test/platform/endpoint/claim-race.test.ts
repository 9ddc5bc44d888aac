import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadNative } from '../../../platform/native/native.ts';
import { bundled } from '../../helpers/bundled.ts';
import type { RacerAnswer, RacerOrder } from '../../helpers/claim-racer.ts';
import { rounds } from '../../helpers/rounds.ts';
import { connectTo, leaveStaleSocket, temporaryFolder, uid } from '../../helpers/sockets.ts';

const native = await loadNative();
const RACERS = 6;
const ROUNDS = rounds({ few: 5, many: 25 });

const started: ChildProcess[] = [];
/** Six that race in every test, and are left without a claim by each. */
let racers: readonly ChildProcess[];
/** The pid of a process that is gone. */
let dead: number;

async function startRacer(): Promise<ChildProcess> {
  const racer = fork(bundled('claim-racer'), { execArgv: [] });
  started.push(racer);
  await once(racer, 'message');
  return racer;
}

async function kill(racer: ChildProcess): Promise<number> {
  racer.kill('SIGKILL');
  await once(racer, 'exit');
  return racer.pid ?? 0;
}

beforeAll(async () => {
  const [ended, ...others] = await Promise.all(Array.from({ length: RACERS + 1 }, startRacer));
  racers = others;
  dead = await kill(ended as ChildProcess);
});
afterAll(() => {
  for (const racer of started) racer.kill('SIGKILL');
});

async function releaseAll(): Promise<void> {
  await Promise.all(racers.map((racer) => ask(racer, { kind: 'release' })));
}

async function ask(racer: ChildProcess, order: RacerOrder): Promise<RacerAnswer> {
  const answer = once(racer, 'message');
  racer.send(order);
  const [message] = await answer;
  return message;
}

function serving(answers: readonly RacerAnswer[]): number[] {
  return answers.flatMap((answer) => (answer.kind === 'serving' ? [answer.index] : [])).sort((a, b) => a - b);
}

async function servedBy(path: string): Promise<number> {
  return Number(await text(await connectTo(path)));
}

describe.each([
  { mode: 'flock', withNative: true },
  { mode: 'pid file', withNative: false },
])('six processes that claim a stale socket, by $mode', ({ withNative }) => {
  it.skipIf(withNative && native.kind === 'absent')(
    'have exactly one owner in each round (flock needs koffi) [T07, R03]',
    async () => {
      const folder = temporaryFolder();
      const path = join(folder, 'discord-ipc-0');
      onTestFinished(releaseAll);
      for (let round = 0; round < ROUNDS; round++) {
        await leaveStaleSocket(path);
        // What a killed owner leaves besides: a lock that names it. All six find it dead, and one may take it.
        if (round > 0) writeFileSync(join(folder, `footbridge-${uid}`, '0.lock'), `pid ${dead} 1\n`);
        const order: RacerOrder = { kind: 'claim', folder, index: 0, native: withNative };
        const answers = await Promise.all(racers.map((racer) => ask(racer, order)));
        expect(serving(answers), JSON.stringify(answers)).toEqual([0]);
        for (const answer of answers) {
          if (answer.kind === 'refused') expect(answer.code).toBe('FOOTBRIDGE_ENDPOINT_TAKEN');
        }
        const winner = answers.findIndex((answer) => answer.kind === 'serving');
        expect(await servedBy(path)).toBe(racers[winner]?.pid);
        expect(readdirSync(folder).sort()).toEqual(['discord-ipc-0', `footbridge-${uid}`]);
        await releaseAll();
        expect(readdirSync(folder)).toEqual([`footbridge-${uid}`]);
        expect(readdirSync(join(folder, `footbridge-${uid}`))).toEqual([]);
      }
    },
    60_000,
  );

  it.skipIf(withNative && native.kind === 'absent')(
    'share the indexes, one each (flock needs koffi)',
    async () => {
      const folder = temporaryFolder();
      onTestFinished(releaseAll);
      await leaveStaleSocket(join(folder, 'discord-ipc-0'));
      await leaveStaleSocket(join(folder, 'discord-ipc-3'));
      const order: RacerOrder = { kind: 'claim', folder, index: 'auto', native: withNative };
      const answers = await Promise.all(racers.map((racer) => ask(racer, order)));
      expect(serving(answers), JSON.stringify(answers)).toEqual([0, 1, 2, 3, 4, 5]);
    },
    60_000,
  );

  it.skipIf(withNative && native.kind === 'absent')(
    'pass the socket of a killed owner to the next process (flock needs koffi)',
    async () => {
      const folder = temporaryFolder();
      onTestFinished(releaseAll);
      const first = await startRacer();
      const second = racers[0] as ChildProcess;
      const order: RacerOrder = { kind: 'claim', folder, index: 0, native: withNative };
      expect(await ask(first, order)).toEqual({ kind: 'serving', index: 0 });
      const refused = await ask(second, order);
      expect(refused).toMatchObject({ kind: 'refused', code: 'FOOTBRIDGE_ENDPOINT_TAKEN' });
      expect(refused).toMatchObject({ message: expect.stringContaining(`pid ${first.pid}`) });
      await kill(first);
      expect(await ask(second, order)).toEqual({ kind: 'serving', index: 0 });
      expect(await servedBy(join(folder, 'discord-ipc-0'))).toBe(second.pid);
    },
    60_000,
  );
});
