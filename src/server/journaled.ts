import type { Journal } from '../journal/journal.ts';
import { textWithoutSecrets } from '../journal/without-secrets.ts';
import type { Connection, ConnectionListener, PeerCredentials, TransportKind } from '../wire/connection.ts';
import type { EncodedFrame, Frame } from '../wire/frame.ts';

/** Writes down what passes the connections of a server, and is otherwise in nobody's way. */
export class ServerJournal {
  readonly #journal: Journal;
  /** An event goes to many sessions: its text is made once. */
  #last: { readonly frame: Frame; readonly text: string } | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The same connection, written down as one of this session. */
  connection(session: string, connection: Connection): Connection {
    const { peer, kind } = connection;
    const pid = peer === undefined || peer.pid === 0 ? {} : { pid: peer.pid };
    this.#journal.add({ kind: 'connect', session, over: kind, ...pid });
    return new JournaledConnection(session, connection, this);
  }

  frame(session: string, direction: 'in' | 'out', frame: Frame): void {
    const bytes = frame.body.byteLength;
    const text = this.#textOf(frame);
    this.#journal.add({ kind: 'frame', session, direction, opcode: frame.opcode, text, bytes });
  }

  close(session: string, code: number, message: string): void {
    this.#journal.add({ kind: 'close', session, code, message });
  }

  broken(session: string, message: string): void {
    this.#journal.add({ kind: 'broken', session, message });
  }

  end(session: string): void {
    this.#journal.add({ kind: 'end', session });
  }

  #textOf(frame: Frame): string {
    if (this.#last?.frame === frame) return this.#last.text;
    const { buffer, byteOffset, byteLength } = frame.body;
    const text = textWithoutSecrets(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'));
    this.#last = { frame, text };
    return text;
  }
}

class JournaledConnection implements Connection {
  readonly kind: TransportKind;
  declare readonly origin?: string;
  declare readonly peer?: PeerCredentials;
  declare readonly instance?: string;
  readonly #session: string;
  readonly #connection: Connection;
  readonly #journal: ServerJournal;

  constructor(session: string, connection: Connection, journal: ServerJournal) {
    const { kind, origin, peer, instance } = connection;
    this.kind = kind;
    if (origin !== undefined) this.origin = origin;
    if (peer !== undefined) this.peer = peer;
    if (instance !== undefined) this.instance = instance;
    this.#session = session;
    this.#connection = connection;
    this.#journal = journal;
  }

  start(listener: ConnectionListener): void {
    this.#connection.start(new JournaledListener(this.#session, listener, this.#journal));
  }

  send(frame: EncodedFrame): void {
    this.#journal.frame(this.#session, 'out', frame);
    this.#connection.send(frame);
  }

  close(code: number, message: string): void {
    this.#journal.close(this.#session, code, message);
    this.#connection.close(code, message);
  }

  end(): void {
    this.#connection.end();
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  setFrameLimit(bytes: number): void {
    this.#connection.setFrameLimit(bytes);
  }

  destroy(): void {
    this.#connection.destroy();
  }
}

class JournaledListener implements ConnectionListener {
  readonly #session: string;
  readonly #listener: ConnectionListener;
  readonly #journal: ServerJournal;

  constructor(session: string, listener: ConnectionListener, journal: ServerJournal) {
    this.#session = session;
    this.#listener = listener;
    this.#journal = journal;
  }

  get requestsInFlight(): number {
    return this.#listener.requestsInFlight;
  }

  admits(bytes: number): boolean {
    return this.#listener.admits(bytes);
  }

  frame(frame: Frame): void {
    this.#journal.frame(this.#session, 'in', frame);
    this.#listener.frame(frame);
  }

  partial(bytes: number): void {
    this.#listener.partial(bytes);
  }

  backlog(held: number, unread?: number): void {
    this.#listener.backlog(held, unread);
  }

  halfClosed(): void {
    this.#listener.halfClosed();
  }

  broken(error: Error): void {
    this.#journal.broken(this.#session, error.message);
    this.#listener.broken(error);
  }

  ended(): void {
    this.#journal.end(this.#session);
    this.#listener.ended();
  }
}
