import type { Journal } from '../journal/journal.ts';
import { textWithoutSecrets, wordsWithoutSecrets } from '../journal/without-secrets.ts';
import type { Connection } from '../wire/connection.ts';
import type { Frame } from '../wire/frame.ts';
import { type Tap, tapped } from '../wire/tapped.ts';

/** Writes down what passes the connections of a server, and is otherwise in nobody's way. */
export class ServerJournal {
  readonly #journal: Journal;
  /** An event goes to many sessions: its text is made once. */
  #lastFrame: Frame | undefined;
  #lastText: Uint8Array | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The same connection, written down as one of this session. */
  connection(session: string, connection: Connection): Connection {
    const { peer, kind } = connection;
    const pid = peer === undefined || peer.pid === 0 ? {} : { pid: peer.pid };
    this.#journal.add({ kind: 'connect', session, over: kind, ...pid });
    return tapped(connection, this.#tapOf(session));
  }

  /** Something is wrong with what a session sends, and it is served nevertheless. */
  warning(session: string, message: string): void {
    this.#journal.add({ kind: 'warning', session, message });
  }

  #tapOf(session: string): Tap {
    const journal = this.#journal;
    return {
      frame: (direction, frame) => {
        journal.addFrame(session, direction, frame.opcode, frame.body.byteLength, this.#textOf(frame));
      },
      // A core may say what its chat client said.
      close: (code, message) => {
        journal.add({ kind: 'close', session, code, message: wordsWithoutSecrets(message) });
      },
      broken: (message) => {
        journal.add({ kind: 'broken', session, message: wordsWithoutSecrets(message) });
      },
      ended: () => {
        journal.add({ kind: 'end', session });
      },
    };
  }

  #textOf(frame: Frame): Uint8Array {
    if (this.#lastFrame === frame && this.#lastText !== undefined) return this.#lastText;
    const { body } = frame;
    if (body.byteLength > this.#journal.mostText) return Buffer.from(`(JSON, ${body.byteLength} bytes)`);
    const said = textOf(body);
    const kept = textWithoutSecrets(said);
    const text = kept === said ? body : Buffer.from(kept);
    this.#lastFrame = frame;
    this.#lastText = text;
    return text;
  }
}

/** To make a buffer of each costs as much as to read it. */
function textOf(body: Uint8Array): string {
  if (Buffer.isBuffer(body)) return body.toString('utf8');
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
