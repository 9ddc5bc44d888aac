import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxedProcesses } from '../../../platform/process/sandboxed-processes.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { fakeSources } from './fake-proc.ts';

const CONTAINER = `0::/system.slice/docker-${'4f'.repeat(32)}.scope`;

/** Processes by pid: their mount namespace, and the control group. */
function machine(processes: Readonly<Record<number, readonly [mnt: string, cgroup?: string]>>) {
  const sources = fakeSources(
    Object.fromEntries(
      Object.entries(processes).map(([pid, [mnt, cgroup = '0::/']]) => [pid, { mnt, cgroup }] as const),
    ),
  );
  mkdirSync(join(sources.proc, 'irq'));
  return sources;
}

describe('sandboxedProcesses', () => {
  it('lists one row for each mount namespace other than ours, with its pids', async () => {
    const sources = machine({
      5: ['out'],
      7: ['hidden'],
      20: ['in', CONTAINER],
      21: ['in', CONTAINER],
      30: ['other'],
    });
    const { sandboxes, isComplete } = await sandboxedProcesses({ timeoutMs: 10_000, ...sources });
    expect(isComplete).toBe(true);
    expect(sandboxes).toHaveLength(2);
    expect(sandboxes).toContainEqual({ sandbox: { kind: 'container', id: '4f4f4f4f4f4f' }, pids: [20, 21] });
    expect(sandboxes).toContainEqual({ sandbox: 'unverified', pids: [30] });
  });

  it('looks at the named pids first, and says that a limit ended the scan', async () => {
    const many = Array.from({ length: 40 }, (_, index) => [index + 100, [`in-${index}`]] as const);
    const sources = machine(Object.fromEntries(many));
    const { sandboxes, isComplete } = await sandboxedProcesses({
      timeoutMs: 10_000,
      first: [139],
      ...sources,
    });
    expect(isComplete).toBe(false);
    expect(sandboxes).toHaveLength(32);
    expect(sandboxes[0]?.pids).toEqual([139]);
    expect(await sandboxedProcesses({ timeoutMs: -1, ...sources })).toEqual({
      sandboxes: [],
      isComplete: false,
    });
  });

  it('is empty without proc(5)', async () => {
    const proc = temporaryFolder();
    expect(await sandboxedProcesses({ timeoutMs: 10_000, runtimes: [], proc })).toEqual({
      sandboxes: [],
      isComplete: true,
    });
  });
});
