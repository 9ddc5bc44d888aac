import { connect, type Socket } from 'node:net';

/** What was answered. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** A kept connection that asks one thing at a time, and parses as little as it can. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #pending = '';
  #settle: ((answer: HttpAnswer | Error) => void) | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', (error) => this.#settle?.(error));
    socket.on('close', () => this.#settle?.(new Error('the connection was closed')));
  }

  static open(url: URL): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket, url.host));
      });
    });
  }

  /** Asks `GET /path`; a body is JSON. */
  ask(what: string, authorization: string, body?: string): Promise<HttpAnswer> {
    const head = `${what} HTTP/1.1\r\nhost: ${this.#host}\r\nauthorization: ${authorization}\r\n`;
    const rest =
      body === undefined
        ? '\r\n'
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return new Promise((resolve, reject) => {
      this.#settle = (answer) => {
        this.#settle = undefined;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      };
      this.#socket.write(head + rest);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#pending += chunk;
    const head = this.#pending.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#pending.slice(0, head))?.[1] ?? 0);
    if (this.#pending.length < head + 4 + length) return;
    const status = Number(this.#pending.slice(9, 12));
    const body = this.#pending.slice(head + 4);
    this.#pending = '';
    this.#settle?.({ status, body });
  }
}
