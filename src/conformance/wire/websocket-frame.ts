import { randomBytes } from 'node:crypto';

/** WebSocket opcodes (RFC 6455, 5.2). */
export const WS_OPCODES = { CONTINUATION: 0, TEXT: 1, BINARY: 2, CLOSE: 8, PING: 9, PONG: 10 } as const;

/** WebSocket frame of a server. */
export interface WsFrame {
  readonly fin: boolean;
  readonly opcode: number;
  readonly masked: boolean;
  readonly header: Buffer;
  readonly payload: Buffer;
}

const MAX_PAYLOAD = 16 * 1024 * 1024;

/** Masked client frame (RFC 6455, 5.3). */
export function clientFrame(opcode: number, payload: Uint8Array): Buffer {
  const size = payload.byteLength;
  const extra = size < 126 ? 0 : size < 0x10000 ? 2 : 8;
  const header = Buffer.alloc(2 + extra);
  header[0] = 0x80 | opcode;
  header[1] = 0x80 | (extra === 0 ? size : extra === 2 ? 126 : 127);
  if (extra === 2) header.writeUInt16BE(size, 2);
  if (extra === 8) header.writeBigUInt64BE(BigInt(size), 2);
  const mask = randomBytes(4);
  const body = Buffer.from(payload);
  for (let index = 0; index < body.length; index++) body[index] = (body[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return Buffer.concat([header, mask, body]);
}

/**
 * First complete frame of `bytes` and the rest; `incomplete` when more bytes are needed, `garbage` for an invalid
 * frame.
 */
export function readServerFrame(bytes: Buffer): { frame: WsFrame; rest: Buffer } | 'incomplete' | 'garbage' {
  if (bytes.byteLength < 2) return 'incomplete';
  const first = bytes[0] ?? 0;
  const second = bytes[1] ?? 0;
  let at = 2;
  let length = second & 0x7f;
  if (length === 126) {
    if (bytes.byteLength < 4) return 'incomplete';
    length = bytes.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (bytes.byteLength < 10) return 'incomplete';
    length = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  if (length > MAX_PAYLOAD || (first & 0x70) !== 0) return 'garbage';
  const masked = (second & 0x80) !== 0;
  if (masked) at += 4;
  if (bytes.byteLength < at + length) return 'incomplete';
  const frame = {
    fin: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    masked,
    header: bytes.subarray(0, at),
    payload: bytes.subarray(at, at + length),
  };
  return { frame, rest: bytes.subarray(at + length) };
}
