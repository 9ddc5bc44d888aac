import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

/** A WebSocket that says what it is told and keeps what comes: no code of ours is in it. */
export class PlainWebSocket {
  readonly #socket: WebSocket;
  readonly #messages: unknown[] = [];
  readonly #closed: Promise<{ readonly code: number; readonly reason: string }>;
  #taken = 0;
  #wake = (): void => {};

  /** Without an Origin unless one is given. */
  constructor(url: string, origin?: string) {
    this.#socket = new WebSocket(url, origin === undefined ? {} : { origin });
    onTestFinished(() => this.#socket.terminate());
    this.#socket.on('message', (data) => {
      this.#messages.push(JSON.parse((data as Buffer).toString('utf8')));
      this.#wake();
    });
    this.#socket.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      this.#socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      });
    });
  }

  /** The body of the answer that turned it away. */
  refusal(): Promise<string> {
    return new Promise((resolve) => {
      this.#socket.once('unexpected-response', (_request, response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () => resolve(`${response.statusCode} ${text}`));
      });
    });
  }

  /** Resolves to false when it was turned away. */
  async opened(): Promise<boolean> {
    if (this.#socket.readyState === WebSocket.OPEN) return true;
    return new Promise((resolve) => {
      this.#socket.once('open', () => resolve(true)).once('close', () => resolve(false));
    });
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message. */
  async next(): Promise<never> {
    while (this.#taken === this.#messages.length) {
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error('the WebSocket is closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#taken += 1;
    return this.#messages[this.#taken - 1] as never;
  }

  closed(): Promise<{ readonly code: number; readonly reason: string }> {
    return this.#closed;
  }

  /** Stops reading for good. */
  stopReading(): void {
    this.#socket.pause();
  }
}
