import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { loadNative, type Native, type NativeAbsence } from '../native/native.ts';
import type { OwnedSocket, SocketSearch, TcpEnd } from '../native/socket-diagnosis.ts';

/** Owner of the process at the other end of a loopback TCP connection. `unknown` must be refused. */
type TcpOwner =
  | { readonly kind: 'known'; readonly uid: number }
  /** The system has such a table, and it lists no live socket of the peer. */
  | { readonly kind: 'unknown' }
  /** The system has no table that an ordinary process may read. */
  | { readonly kind: 'unknowable' };

/** The same, and the system's number of the socket. */
type TcpPeer = Exclude<TcpOwner, { readonly kind: 'known' }> | ({ readonly kind: 'known' } & OwnedSocket);

/** Both ends of a connection as our `net.Socket` names them; undefined once it is closed. */
interface TcpEnds {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** The connection was dropped meanwhile: its answer is unused. */
  readonly destroyed?: boolean;
}

/** Options of the lookup of a peer's owner. */
export interface TcpOwnerOptions {
  /** Native calls that are loaded already; otherwise they are loaded for the first connection. */
  readonly native?: Native | NativeAbsence;
  /** For tests: another system, another table. */
  readonly os?: string;
  readonly folder?: string;
}

/** A peer that connected through an IPv6 socket is in the second table. */
const TABLES = ['tcp', 'tcp6'];
/** The kernel returns the table piecewise, and a row can fall between two pieces while others come and go. */
const ATTEMPTS = 2;
/** ENOMEM, ENFILE, EMFILE, ENOBUFS: temporary errors. */
const SCARCE: ReadonlySet<number> = new Set([12, 23, 24, 105]);

/** Names the owner of the peer of a connection that is open. */
export type TcpOwnerLookup = (ends: TcpEnds) => Promise<TcpOwner>;
export type TcpPeerLookup = (ends: TcpEnds) => Promise<TcpPeer>;

/**
 * Queries the kernel for the peer's socket (Linux), or reads `/proc/net/tcp` where it cannot be queried. The process of
 * a socket without an inode has released it; the kernel then reports uid 0, which must not pass for root.
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
 * The kernel's answer about one socket, or `unasked` without one. A kernel without the module for TCP gives the same
 * answer as one without such a socket: until it has named one, a query for our own end of the connection distinguishes
 * the two.
 */
function kernelSearch(
  given: Native | NativeAbsence | undefined,
): Search<OwnedSocket | undefined | 'unasked'> {
  let native = given === undefined ? undefined : Promise.resolve(given);
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
  // Neither a connection that was reset meanwhile nor a lack of descriptors proves anything about the kernel.
  const tellsNothing = proof.kind === 'none' || SCARCE.has(proof.errno);
  return tellsNothing ? 'untried' : 'mute';
}

/**
 * Searches `/proc/net/tcp` and, for a peer without a row there, `tcp6`. The tables grow with every connection of the
 * machine, so concurrent requests share one read and one pass.
 */
function tableSearch(
  folder: string,
): (peer: TcpEnd, own: TcpEnd, isGone: () => boolean) => Promise<OwnedSocket | undefined> {
  const tables = TABLES.map((name) => shared(async () => ownersIn(await textOf(join(folder, name)))));
  return async (peer, own, isGone) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      for (const table of tables) {
        const owners = await table();
        if (isGone()) return undefined;
        const owner = owners.get(`${endText(peer)} ${endText(own)}`);
        if (owner !== undefined) return owner;
      }
    }
    return undefined;
  };
}

/** The same for callers that need only the owner. */
export function tcpOwnerLookup(options: TcpOwnerOptions = {}): TcpOwnerLookup {
  const peerOf = tcpPeerLookup(options);
  return async (ends) => {
    const peer = await peerOf(ends);
    return peer.kind === 'known' ? { kind: 'known', uid: peer.uid } : peer;
  };
}

/**
 * Runs `read` once at a time. A caller meanwhile shares the next run: the one in progress may be older than the
 * caller's connection.
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

/** Owners of the sockets of a table, by `local remote`: each of an IPv4 address, plain or in its IPv6 form. */
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

/** State TIME_WAIT: no process has such a socket, and short connections leave thousands of them. */
const TIME_WAIT = '06';

/** Whether the row that begins there is of a closed connection; costs no more than a comparison of two characters. */
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

/** An IPv4 address, plain or in its IPv6 form; any other address only has the same end. */
function isMapped(address: string): boolean {
  return address.length === END_LENGTH || address.startsWith(`${'0'.repeat(16)}${word(0xffff)}`);
}

function endOf(address: string | undefined, port: number | undefined): TcpEnd | undefined {
  const plain = address?.replace(/^::ffff:/, '') ?? '';
  return port === undefined || !isIPv4(plain) ? undefined : { address: plain, port };
}

/** `0100007F:1F90`: the address as the kernel holds it in memory, then the port, in hexadecimal. */
function endText({ address, port }: TcpEnd): string {
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return `${word(value)}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** 32 bits in network order, printed in the byte order of the machine. */
function word(value: number): string {
  const hex = value.toString(16).toUpperCase().padStart(8, '0');
  return endianness() === 'BE' ? hex : (hex.match(/../g) ?? []).reverse().join('');
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    // Without IPv6 there is no second table.
    return '';
  }
}
