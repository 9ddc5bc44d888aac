import * as fs from 'node:fs';
import { expect, it, vi } from 'vitest';
import { SandboxLookup } from '../../../platform/process/sandbox-lookup.ts';
import { type FakeProcess, fakeSources } from './fake-proc.ts';

vi.mock('node:fs', { spy: true });

const CHAIN = 250;
const FIRST = 1000;
/** Far below the number of processes in the chain. */
const MAX_READS = 16;

const READS: readonly ((...args: never[]) => unknown)[] = [
  fs.readFileSync,
  fs.readlinkSync,
  fs.openSync,
  fs.readdirSync,
  fs.statSync,
];

/** Files, links and folders below the folder of proc(5) that a call reads. */
function readsOf(call: () => unknown): number {
  for (const read of READS) vi.mocked(read).mockClear();
  call();
  const paths = READS.flatMap((read) =>
    vi.mocked(read).mock.calls.map((args: readonly unknown[]) => args[0]),
  );
  return paths.filter((path) => String(path).includes('/proc/')).length;
}

it('the reads for a sandbox do not grow with the ancestors of its processes', () => {
  const nested = Object.fromEntries(
    Array.from({ length: CHAIN }, (_, at): [number, FakeProcess] => [
      FIRST + at,
      { parent: at === 0 ? 1 : FIRST + at - 1, mnt: `nested ${at}`, pid: `nested ${at}` },
    ]),
  );
  const lookup = new SandboxLookup(fakeSources(nested));
  const connect = (pid: number) => {
    const found = lookup.of(pid);
    return found.kind === 'known' ? found.sandbox : found.read();
  };
  const last = FIRST + CHAIN - 1;
  const first = readsOf(() => expect(connect(FIRST)).toBe('unverified'));
  expect(readsOf(() => expect(connect(last)).toBe('unverified'))).toBe(first);
  expect(first).toBeLessThanOrEqual(MAX_READS);
  // What identifies the process: its start and its mount namespace.
  expect(readsOf(() => connect(last))).toBe(2);
});
