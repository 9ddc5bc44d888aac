import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { loadNative, type Native, type NativeAbsence } from '../native/native.ts';
import type { OwnedSocket, SocketSearch, TcpEnd } from '../native/socket-diagnosis.ts';

/** Owner of the process at the other end of a loopback TCP connection. `unknown` must be refused. */
type TcpOwner =
  | { readonly kind: 'known'; readonly uid: number }
  /** The system has a table of sockets, but the table contains no live socket of the peer. */
  | { readonly kind: 'unknown' }
  /** The system has no table that an ordinary process may read. */
  | { readonly kind: 'unknowable' };

/** User of the peer's process, with the inode number of the peer's socket. */
type TcpPeer = Exclude<TcpOwner, { readonly kind: 'known' }> | ({ readonly kind: 'known' } & OwnedSocket);

/** Both ends of a connection, as `net.Socket` names them; undefined after the connection was closed. */
interface TcpEnds {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Whether the connection was dropped meanwhile, so that the result is no longer needed. */
  readonly destroyed?: boolean;
}

/** Options of the lookup of a peer's owner. */
export interface TcpOwnerOptions {
  /** Native calls that are loaded already; by default they are loaded for the first connection. */
  readonly native?: Native | NativeAbsence;
  /** For tests: name of another system, and the folder of other tables. */
  readonly os?: string;
  readonly folder?: string;
}

/** Tables that are searched in this order; the second contains peers that connected through an IPv6 socket. */
const TABLES = ['tcp', 'tcp6'];
/**
 * Number of attempts, because the kernel returns the table in pieces, and a row can be missed between two pieces when
 * other connections begin or end.
 */
const ATTEMPTS = 2;
/** Errors that are temporary: ENOMEM, ENFILE, EMFILE, ENOBUFS. */
const SCARCE: ReadonlySet<number> = new Set([12, 23, 24, 105]);

/** Looks up the user of an open connection's peer. */
export type TcpOwnerLookup = (ends: TcpEnds) => Promise<TcpOwner>;
export type TcpPeerLookup = (ends: TcpEnds) => Promise<TcpPeer>;

/**
 * Looks up the peer's socket by a query to the kernel (Linux), or in `/proc/net/tcp` when the kernel cannot be queried.
 * A socket without an inode has been released by its process; the kernel reports uid 0 for it, which must not be taken
 * for root.
 */
export function tcpPeerLookup(options: TcpOwnerOptions = {}): TcpPeerLookup {
  const { os = process.platform, folder = '/proc/net' } = options;
  if (os !== 'linux') return async () => ({ kind: 'unknowable' });
  const search = kernelSearch(options.native);
  const tables = tableSearch(folder);
  return async (ends) => {
    const peer = endOf(ends.remoteAddress, ends.remotePort);
    const own = endOf(ends.localAddress, ends.localPort);
    if (peer === undefined || own === undefined) return { kind: 'unknown' };
    const found = await search(peer, own);
    const socket = found === 'unasked' ? await tables(peer, own, () => ends.destroyed === true) : found;
    return socket === undefined || socket.inode === 0 ? { kind: 'unknown' } : { kind: 'known', ...socket };
  };
}

type KernelState = 'untried' | 'answers' | 'mute';

type Search<T> = (peer: TcpEnd, own: TcpEnd) => Promise<T>;

/**
 * Queries the kernel for one socket; `unasked` when the kernel cannot answer. A kernel without the module for TCP gives
 * the same answer as a kernel without such a socket. Until a query has found a socket, a query for our own end of the
 * connection distinguishes the two cases.
 */
function kernelSearch(
  preloaded: Native | NativeAbsence | undefined,
): Search<OwnedSocket | undefined | 'unasked'> {
  let native = preloaded === undefined ? undefined : Promise.resolve(preloaded);
  let state: KernelState = 'untried';
  return async (peer, own) => {
    if (state === 'mute') return 'unasked';
    native ??= loadNative();
    const loaded = await native;
    const find = loaded.kind === 'absent' ? undefined : loaded.findTcpSocket;
    if (find === undefined) {
      state = 'mute';
      return 'unasked';
    }
    const found = find(peer, own);
    if (state === 'untried') state = stateAfter(found.kind === 'none' ? find(own, peer) : found);
    if (found.kind === 'found') return { uid: found.uid, inode: found.inode };
    return found.kind === 'none' && state === 'answers' ? undefined : 'unasked';
  };
}

