import { printable } from '../../../platform/text.ts';
import type { Transport } from '../../transport/transport.ts';
import { Opcode } from '../../wire/codes.ts';
import type { Frame } from '../../wire/frame.ts';
import { bodyOf, type Passage, watch } from './watch.ts';

/** Nonces are usually UUIDs; a longer one is cut. */
const MAX_WORD = 64;

/**
 * Writes one line for each request, answer, event, handshake and close that passes a transport. Only names, nonces
 * and codes: arguments and data may hold tokens.
 */
export function transcribe(transport: Transport, write: (line: string) => void): Transport {
  return watch(transport, (connection, _kind, passage) => {
    const text = describe(passage);
    if (text !== undefined) write(`#${connection} ${text}\n`);
  });
}

function describe(passage: Passage): string | undefined {
  switch (passage.kind) {
    case 'received':
    case 'sent': {
      const text = describeFrame(passage.frame, passage.kind);
      return text === undefined ? undefined : `${passage.kind === 'sent' ? '<-' : '->'} ${text}`;
    }
    case 'closed':
      return `<- CLOSE ${passage.code} ${word(passage.message)}`;
    case 'broken':
      return `-> broken: ${printable(passage.message)}`;
    case 'ended':
      return '-> end of the connection';
  }
}

/** Undefined for PING and PONG, which are noise. */
function describeFrame({ opcode, body }: Frame, direction: 'sent' | 'received'): string | undefined {
  switch (opcode) {
    case Opcode.HANDSHAKE:
      return `HANDSHAKE client_id=${word(bodyOf(body)['client_id'])}`;
    case Opcode.FRAME:
      return describePayload(bodyOf(body), direction);
    case Opcode.CLOSE:
      return `CLOSE ${word(bodyOf(body)['code'])}`;
    case Opcode.PING:
    case Opcode.PONG:
      return undefined;
  }
}

function describePayload(payload: Record<string, unknown>, direction: 'sent' | 'received'): string {
  const { cmd, evt, nonce, data } = payload;
  const parts = [word(cmd)];
  if (evt !== null && evt !== undefined && evt !== 'ERROR') parts.push(`evt=${word(evt)}`);
  if (nonce !== null && nonce !== undefined) parts.push(`nonce=${word(nonce)}`);
  if (direction === 'sent' && nonce !== null) parts.push(evt === 'ERROR' ? `ERROR ${errorCode(data)}` : 'ok');
  return parts.join(' ');
}

function errorCode(data: unknown): string {
  return word(Reflect.get(Object(data) as object, 'code'));
}

function word(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
  return printable(text.slice(0, MAX_WORD));
}
