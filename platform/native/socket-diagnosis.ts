import { endianness } from 'node:os';
import type { ForeignLibrary } from './library-file.ts';

/** One end of a TCP connection over IPv4. */
export interface TcpEnd {
  /** In dotted form. */
  readonly address: string;
  readonly port: number;
}

/** A TCP socket of this machine as the kernel names it. */
export interface OwnedSocket {
  readonly uid: number;
  /** 0 for a socket without a process; the kernel then reports uid 0 as well. */
  readonly inode: number;
}

/** Result of a search for one socket. */
export type SocketSearch =
  | ({ readonly kind: 'found' } & OwnedSocket)
  /** The kernel has no such socket, or no answers for TCP at all: both are ENOENT. */
  | { readonly kind: 'none' }
  /** The kernel cannot be queried: a sandbox without netlink, or no descriptor left. */
  | { readonly kind: 'failed'; readonly errno: number };

/** Searches the TCP socket with the own end `local` and the other end `remote`. */
export type SocketDiagnosis = (local: TcpEnd, remote: TcpEnd) => SocketSearch;

const IS_LITTLE = endianness() === 'LE';
/** `struct nlmsghdr` and `struct inet_diag_req_v2`; `struct nlmsghdr` and `struct inet_diag_msg`. */
const REQUEST_BYTES = 16 + 56;
const ANSWER_BYTES = 16 + 72;
const SOCK_DIAG_BY_FAMILY = 20;
const NLMSG_ERROR = 2;
const ENOENT = 2;
/** The interface of every connection over 127.0.0.1, so that a socket that is bound to it is found too. */
const LOOPBACK_INDEX = 1;
/** State TCP_LISTEN: without an exact match the kernel answers with a listener of the port. */
const LISTEN = 10;

/**
 * Queries the kernel for one socket over netlink, sock_diag(7): the time does not depend on the number of sockets, as
 * it does with `/proc/net/tcp`. The kernel answers within the send, so the call never waits.
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
  // Larger than any answer: the query requests no attributes, but a kernel may add some.
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
  // NLM_F_REQUEST: exactly one socket.
  view.setUint16(6, 1, IS_LITTLE);
  // AF_INET, which finds an IPv6 socket with an IPv4 address as well; IPPROTO_TCP; every state.
  bytes[16] = 2;
  bytes[17] = 6;
  view.setUint32(20, 0xffff_ffff, IS_LITTLE);
  // struct inet_diag_sockid: the ports and addresses are in network order.
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
  const equal = (at: number, asked: number, size: number): boolean =>
    Buffer.compare(answer.subarray(at, at + size), request.subarray(asked, asked + size)) === 0;
  // An IPv6 socket has the IPv4 address at the end of its own, behind ::ffff.
  const at = answer[16] === 2 ? 0 : 12;
  return equal(20, 24, 4) && equal(24 + at, 28, 4) && equal(40 + at, 44, 4);
}

function octets(address: string): number[] {
  return address.split('.').map(Number);
}