function stateAfter(proof: SocketSearch): KernelState {
  if (proof.kind === 'found') return 'answers';
  // A connection that was reset meanwhile, or a lack of descriptors, does not show whether the kernel can answer.
  const isInconclusive = proof.kind === 'none' || SCARCE.has(proof.errno);
  return isInconclusive ? 'untried' : 'mute';
}

/**
 * Searches `/proc/net/tcp` and, for a peer without a row there, `tcp6`. The size of the tables depends on all
 * connections of the machine, so concurrent lookups share one read and one parse.
 */
function tableSearch(
  folder: string,
): (peer: TcpEnd, own: TcpEnd, isClosed: () => boolean) => Promise<OwnedSocket | undefined> {
  const tables = TABLES.map((name) => shared(async () => ownersIn(await textOf(join(folder, name)))));
  return async (peer, own, isClosed) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      for (const table of tables) {
        const owners = await table();
        if (isClosed()) return undefined;
        const owner = owners.get(`${endText(peer)} ${endText(own)}`);
        if (owner !== undefined) return owner;
      }
    }
    return undefined;
  };
}

/** Looks up only the peer's user, for callers that do not need the socket. */
export function tcpOwnerLookup(options: TcpOwnerOptions = {}): TcpOwnerLookup {
  const peerOf = tcpPeerLookup(options);
  return async (ends) => {
    const peer = await peerOf(ends);
    return peer.kind === 'known' ? { kind: 'known', uid: peer.uid } : peer;
  };
}

/**
 * Runs `read` at most once at a time. A call during a run shares the next run, because the current run may have begun
 * before the caller's connection.
 */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const run = (): Promise<T> => {
    next = undefined;
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return run();
    next ??= running.then(run);
    return next;
  };
}

/**
 * Returns the owners of the sockets in a table, by `local remote`: sockets with IPv4 addresses, in plain or in IPv6
 * form.
 */
function ownersIn(table: string): ReadonlyMap<string, OwnedSocket> {
  const owners = new Map<string, OwnedSocket>();
  for (let start = 0; start < table.length; ) {
    const end = table.indexOf('\n', start);
    const next = end === -1 ? table.length : end + 1;
    if (!isOver(table, start)) addOwner(owners, table.slice(start, next));
    start = next;
  }
  return owners;
}

/** State TIME_WAIT. No process has such a socket, and short connections leave thousands of them. */
const TIME_WAIT = '06';

/** Whether the row at this position is a closed connection. The check only compares two characters. */
function isOver(table: string, start: number): boolean {
  const local = table.indexOf(':', start) + 2;
  const width = table.indexOf(' ', local) - local;
  return table.startsWith(TIME_WAIT, local + 2 * (width + 1));
}

/** proc(5): `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode`. */
function addOwner(owners: Map<string, OwnedSocket>, row: string): void {
  const [, local = '', remote = '', , , , , uid = '', , inode = '0'] = row.trim().split(/\s+/);
  if (local.length !== remote.length || !isMapped(local) || !isMapped(remote)) return;
  if (inode === '0' || !/^\d+$/.test(uid)) return;
  const ends = `${local.slice(-END_LENGTH)} ${remote.slice(-END_LENGTH)}`;
  if (!owners.has(ends)) owners.set(ends, { uid: Number(uid), inode: Number(inode) });
}

/** `0100007F:1F90` */
const END_LENGTH = 13;

/** Whether an address is IPv4, in plain or in IPv6 form. Other IPv6 addresses can have the same last digits. */
function isMapped(address: string): boolean {
  return address.length === END_LENGTH || address.startsWith(`${'0'.repeat(16)}${word(0xffff)}`);
}

function endOf(address: string | undefined, port: number | undefined): TcpEnd | undefined {
  const plain = address?.replace(/^::ffff:/, '') ?? '';
  return port === undefined || !isIPv4(plain) ? undefined : { address: plain, port };
}

/**
 * Formats an end as in the table, such as `0100007F:1F90`: the address as the kernel stores it in memory, then the
 * port, in hexadecimal.
 */
function endText({ address, port }: TcpEnd): string {
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return `${word(value)}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Formats a 32-bit number in network order as the kernel prints it, in the byte order of the machine. */
function word(value: number): string {
  const hex = value.toString(16).toUpperCase().padStart(8, '0');
  return endianness() === 'BE' ? hex : (hex.match(/../g) ?? []).reverse().join('');
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    // On a system without IPv6 the second table does not exist.
    return '';
  }
}
