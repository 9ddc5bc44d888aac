import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';

/** Time within which a peer must disconnect after its answer (ms). */
export const LINGER_MS = 1000;

const REASONS = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const;

/** A status with which a connection can end before a request exists. */
export type RawStatus = keyof typeof REASONS;

/**
 * Answers with only a status, and ends the connection. The bytes are constant, without date, body or CORS header, so
 * that they reveal nothing about path, method or other parts of the request. `why` is an ASCII body for an endpoint
 * that other programs have no reason to look for.
 */
export function refuse(socket: Socket, status: RawStatus, why = ''): void {
  endWith(
    socket,
    new TextEncoder().encode(
      `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Length: ${why.length}\r\nConnection: close\r\n\r\n${why}`,
    ),
  );
}

/**
 * Answers input that is not an HTTP request, in the format `{message, code}` of the platform's API, and ends the
 * connection.
 */
export function refuseAsApi(socket: Socket, status: RawStatus): void {
  const body = JSON.stringify({ message: `${status}: ${REASONS[status]}`, code: 0 });
  const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  endWith(
    socket,
    new TextEncoder().encode(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${head}\r\n\r\n${body}`),
  );
}

/** Completes a WebSocket upgrade and sends a close frame immediately after it; the peer's input is never read. */
export function closeAtOnce(socket: Socket, key: string, code: number, message: string): void {
  // RFC 6455 4.2.2: every server appends this constant to the key.
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const head = new TextEncoder().encode(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const reason = closeReason(message);
  // RFC 6455 5.5.1: a final, unmasked frame with opcode 8, which contains the code in network byte order and then the
  // reason.
  const frame = [0x88, 2 + reason.byteLength, code >> 8, code & 0xff];
  const bytes = new Uint8Array(head.byteLength + frame.length + reason.byteLength);
  bytes.set(head);
  bytes.set(frame, head.byteLength);
  bytes.set(reason, head.byteLength + frame.length);
  endWith(socket, bytes);
}

/** The beginning of a text that fits into a close frame (123 bytes of UTF-8), cut between characters. */
export function closeReason(message: string): Uint8Array {
  const room = new Uint8Array(123);
  return room.subarray(0, new TextEncoder().encodeInto(message, room).written);
}

function endWith(socket: Socket, bytes: Uint8Array): void {
  if (socket.destroyed || socket.writableEnded) return;
  socket.end(bytes);
  // The input is still read, because unread bytes would cause a reset, which would lose the answer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
