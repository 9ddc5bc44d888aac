import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { type Program, programOf } from '../process/program.ts';

/** Listener on a port of 127.0.0.1. The owner is known on Linux, and of other users' programs only the user. */
export type TcpPort =
  | { readonly kind: 'free' }
  | { readonly kind: 'taken'; readonly owner?: Program; readonly uid?: number };

/**
 * Time limit of a connect (ms). A loopback connection takes microseconds, but a listener with a full queue does not
 * answer.
 */
const CONNECT_MS = 500;
/** State LISTEN in proc(5) `net/tcp`. */
const LISTEN = '0A';
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Finds the listener on the port without binding the port. Never rejects. */
export async function inspectPort(port: number): Promise<TcpPort> {
  if (!(await somebodyListens(port))) return { kind: 'free' };
  return { kind: 'taken', ...listenerOn(port) };
}

/** The listener on a port, as far as the system tells. */
export function listenerOn(port: number): { readonly owner?: Program; readonly uid?: number } {
  const row = listenerOf(port);
  if (row === undefined) return {};
  const owner = holderOf(row.inode);
  return { uid: row.uid, ...(owner === undefined ? {} : { owner }) };
}

function somebodyListens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const settle = (listens: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(listens);
    };
    const timer = setTimeout(() => settle(true), CONNECT_MS);
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

interface Row {
  readonly uid: number;
  readonly inode: string;
}

/** proc(5): `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode`. */
function listenerOf(port: number): Row | undefined {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of TABLES.flatMap((path) => textOf(path).split('\n'))) {
    const [, local = '', , state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (state === LISTEN && local.endsWith(ending) && inode !== undefined) return { uid: Number(uid), inode };
  }
  return undefined;
}

/** Returns the process that has the socket open, among the processes whose descriptors we may read. */
function holderOf(inode: string): Program | undefined {
  const wanted = `socket:[${inode}]`;
  const pid = namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => namesIn(`/proc/${name}/fd`).some((fd) => linkOf(`/proc/${name}/fd/${fd}`) === wanted));
  return pid === undefined ? undefined : (programOf(Number(pid)) ?? { pid: Number(pid) });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
