import { printable } from '../../base/text.ts';
import { ARROWS, frameWords, word } from '../../journal/frame-words.ts';
import type { Transport } from '../../transport/transport.ts';
import { Opcode } from '../../wire/codes.ts';
import { bodyOf, type Passage, watch } from './watch.ts';

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
      const { opcode, body } = passage.frame;
      // Noise.
      if (opcode === Opcode.PING || opcode === Opcode.PONG) return undefined;
      const direction = passage.kind === 'sent' ? 'out' : 'in';
      return `${ARROWS[direction]} ${frameWords(opcode, bodyOf(body), direction)}`;
    }
    case 'closed':
      return `<- CLOSE ${passage.code} ${word(passage.message)}`;
    case 'broken':
      return `-> broken: ${printable(passage.message)}`;
    case 'ended':
      return '-> end of the connection';
  }
}
