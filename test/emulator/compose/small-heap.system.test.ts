import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundled } from '../../helpers/bundled.ts';

const HEAP_MB = 150;
/** For one process, on a busy machine (ms). */
const LONGEST = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'small-heap-'));
const file = join(folder, 'state.jsonl');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a scenario in a process of its own, which dies where the heap is not enough. */
async function run(scenario: string): Promise<Readonly<Record<string, unknown>>> {
  const args = [`--max-old-space-size=${HEAP_MB}`, bundled('small-heap'), scenario, file];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: LONGEST });
  return JSON.parse(stdout);
}

let full: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  full = await run('full');
}, LONGEST);

it('an emulator beyond its memory limit imports its own export, and can be reset', () => {
  expect(full).toMatchObject({ refusal: expect.stringMatching(/has memory for/), reset: 0, again: '' });
  expect(full['beyond']).toBeGreaterThan(0);
  expect(full['after']).toBe(full['held']);
});

it('a state without memory beside the current one is refused early, with needed and free memory', () => {
  expect(full['other']).toMatch(
    /^state: needs more than \d+ MiB of memory, and \d+ MiB are free .*NODE_OPTIONS/,
  );
  expect(full['text']).toMatch(/memory for as one text; export it in parts/);
});

it(
  'an export beyond the limit can be imported by another emulator, and used at its start',
  async () => {
    expect(full['imported']).toBe(full['held']);
    const started = await run('start');
    expect(started).toMatchObject({ size: full['held'], wrong: 0 });
    expect(started['refusal']).toMatch(/has memory for/);
  },
  LONGEST,
);

it(
  'a state that is larger than the memory is refused at the start',
  async () => {
    expect((await run('large'))['refusal']).toMatch(/^large: needs more than \d+ MiB .*max-old-space-size/);
  },
  LONGEST,
);

it(
  'a text that needs more memory as values than as text is refused before it is parsed',
  async () => {
    const { refusals } = await run('hostile');
    expect(refusals).toEqual(Array(4).fill(expect.stringMatching(/: needs more than \d+ MiB of memory/)));
  },
  LONGEST,
);

it(
  'two states that are read at once, changes beside them, and unread exports share one memory',
  async () => {
    const { refusals, ends } = await run('crowded');
    expect(refusals).toEqual([
      expect.stringMatching(/^state: needs more than/),
      expect.stringMatching(/for a state that is being read, and has memory/),
    ]);
    expect(ends).toContainEqual(expect.stringMatching(/export it again/));
  },
  LONGEST,
);
