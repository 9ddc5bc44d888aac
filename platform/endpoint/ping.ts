import net, { type Socket } from 'node:net';
import { systemCode } from '../../src/base/local-error.ts';
import { socketFd } from '../native/drain.ts';
import type { Native, NativeAbsence } from '../native/native.ts';
import { type Program, programOf } from '../process/program.ts';
import { connectDirectly } from './connect-directly.ts';
import { PROBE_MARK } from './probe-mark.ts';

/** Reason why an endpoint counts as live. Only with `pong` and `talked` has a listener answered. */
export type LiveReason = 'pong' | 'talked' | 'silent' | 'closed' | 'backlog-full' | 'denied' | 'error';

/** Options of a PING. */
export interface PingOptions {
  /** Timeout of the PONG (ms). */
  readonly timeoutMs?: number;
  /** Body of the PING, which begins with {@link PROBE_MARK}; by default a new one. */
  readonly text?: string;
  /** Native calls that identify the listener. */
  readonly native?: Native | NativeAbsence;
}

/** Result of one connection to an endpoint. `missing` and `refused` come from the operating system, without a peer. */
export type PingResult =
  | { readonly kind: 'refused' }
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'live';
      readonly reason: LiveReason;
      readonly detail?: string;
      readonly owner?: Program | undefined;
    };

/** Time for a peer to close after our CLOSE before the connection is cut (ms). */
const LEAVE_MS = 200;

/**
 * Connects once: sends a PING, waits for the echo, sends CLOSE. The caller has to check the file's type before, because
 * another file refuses a connect as a dead socket does. Never rejects.
 */
export function ping(
  path: string,
  { timeoutMs = 1000, native, text = `${PROBE_MARK}${randomName()}` }: PingOptions,
): Promise<PingResult> {
  return new Promise((resolve) => {
    const nonce = JSON.stringify(text);
    const socket = connectDirectly(path, net);
    let owner: Program | undefined;
    let received = Buffer.alloc(0);

    const timer = setTimeout(() => settle({ kind: 'live', reason: 'silent' }), timeoutMs);
    let settled = false;
    const settle = (result: PingResult) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      leave(socket);
      resolve(result.kind === 'live' ? { ...result, owner } : result);
    };

    socket.on('connect', () => {
      owner = listenerOf(socket, native);
      socket.write(frame(Opcode.PING, nonce));
    });
    socket.on('data', (chunk: Buffer) => {
      if (settled) return;
      received = Buffer.concat([received, chunk]);
      const answer = resultOfAnswer(received, nonce);
      if (answer !== 'partial') settle({ kind: 'live', reason: answer });
    });
    socket.on('error', (error) => settle(resultOfError(error)));
    socket.on('close', () => settle({ kind: 'live', reason: 'closed' }));
  });
}

function resultOfError(error: Error): PingResult {
  const code = systemCode(error) ?? 'unknown error';
  switch (code) {
    case 'ECONNREFUSED':
      return { kind: 'refused' };
    case 'ENOENT':
      return { kind: 'missing' };
    // A listener that does not accept connections, because it is stopped or overloaded, is alive.
    case 'EAGAIN':
      return { kind: 'live', reason: 'backlog-full', detail: code };
    case 'EACCES':
    case 'EPERM':
      return { kind: 'live', reason: 'denied', detail: code };
    // A listener accepted the connection and dropped it before the PING arrived.
    case 'ECONNRESET':
    case 'EPIPE':
      return { kind: 'live', reason: 'closed', detail: code };
    default:
      return { kind: 'live', reason: 'error', detail: code };
  }
}

const Opcode = { CLOSE: 2, PING: 3, PONG: 4 } as const;

const HEADER_BYTES = 8;

/** Encodes a frame: opcode and body length (both `int32`, little-endian), then the body. */
function frame(opcode: number, body: string): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + Buffer.byteLength(body));
  bytes.writeInt32LE(opcode, 0);
  bytes.writeInt32LE(bytes.length - HEADER_BYTES, 4);
  bytes.write(body, HEADER_BYTES);
  return bytes;
}

/**
 * Compares the received bytes with the expected echo from the header on, so that no more bytes of a foreign answer are
 * read than the echo has.
 */
function resultOfAnswer(bytes: Buffer, ping: string): 'partial' | 'pong' | 'talked' {
  const expected = frame(Opcode.PONG, ping);
  if (bytes.length < expected.length) {
    return bytes.equals(expected.subarray(0, bytes.length)) ? 'partial' : 'talked';
  }
  return bytes.subarray(0, expected.length).equals(expected) ? 'pong' : 'talked';
}

/**
 * Returns 36 hexadecimal digits, by which a bridge tells a probe from a PING of an app. Nothing depends on their secrecy,
 * so `node:crypto`, which takes milliseconds to load, is not needed.
 */
function randomName(): string {
  const digits = (): string =>
    Math.floor(Math.random() * 0x10000)
      .toString(16)
      .padStart(4, '0');
  return Array.from({ length: 9 }, digits).join('');
}

/** Sends a CLOSE to a listener that answered, so that its log shows a regular visit and not a broken client. */
function leave(socket: Socket): void {
  if (socket.connecting || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LEAVE_MS);
  timer.unref();
  socket.on('close', () => clearTimeout(timer));
  socket.end(frame(Opcode.CLOSE, JSON.stringify({ code: 1000, message: 'probe done' })));
}

/**
 * Returns the program that listens. For the connecting side, the kernel's peer credentials are those of the process
 * that called `listen`.
 */
function listenerOf(socket: Socket, native: Native | NativeAbsence | undefined): Program | undefined {
  const fd = socketFd(socket);
  if (native?.kind !== 'loaded' || fd === undefined) return undefined;
  try {
    const { pid } = native.peerCredentials(fd);
    return pid === undefined ? undefined : (programOf(pid) ?? { pid });
  } catch {
    // A failure is ignored, because the program is only named in a message.
    return undefined;
  }
}
