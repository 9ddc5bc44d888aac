import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { endianness } from 'node:os';
import { join } from 'node:path';

/** Whose process is at the other end of a loopback TCP connection. `unknown` must be refused. */
type TcpOwner =
  | { readonly kind: 'known'; readonly uid: number }
  /** The system keeps such a table, and no live socket of the peer stands in it. */
  | { readonly kind: 'unknown' }
  /** The system has no table that an ordinary process may read. */
  | { readonly kind: 'unknowable' };

/** The same, and by which number the system knows the socket. */
type TcpPeer = Exclude<TcpOwner, { readonly kind: 'known' }> | (OwnedSocket & { readonly kind: 'known' });

interface OwnedSocket {
  readonly uid: number;
  readonly inode: string;
}

/** Both ends of a connection as our `net.Socket` names them; undefined once it is closed. */
interface TcpEnds {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** For tests: another system, another table. */
export interface TcpOwnerOptions {
  readonly os?: string;
  readonly folder?: string;
}

/** A peer that connected through an IPv6 socket stands in the second table. */
const TABLES = ['tcp', 'tcp6'];
/** The kernel hands the table out piecewise, and a row can fall between two pieces while others come and go. */
const ATTEMPTS = 2;

/** Names the owner of the peer of a connection that is open. */
export type TcpOwnerLookup = (ends: TcpEnds) => Promise<TcpOwner>;
export type TcpPeerLookup = (ends: TcpEnds) => Promise<TcpPeer>;

/**
 * Reads the peer's user from `/proc/net/tcp` and `tcp6` by the connection's port pair (Linux). A row without an
 * inode belongs to a socket whose process has let go of it; the kernel then says uid 0, which must not pass for root.
 * The tables grow with every connection of the machine, so however many ask, they are read once at a time.
 */
export function tcpPeerLookup(options: TcpOwnerOptions = {}): TcpPeerLookup {
  const { os = process.platform, folder = '/proc/net' } = options;
  if (os !== 'linux') return async () => ({ kind: 'unknowable' });
  const tables = shared(async () => {
    const texts: string[] = [];
    for (const name of TABLES) texts.push(await textOf(join(folder, name)));
    return texts.join('');
  });
  return async (ends) => {
    const peer = endpointText(ends.remoteAddress, ends.remotePort);
    const own = endpointText(ends.localAddress, ends.localPort);
    if (peer === undefined || own === undefined) return { kind: 'unknown' };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const owner = ownerIn(await tables(), peer, own);
      if (owner !== undefined) return { kind: 'known', ...owner };
    }
    return { kind: 'unknown' };
  };
}

/** The same for those who ask only whose it is. */
export function tcpOwnerLookup(options: TcpOwnerOptions = {}): TcpOwnerLookup {
  const peerOf = tcpPeerLookup(options);
  return async (ends) => {
    const peer = await peerOf(ends);
    return peer.kind === 'known' ? { kind: 'known', uid: peer.uid } : peer;
  };
}

/** Runs `read` once at a time. Who asks meanwhile shares the next run: the one under way may be older than they are. */
function shared(read: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | undefined;
  let next: Promise<string> | undefined;
  const run = (): Promise<string> => {
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

/** proc(5): `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode`; the peer's row, not ours. */
function ownerIn(table: string, peer: string, own: string): OwnedSocket | undefined {
  for (let at = table.indexOf(peer); at !== -1; at = table.indexOf(peer, at + 1)) {
    const end = table.indexOf('\n', at);
    const line = table.slice(table.lastIndexOf('\n', at) + 1, end === -1 ? undefined : end);
    const [, local = '', remote = '', , , , , uid = '', , inode = '0'] = line.trim().split(/\s+/);
    if (!local.endsWith(peer) || !remote.endsWith(own)) continue;
    if (local.length !== remote.length || !isMapped(local) || !isMapped(remote)) continue;
    if (inode !== '0' && /^\d+$/.test(uid)) return { uid: Number(uid), inode };
  }
  return undefined;
}

/** An IPv4 address, plain or in its IPv6 form; anything else only ends alike. */
function isMapped(address: string): boolean {
  return address.length === 13 || address.startsWith(`${'0'.repeat(16)}${word(0xffff)}`);
}

/** `0100007F:1F90`: the address as the kernel holds it in memory, then the port, in hexadecimal. */
function endpointText(address: string | undefined, port: number | undefined): string | undefined {
  if (address === undefined || port === undefined) return undefined;
  const plain = address.replace(/^::ffff:/, '');
  if (!isIPv4(plain)) return undefined;
  const value = plain.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return `${word(value)}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** 32 bits in network order, printed as the machine's own order reads them. */
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
