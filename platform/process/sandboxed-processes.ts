import { opendir, readlink } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ProofSources, type Sandbox, sandboxOf } from './sandbox.ts';

/** Maximum number of processes that are looked at, and of sandboxes in the result. */
const MAX_PROCESSES = 32_768;
const MAX_SANDBOXES = 32;
/** Maximum number of mount namespaces whose sandbox is read; each blocks the event loop for a moment. */
const MAX_NAMESPACES = 256;
/** Number of links that are read at the same time. */
const BATCH = 32;

/** Sandbox with its processes that were found first. */
export interface RunningSandbox {
  readonly sandbox: Sandbox | 'unverified';
  /** Pids in one mount namespace, ascending, at most {@link MAX_PIDS}. */
  readonly pids: readonly number[];
}

/** Result of a scan; `isComplete` is false when a limit or the time limit ended it. */
export interface SandboxScan {
  readonly sandboxes: readonly RunningSandbox[];
  readonly isComplete: boolean;
}

const MAX_PIDS = 16;

/**
 * Finds the sandboxes of the running processes that this user may look into: one row for each mount namespace. Reads
 * `/proc` without blocking the event loop; `timeoutMs` limits the whole. The pids in `first` are looked at before all
 * others. Empty on systems without `/proc`.
 */
export async function sandboxedProcesses({
  timeoutMs,
  first = [],
  ...sources
}: ProofSources & {
  readonly timeoutMs: number;
  readonly first?: readonly number[];
}): Promise<SandboxScan> {
  const { proc = '/proc' } = sources;
  const end = performance.now() + timeoutMs;
  const isLate = (): boolean => performance.now() > end;
  const own = await readlink(`${proc}/self/ns/mnt`).catch(() => undefined);
  if (own === undefined) return { sandboxes: [], isComplete: true };

  const { pids, isAll } = await pidsIn(proc, first);
  const namespaces = new Map<string, number[]>();
  let isComplete = isAll;
  for (let at = 0; at < pids.length; at += BATCH) {
    if (isLate()) {
      isComplete = false;
      break;
    }
    const batch = pids.slice(at, at + BATCH);
    const links = await Promise.all(
      batch.map((pid) => readlink(`${proc}/${pid}/ns/mnt`).catch(() => undefined)),
    );
    for (const [index, pid] of batch.entries()) {
      const namespace = links[index];
      if (namespace === undefined || namespace === own) continue;
      const members = namespaces.get(namespace) ?? [];
      if (members.length < MAX_PIDS) members.push(pid);
      namespaces.set(namespace, members);
    }
  }

  const sandboxes: RunningSandbox[] = [];
  for (const [index, members] of [...namespaces.values()].entries()) {
    if (sandboxes.length === MAX_SANDBOXES || index === MAX_NAMESPACES || isLate()) {
      isComplete = false;
      break;
    }
    await nextTurn();
    const sandbox = sandboxOf(members[0] ?? 0, sources);
    if (sandbox !== undefined) sandboxes.push({ sandbox, pids: members.sort((a, b) => a - b) });
  }
  return { sandboxes, isComplete };
}

async function pidsIn(
  proc: string,
  first: readonly number[],
): Promise<{ pids: readonly number[]; isAll: boolean }> {
  const pids = new Set(first);
  const folder = await opendir(proc).catch(() => undefined);
  if (folder === undefined) return { pids: [...pids], isAll: true };
  for await (const { name } of folder) {
    if (pids.size >= MAX_PROCESSES) return { pids: [...pids], isAll: false };
    if (/^[1-9]\d{0,9}$/.test(name)) pids.add(Number(name));
  }
  return { pids: [...pids], isAll: true };
}
