import { maxSentBytes } from '../protocol/sent-size.ts';

/** Answers up to this size (bytes) never wait: as many as a connection may have in flight fit into what a peer may leave unread. */
const MAX_SMALL_BYTES = 64 * 1024;

/**
 * Answers that wait for the peer to read: while more than `maxBytes` are unread, no further answer is made that may be large.
 * An app may ask for many at once and read late; each is then encoded, and held, once there is room for it.
 */
export class LateAnswers {
  readonly #maxBytes: number;
  #unread = 0;
  /** Bytes of answers sent in this turn of the event loop, which the connection may not have reported yet. */
  #justSent = 0;
  #waiting: (() => void)[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the answer to `cmd` has to wait. */
  mustWait(cmd: string): boolean {
    const isFull = this.#waiting.length > 0 || this.#unread + this.#justSent > this.#maxBytes;
    return isFull && maxSentBytes(cmd) > MAX_SMALL_BYTES;
  }

  /** Makes the answer to `cmd` now, or once there is room. */
  add(cmd: string, answer: () => void): void {
    if (this.mustWait(cmd)) this.#waiting.push(answer);
    else answer();
  }

  /** An answer of so many bytes was sent. */
  sent(bytes: number): void {
    if (bytes <= MAX_SMALL_BYTES) return;
    if (this.#justSent === 0) {
      setImmediate(() => {
        this.#justSent = 0;
        this.#goOn();
      });
    }
    this.#justSent += bytes;
  }

  /** So many bytes are unread. */
  backlog(unread: number): void {
    this.#unread = unread;
    // Not in the middle of whatever tells this, which may be the sending of an answer.
    if (this.#waiting.length > 0 && unread <= this.#maxBytes) setImmediate(() => this.#goOn());
  }

  /** Nobody is left to read: all that wait are run, and are to send nothing. */
  end(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer();
  }

  #goOn(): void {
    while (this.#unread + this.#justSent <= this.#maxBytes) {
      const answer = this.#waiting.shift();
      if (answer === undefined) return;
      answer();
    }
  }
}
