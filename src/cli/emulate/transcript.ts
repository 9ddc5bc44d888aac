import { describedText } from '../../journal/describe.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { Opcode } from '../../wire/codes.ts';

/**
 * Formats a transcript: one readable line for each request, answer, event, handshake and close of an app, with the
 * number of its connection, and only with names, nonces and codes; also for each requested operation that the emulator
 * does not offer.
 */
export class Transcript {
  readonly #numbers = new Map<string, number>();

  /** Line of an entry; undefined for an entry that a transcript omits. */
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
