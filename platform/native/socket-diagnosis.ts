import { endianness } from 'node:os';
import type { ForeignLibrary } from './library-file.ts';

/** One end of a TCP connection over IPv4: address and port. */
export interface TcpEnd {
  /** In dotted form. */
  readonly address: string;
  readonly port: number;
}

/** Owner and inode of a TCP socket of this machine, as the kernel reports them. */
export interface OwnedSocket {
  readonly uid: number;
  /** Inode of the socket; 0 for a socket without a process, for which the kernel also reports uid 0. */
  readonly inode: number;
}

/** Result of a search for one socket. */
export type SocketSearch =
  | ({ readonly kind: 'found' } & OwnedSocket)
  /** The kernel has no such socket, or it does not support queries for TCP; both give ENOENT. */
  | { readonly kind: 'none' }
  /** The kernel cannot be queried, because of a sandbox without netlink or because no descriptor is left. */
  | { readonly kind: 'failed'; readonly errno: number };

/** Searches for the TCP socket whose own end is `local` and whose other end is `remote`. */
export type SocketDiagnosis = (local: TcpEnd, remote: TcpEnd) => SocketSearch;

const IS_LITTLE = endianness() === 'LE';
/**
 * Sizes of the request (`struct nlmsghdr` and `struct inet_diag_req_v2`) and of the answer (`struct nlmsghdr` and
 * `struct inet_diag_msg`), in bytes.
 */
const REQUEST_BYTES = 16 + 56;
const ANSWER_BYTES = 16 + 72;
const SOCK_DIAG_BY_FAMILY = 20;
const NLMSG_ERROR = 2;
const ENOENT = 2;
/**
 * Index of the loopback interface, over which every connection to 127.0.0.1 runs. With it the query also finds a socket
 * that is bound to this interface.
 */
const LOOPBACK_INDEX = 1;
/** Number of the state TCP_LISTEN. Without an exact match, the kernel answers with a listener on the port. */
const LISTEN = 10;

/**
 * Queries the kernel for one socket over netlink (sock_diag(7)). Unlike with `/proc/net/tcp`, the time does not depend
 * on the number of sockets. The kernel answers during the send, so the call never waits.
 */
export function socketDiagnosis(
  library: Pick<ForeignLibrary, 'errno'>,
  libc: ReturnType<ForeignLibrary['load']>,
): SocketDiagnosis {
  const socket = libc.func('int socket(int, int, int)');
  const send = libc.func('intptr_t send(int, void *, size_t, int)');
  const recv = libc.func('intptr_t recv(int, void *, size_t, int)');
  const close = libc.func('int close(int)');
  const request = new Uint8Array(REQUEST_BYTES);
  // The buffer is larger than any answer: the query requests no attributes, but a kernel may add some.
  const answer = new Uint8Array(4096);
  return (local, remote) => {
    writeRequest(request, local, remote);
    // AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG.
    const fd: number = socket(16, 2 | 0o2_000_000, 4);
    if (fd < 0) return { kind: 'failed', errno: library.errno() };
    try {
      if (send(fd, request, request.length, 0) !== request.length)
        return { kind: 'failed', errno: library.errno() };
      // MSG_DONTWAIT.
      const size = Number(recv(fd, answer, answer.length, 0x40));
      if (size < 0) return { kind: 'failed', errno: library.errno() };
      return readAnswer(answer.subarray(0, size), request);
    } finally {
      close(fd);
    }
  };
}

function writeRequest(bytes: Uint8Array, local: TcpEnd, remote: TcpEnd): void {
  const view = new DataView(bytes.buffer);
  bytes.fill(0);
  view.setUint32(0, REQUEST_BYTES, IS_LITTLE);
  view.setUint16(4, SOCK_DIAG_BY_FAMILY, IS_LITTLE);
  // NLM_F_REQUEST: the query is for exactly one socket.
  view.setUint16(6, 1, IS_LITTLE);
  // AF_INET (which also finds an IPv6 socket with an IPv4 address), IPPROTO_TCP, and all states.
  bytes[16] = 2;
  bytes[17] = 6;
  view.setUint32(20, 0xffff_ffff, IS_LITTLE);
  // struct inet_diag_sockid: ports and addresses in network byte order.
  view.setUint16(24, local.port);
  view.setUint16(26, remote.port);
  bytes.set(octets(local.address), 28);
  bytes.set(octets(remote.address), 44);
  view.setUint32(60, LOOPBACK_INDEX, IS_LITTLE);
  // INET_DIAG_NOCOOKIE, twice.
  bytes.fill(0xff, 64, 72);
}

function readAnswer(bytes: Uint8Array, request: Uint8Array): SocketSearch {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = bytes.length < 20 ? 0 : view.getUint16(4, IS_LITTLE);
  if (type === NLMSG_ERROR) {
    const errno = -view.getInt32(16, IS_LITTLE);
    return errno === ENOENT ? { kind: 'none' } : { kind: 'failed', errno };
  }
  if (type !== SOCK_DIAG_BY_FAMILY || bytes.length < ANSWER_BYTES) return { kind: 'failed', errno: 0 };
  if (bytes[17] === LISTEN || !isSamePair(bytes, request)) return { kind: 'none' };
  return { kind: 'found', uid: view.getUint32(80, IS_LITTLE), inode: view.getUint32(84, IS_LITTLE) };
}

/** Whether the answer is about the queried connection. */
function isSamePair(answer: Uint8Array, request: Uint8Array): boolean {
  const equal = (at: number, requestAt: number, size: number): boolean =>
    Buffer.compare(answer.subarray(at, at + size), request.subarray(requestAt, requestAt + size)) === 0;
  // The address of an IPv6 socket ends with the IPv4 address, after ::ffff.
  const at = answer[16] === 2 ? 0 : 12;
  return equal(20, 24, 4) && equal(24 + at, 28, 4) && equal(40 + at, 44, 4);
}

function octets(address: string): number[] {
  return address.split('.').map(Number);
}
