import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TcpPeerLookup, tcpPeerLookup } from './tcp-owner.ts';

/** Processes that have the other end of a loopback connection open. */
type TcpProcesses =
  | { readonly kind: 'known'; readonly pids: readonly number[] }
  /**
   * The system has a list of open files, but no process in it has the socket: a process may hide its files even from
   * its own user.
   */
  | { readonly kind: 'unknown' }
  /** The system has no list of open files that an ordinary process may read. */
  | { readonly kind: 'unknowable' };

/** For tests: the folder of another process table, and another lookup of connections. */
export interface TcpProcessOptions {
  readonly folder?: string;
  readonly peerOf?: TcpPeerLookup;
}

/** Looks up the processes at the other end of an open connection. */
export type TcpProcessLookup = (ends: Parameters<TcpPeerLookup>[0]) => Promise<TcpProcesses>;

/** Number of recent processes that are searched first, because the next connection is likely to be theirs, too. */
const MAX_REMEMBERED = 8;

/**
 * Searches `/proc/PID/fd` for the peer's socket (Linux). For the first connection of a process all processes of the
 * machine are searched; for later ones the processes of earlier connections come first.
 */
export function tcpProcessLookup(options: TcpProcessOptions = {}): TcpProcessLookup {
  const { folder = '/proc', peerOf = tcpPeerLookup() } = options;
  let remembered: readonly number[] = [];
  return async (ends) => {
    const peer = await peerOf(ends);
    if (peer.kind !== 'known') return peer;
    const link = `socket:[${peer.inode}]`;
    const before = await holders(folder, remembered, link);
    const pids = before.length > 0 ? before : await holders(folder, await processes(folder), link);
    if (pids.length === 0) return { kind: 'unknown' };
    remembered = [...new Set([...pids, ...remembered])].slice(0, MAX_REMEMBERED);
    return { kind: 'known', pids };
  };
}

async function processes(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Searches the processes one after the other, because a machine has thousands of open files. */
async function holders(folder: string, pids: readonly number[], link: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of pids) if (await holds(join(folder, String(pid), 'fd'), link)) found.push(pid);
  return found;
}

async function holds(folder: string, link: string): Promise<boolean> {
  // The process may have ended, or may belong to another user; it then counts as without files.
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => '')));
  return targets.includes(link);
}
