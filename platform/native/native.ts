import { LocalError } from '../../src/base/local-error.ts';
import { type ForeignLibrary, libraryBeside } from './library-file.ts';
import { type SocketDiagnosis, socketDiagnosis } from './socket-diagnosis.ts';

/** Identity of the process at the other end of a local socket, from the kernel. */
export interface PeerCredentials {
  /**
   * Process id; absent when the process is in another PID namespace, where the kernel cannot name it. It is a hint,
   * never an identity.
   */
  readonly pid?: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Accepts one waiting connection, the oldest. Returns its descriptor; `left` for a peer that disconnected without
 * sending a byte (its descriptor is closed already); undefined when there is no connection to accept. Never waits.
 */
export type AcceptWaiting = (listener: number) => number | 'left' | undefined;

/** Result of a message to the service manager. */
export type NotifyResult = { readonly kind: 'sent' } | { readonly kind: 'unsent'; readonly reason: string };

/** System calls that Node does not offer. Each `loadNative()` creates one object; every method is synchronous. */
export interface Native {
  readonly kind: 'loaded';
  /**
   * Returns the peer of a connected unix socket. Throws `LocalError` FOOTBRIDGE_PEER_UNKNOWN when the peer is unknown;
   * the caller must then refuse the connection.
   */
  peerCredentials(fd: number): PeerCredentials;
  /** Searches for a TCP socket of this machine; undefined on a system without such a query. */
  readonly findTcpSocket: SocketDiagnosis | undefined;
  /** Accepts a connection from the queue of a listening socket; undefined on a system where only Node can accept. */
  readonly acceptWaiting: AcceptWaiting | undefined;
  /**
   * Acquires an exclusive `flock` without waiting; returns false when another open file holds it. Throws
   * FOOTBRIDGE_LOCK when locks do not work there.
   */
  lockFile(fd: number): boolean;
  /**
   * Number of bytes in the kernel's buffer that the peer has not read yet (0 when it has read everything). Undefined
   * when the system does not report it.
   */
  unsentBytes(fd: number): number | undefined;
  /** Whether the peer has closed both directions, checked without reading. */
  hungUp(fd: number): boolean;
  /**
   * Prevents processes of the same user from reading our memory and environment. Returns false when the call is missing
   * or failed.
   */
  setNotDumpable(): boolean;
  /** Disables core files, which would contain our secrets. False when the kernel refused. */
  limitCoreDumps(): boolean;
  /** Ends the process at once, even during a file operation. No further code of ours runs. */
  endProcess(code: number): void;
  /** Prevents child processes from inheriting a descriptor. Returns false when the call is missing or failed. */
  closeOnExec(fd: number): boolean;
  /** Returns freed memory to the operating system. Returns false for a C library without such a call. */
  releaseFreed(): boolean;
  /**
   * Sends one datagram to `NOTIFY_SOCKET`, a path or an abstract name with a leading `@` (sd_notify(3)). Never waits.
   */
  notify(socketPath: string, message: string): NotifyResult;
}

/** Reason why there are no native calls: the optional package is missing or does not load. */
export interface NativeAbsence {
  readonly kind: 'absent';
  readonly reason: string;
}

/** Loads the optional library for native calls. A missing or broken library is returned as a result, not thrown. */
export async function loadNative(
  os: string = process.platform,
  load: () => ForeignLibrary | Promise<ForeignLibrary> = installedLibrary,
): Promise<Native | NativeAbsence> {
  if (os !== 'linux' && os !== 'darwin') return { kind: 'absent', reason: `no native calls on ${os}` };
  try {
    const library = await load();
    return os === 'linux' ? linuxCalls(library) : macCalls(library);
  } catch (error) {
    // The message is reduced to its first line, because the loader lists every path it tried.
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : undefined;
    return {
      kind: 'absent',
      reason: `the optional package koffi does not load: ${reason ?? 'unknown error'}`,
    };
  }
}

function installedLibrary(): ForeignLibrary {
  const library = libraryBeside(import.meta.url);
  if (library === undefined) throw new Error('it is not installed');
  return library;
}

/** Value of the kernel for a socket without a peer (`uid_t` -1). */
const NO_ID = 0xffff_ffff;

const GETSOCKOPT = 'int getsockopt(int, int, int, void *, void *)';

function linuxCalls(library: ForeignLibrary): Native {
  const libc = library.load(null);
  const getsockopt = libc.func(GETSOCKOPT);
  // `ioctl` is variadic. It is declared with the one argument that the calls here use, because every ABI of Linux
  // passes this argument like a fixed one.
  const ioctl = libc.func('int ioctl(int, unsigned long, void *)');
  const prctl = libc.func('int prctl(int, ...)');
  const fcntl = libc.func('int fcntl(int, int, ...)');
  const socket = libc.func('int socket(int, int, int)');
  const sendto = libc.func('intptr_t sendto(int, void *, size_t, int, void *, uint32_t)');
  const close = libc.func('int close(int)');
  const accept4 = libc.func('int accept4(int, void *, void *, int)');
  const recv = libc.func('intptr_t recv(int, void *, size_t, int)');
  const peeked = new Uint8Array(1);
  // Each kind of call reuses one buffer, because these calls run for every connection and every frame.
  const ucred = new Uint32Array(3);
  const length = new Uint32Array(1);
  const queued = new Int32Array(1);

  return {
    kind: 'loaded',
    ...commonCalls(library, libc, 11),
    findTcpSocket: socketDiagnosis(library, libc),
    acceptWaiting(listener) {
      // Flags SOCK_NONBLOCK | SOCK_CLOEXEC. The accept does not wait, because the listening socket is Node's and does
      // not block.
      const fd: number = accept4(listener, null, null, 0o2_004_000);
      if (fd < 0) return undefined;
      // Flags MSG_PEEK | MSG_DONTWAIT. A result of 0 means that the stream has ended without a byte.
      if (recv(fd, peeked, 1, 0x42) !== 0) return fd;
      close(fd);
      return 'left';
    },
    peerCredentials(fd) {
      // unix(7) SO_PEERCRED: struct ucred { pid, uid, gid }.
      length[0] = ucred.byteLength;
      ucred.fill(NO_ID);
      const failed = getsockopt(fd, 1, 17, ucred, length) !== 0;
      const [pid = 0, uid = NO_ID, gid = NO_ID] = ucred;
      if (failed) throw peerUnknown(`SO_PEERCRED failed with errno ${library.errno()}`);
      if (length[0] !== ucred.byteLength || uid === NO_ID) throw peerUnknown('the socket has no peer');
      return pid === 0 ? { uid, gid } : { pid, uid, gid };
    },
    unsentBytes(fd) {
      // SIOCOUTQ: size of the buffers that are charged to the sender until the peer has read them, overhead included.
      return ioctl(fd, 0x5411, queued) === 0 ? queued[0] : undefined;
    },
    setNotDumpable: () => prctl(4, 'ulong', 0, 'ulong', 0, 'ulong', 0, 'ulong', 0) === 0,
    releaseFreed() {
      try {
        libc.func('int malloc_trim(size_t)')(0);
        return true;
      } catch {
        // The C library is musl, which retains less memory and has no such call.
        return false;
      }
    },
    // F_SETFD, FD_CLOEXEC.
    closeOnExec: (fd) => fcntl(fd, 2, 'int', 1) === 0,
    notify(socketPath, message) {
      const address = notifyAddress(socketPath);
      if (address === undefined) return { kind: 'unsent', reason: 'NOTIFY_SOCKET is not a usable address' };
      const body = new TextEncoder().encode(message);
      const fd: number = socket(1, 2 | 0o2_000_000, 0);
      if (fd < 0) return { kind: 'unsent', reason: `socket() failed with errno ${library.errno()}` };
      // Flags MSG_DONTWAIT | MSG_NOSIGNAL: a service manager that has stopped reading must not block us.
      const sent = sendto(fd, body, body.length, 0x4040, address, address.length) === body.length;
      const reason = `sendto() failed with errno ${library.errno()}`;
      close(fd);
      return sent ? { kind: 'sent' } : { kind: 'unsent', reason };
    },
  };
}

/** Native calls of macOS, written from getpeereid(3) and `sys/un.h`. */
function macCalls(library: ForeignLibrary): Native {
  const libc = library.load(null);
  const getsockopt = libc.func(GETSOCKOPT);
  const getpeereid = libc.func('int getpeereid(int, void *, void *)');
  const user = new Uint32Array(1);
  const group = new Uint32Array(1);
  const peer = new Int32Array(1);
  const length = new Uint32Array(1);

  return {
    kind: 'loaded',
    ...commonCalls(library, libc, 35),
    findTcpSocket: undefined,
    acceptWaiting: undefined,
    peerCredentials(fd) {
      user[0] = NO_ID;
      group[0] = NO_ID;
      if (getpeereid(fd, user, group) !== 0)
        throw peerUnknown(`getpeereid failed with errno ${library.errno()}`);
      const [uid = NO_ID] = user;
      const [gid = NO_ID] = group;
      if (uid === NO_ID) throw peerUnknown('the socket has no peer');
      // SOL_LOCAL, LOCAL_PEERPID. A failure is ignored, because the process id is only a hint.
      length[0] = peer.byteLength;
      const named = getsockopt(fd, 0, 2, peer, length) === 0;
      const [pid = 0] = peer;
      return named && pid > 0 ? { pid, uid, gid } : { uid, gid };
    },
    // A unix socket on macOS moves its bytes to the receiver's buffer at once, and has no count of unread bytes.
    unsentBytes: () => undefined,
    setNotDumpable: () => false,
    closeOnExec: () => false,
    releaseFreed: () => false,
    notify: () => ({ kind: 'unsent', reason: 'this system has no sd_notify' }),
  };
}

/** Native calls that both systems share; `wouldBlock` is the system's value of EWOULDBLOCK. */
function commonCalls(
  library: ForeignLibrary,
  libc: ReturnType<ForeignLibrary['load']>,
  wouldBlock: number,
): Pick<Native, 'lockFile' | 'limitCoreDumps' | 'hungUp' | 'endProcess'> {
  const flock = libc.func('int flock(int, int)');
  const setrlimit = libc.func('int setrlimit(int, void *)');
  const exit = libc.func('void _exit(int)');
  const poll = libc.func('int poll(void *, unsigned long, int)');
  const polled = new Int32Array(2);
  return {
    hungUp(fd) {
      // struct pollfd { int fd; short events; short revents }. POLLHUP is reported although no event is requested.
      polled[0] = fd;
      polled[1] = 0;
      const [, events = 0] = poll(polled, 1, 0) > 0 ? polled : [];
      return ((events >>> 16) & 0x10) !== 0;
    },
    lockFile(fd) {
      if (flock(fd, 2 | 4) === 0) return true;
      const errno = library.errno();
      if (errno === wouldBlock) return false;
      throw new LocalError(
        'FOOTBRIDGE_LOCK',
        `The lock file could not be locked (flock failed with errno ${errno}). ` +
          'Use a runtime folder on a local file system that has file locks.',
      );
    },
    endProcess: (code) => exit(code),
    // RLIMIT_CORE. A struct rlimit of zero bytes means 0 for every size of rlim_t.
    limitCoreDumps: () => setrlimit(4, new Uint32Array(4)) === 0,
  };
}

function peerUnknown(reason: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_PEER_UNKNOWN',
    `The kernel did not name the peer of a local connection: ${reason}. The connection must be refused.`,
  );
}

/**
 * Returns a `sockaddr_un` for a path or an abstract name; undefined when the text is neither or does not fit into 108
 * bytes.
 */
function notifyAddress(socketPath: string): Uint8Array | undefined {
  const isAbstract = socketPath.startsWith('@');
  if (!isAbstract && !socketPath.startsWith('/')) return undefined;
  const name = new TextEncoder().encode(socketPath);
  if (name.length < 2 || name.length > 107 || name.includes(0)) return undefined;
  // The length of the address ends an abstract name; a zero byte ends a path.
  const address = new Uint8Array(2 + name.length + (isAbstract ? 0 : 1));
  new Uint16Array(address.buffer, 0, 1)[0] = 1;
  address.set(name, 2);
  if (isAbstract) address[2] = 0;
  return address;
}
