import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';

/** How long a peer may take to leave after its answer (ms). */
export const LINGER_MS = 1000;

const REASONS = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const;

/** A status that a connection can end with before there is a request. */
export type RawStatus = keyof typeof REASONS;

/**
 * Answers with a status alone and hangs up. The bytes are constant, without date, body or CORS header, so that they
 * reveal neither path, method nor any other part of the request. `why` is a body of ASCII for an endpoint that no
 * stranger has a reason to look for.
 */
export function refuse(socket: Socket, status: RawStatus, why = ''): void {
  endWith(
    socket,
    new TextEncoder().encode(
      `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Length: ${why.length}\r\nConnection: close\r\n\r\n${why}`,
    ),
  );
}

/** Answers input that is no request in the format of the platform's API, `{message, code}`, and hangs up. */
export function refuseAsApi(socket: Socket, status: RawStatus): void {
  const body = JSON.stringify({ message: `${status}: ${REASONS[status]}`, code: 0 });
  const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  endWith(
    socket,
    new TextEncoder().encode(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${head}\r\n\r\n${body}`),
  );
}

/** Completes a WebSocket upgrade with a close frame right behind it; input of the peer is never read. */
export function closeAtOnce(socket: Socket, key: string, code: number, message: string): void {
  // RFC 6455 4.2.2: the constant every server appends to the key.
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const head = new TextEncoder().encode(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const reason = closeReason(message);
  // RFC 6455 5.5.1: final frame, opcode 8, unmasked; the code in network order, then the reason.
  const frame = [0x88, 2 + reason.byteLength, code >> 8, code & 0xff];
  const bytes = new Uint8Array(head.byteLength + frame.length + reason.byteLength);
  bytes.set(head);
  bytes.set(frame, head.byteLength);
  bytes.set(reason, head.byteLength + frame.length);
  endWith(socket, bytes);
}

/** As much of the text as a close frame holds (123 bytes of UTF-8), cut between characters. */
export function closeReason(message: string): Uint8Array {
  const room = new Uint8Array(123);
  return room.subarray(0, new TextEncoder().encodeInto(message, room).written);
}

function endWith(socket: Socket, bytes: Uint8Array): void {
  if (socket.destroyed || socket.writableEnded) return;
  socket.end(bytes);
  // Reading on prevents a reset for unread bytes, which would lose the answer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
