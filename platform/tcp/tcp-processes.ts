import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TcpPeerLookup, tcpPeerLookup } from './tcp-owner.ts';

/** Processes that hold the other end of a loopback connection. */
type TcpProcesses =
  | { readonly kind: 'known'; readonly pids: readonly number[] }
  /**
   * The system has such a list, but reveals no process with the socket: a process may hide its files even from its own
   * user.
   */
  | { readonly kind: 'unknown' }
  /** The system has no such list for an ordinary process. */
  | { readonly kind: 'unknowable' };

/** For tests: another table of processes, another of connections. */
export interface TcpProcessOptions {
  readonly folder?: string;
  readonly peerOf?: TcpPeerLookup;
}

/** Names the processes at the other end of a connection that is open. */
export type TcpProcessLookup = (ends: Parameters<TcpPeerLookup>[0]) => Promise<TcpProcesses>;

/** Number of remembered processes, which are likely to have the next connection as well. */
const MOST_REMEMBERED = 8;

/**
 * Searches `/proc/PID/fd` for the peer's socket (Linux). The first connection of a process searches all processes of
 * the machine; processes of earlier connections are searched first.
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
    remembered = [...new Set([...pids, ...remembered])].slice(0, MOST_REMEMBERED);
    return { kind: 'known', pids };
  };
}

async function processes(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** One process after the other: a machine has thousands of open files. */
async function holders(folder: string, pids: readonly number[], link: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of pids) if (await holds(join(folder, String(pid), 'fd'), link)) found.push(pid);
  return found;
}

async function holds(folder: string, link: string): Promise<boolean> {
  // The process may have ended, or be another user's.
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => '')));
  return targets.includes(link);
}
