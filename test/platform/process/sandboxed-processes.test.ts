import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxedProcesses } from '../../../platform/process/sandboxed-processes.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const CONTAINER = `0::/docker/${'4f'.repeat(32)}`;

/** A folder like proc(5) with processes by pid: their mount namespace, and the control group. */
function procOf(
  processes: Readonly<Record<number, readonly [mnt: string | undefined, group?: string]>>,
): string {
  const proc = temporaryFolder();
  for (const [name, [mnt, group = '0::/']] of [['self', ['out']] as const, ...Object.entries(processes)]) {
    const folder = join(proc, name);
    mkdirSync(join(folder, 'ns'), { recursive: true });
    if (mnt !== undefined) symlinkSync(`mnt:[${mnt}]`, join(folder, 'ns/mnt'));
    writeFileSync(join(folder, 'stat'), `${name} (a) S 1 ${'0 '.repeat(17)}77 0\n`);
    writeFileSync(join(folder, 'cgroup'), `${group}\n`);
  }
  mkdirSync(join(proc, 'irq'));
  return proc;
}

describe('sandboxedProcesses', () => {
  it('lists one row for each mount namespace other than ours, with its pids', async () => {
    const proc = procOf({
      5: ['out'],
      7: [undefined],
      20: ['in', CONTAINER],
      21: ['in', CONTAINER],
      30: ['other'],
    });
    const { sandboxes, isComplete } = await sandboxedProcesses({ timeoutMs: 10_000, proc });
    expect(isComplete).toBe(true);
    expect(sandboxes).toHaveLength(2);
    expect(sandboxes).toContainEqual({ sandbox: { kind: 'container', id: '4f4f4f4f4f4f' }, pids: [20, 21] });
    expect(sandboxes).toContainEqual({ sandbox: 'unverified', pids: [30] });
  });

  it('looks at the named pids first, and says that a limit ended the scan', async () => {
    const many = Array.from({ length: 40 }, (_, index) => [index + 100, [`in-${index}`]] as const);
    const proc = procOf(Object.fromEntries(many));
    const { sandboxes, isComplete } = await sandboxedProcesses({ timeoutMs: 10_000, first: [139], proc });
    expect(isComplete).toBe(false);
    expect(sandboxes).toHaveLength(32);
    expect(sandboxes[0]?.pids).toEqual([139]);
    expect(await sandboxedProcesses({ timeoutMs: -1, proc })).toEqual({ sandboxes: [], isComplete: false });
  });

  it('is empty without proc(5)', async () => {
    const proc = temporaryFolder();
    expect(await sandboxedProcesses({ timeoutMs: 10_000, proc })).toEqual({
      sandboxes: [],
      isComplete: true,
    });
  });
});
