import { printable } from '../base/text.ts';
import { Opcode } from '../wire/codes.ts';

/** Nonces are usually UUIDs; a longer one is cut. */
const MAX_WORD = 64;

/** Which way something goes, as the bridge sees it. */
export const ARROWS = { in: '->', out: '<-' } as const;

/** What a frame of the RPC protocol is in words: names, nonces and codes. */
export function frameWords(
  opcode: number,
  body: Readonly<Record<string, unknown>>,
  direction: 'in' | 'out',
): string {
  switch (opcode) {
    case Opcode.HANDSHAKE:
      return `HANDSHAKE client_id=${word(body['client_id'])}`;
    case Opcode.FRAME:
      return payloadWords(body, direction);
    case Opcode.CLOSE:
      return `CLOSE ${word(body['code'])}`;
    case Opcode.PING:
      return 'PING';
    case Opcode.PONG:
      return 'PONG';
    default:
      return `opcode ${opcode}`;
  }
}

function payloadWords(
  { cmd, evt, nonce, data }: Readonly<Record<string, unknown>>,
  direction: 'in' | 'out',
): string {
  const parts = [word(cmd)];
  if (evt !== null && evt !== undefined && evt !== 'ERROR') parts.push(`evt=${word(evt)}`);
  if (nonce !== null && nonce !== undefined) parts.push(`nonce=${word(nonce)}`);
  if (direction === 'out' && nonce !== null) parts.push(evt === 'ERROR' ? `ERROR ${errorCode(data)}` : 'ok');
  return parts.join(' ');
}

function errorCode(data: unknown): string {
  return word(Reflect.get(Object(data) as object, 'code'));
}

/** A name, a nonce or a number that came from somebody else; a question mark for anything else. */
export function word(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
  return printable(text.slice(0, MAX_WORD));
}
