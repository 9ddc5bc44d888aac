import { describedText } from '../../journal/describe.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { Opcode } from '../../wire/codes.ts';

/**
 * Lines of a transcript for people: each request, answer, event, handshake and close of an app, with names, nonces and codes
 * only, behind the number of its connection; and what was requested and is not offered.
 */
export class Transcript {
  readonly #numbers = new Map<string, number>();

  /** The line of an entry; undefined for what a transcript leaves out. */
  line(entry: JournalEntry): string | undefined {
    if (entry.kind === 'missing') return `${describedText(entry)}\n`;
    if (!('session' in entry) || entry.session === undefined || isNoise(entry)) return undefined;
    if (entry.kind === 'connect' && entry.over !== 'gateway')
      this.#numbers.set(entry.session, this.#numbers.size + 1);
    const number = this.#numbers.get(entry.session);
    if (number === undefined || !PRINTED.has(entry.kind)) return undefined;
    return `#${number} ${describedText(entry)}\n`;
  }
}

const PRINTED: ReadonlySet<JournalEntry['kind']> = new Set(['frame', 'close', 'broken', 'end']);

function isNoise(entry: JournalEntry): boolean {
  return entry.kind === 'frame' && (entry.opcode === Opcode.PING || entry.opcode === Opcode.PONG);
}
