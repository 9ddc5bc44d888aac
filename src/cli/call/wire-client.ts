import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { LocalError } from '../../../platform/local-error.ts';
import { Opcode } from '../../wire/codes.ts';
import { FrameDecoder, framesOf } from '../../wire/decoder.ts';
import { encodeFrame, type Frame } from '../../wire/frame.ts';

/** A message of the other side; nothing of it is taken for granted. */
export interface Message {
  readonly cmd: unknown;
  readonly evt: unknown;
  readonly nonce: unknown;
  readonly data: unknown;
}

/** One request as it is sent. */
export interface Outgoing {
  readonly cmd: string;
  readonly args: unknown;
  readonly evt?: string;
}

/** Far above what any server sends; only there so that a hostile one costs no more. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** Connects to a socket or pipe. Rejects with the system's error. */
export function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** A plain client of the framed protocol over one connection, with nothing but the wire below it. */
export class WireClient {
  readonly #socket: Socket;
  readonly #decoder = new FrameDecoder(MAX_FRAME_BYTES);
  readonly #inbox: Message[] = [];
  #failure: LocalError | undefined;
  #wake = (): void => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    socket.on('error', (error) => this.#fail(`the connection broke: ${error.message}`));
    socket.on('close', () => this.#fail('the other side closed the connection'));
  }

  /** Shakes hands and waits for READY. Throws `LocalError` FOOTBRIDGE_REFUSED or FOOTBRIDGE_TIMEOUT. */
  async handshake(clientId: string, timeoutMs: number): Promise<Message> {
    this.#socket.write(encodeFrame(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: clientId })).bytes);
    return this.#take(({ evt }) => evt === 'READY', 'READY', timeoutMs);
  }

  /** Sends one request and waits for the answer with its nonce; throws like {@link handshake}. */
  async request({ cmd, args, evt }: Outgoing, timeoutMs: number): Promise<Message> {
    const nonce = randomUUID();
    const body = JSON.stringify({ cmd, args, ...(evt === undefined ? {} : { evt }), nonce });
    this.#socket.write(encodeFrame(Opcode.FRAME, body).bytes);
    return this.#take((message) => message.nonce === nonce, `answer to ${cmd}`, timeoutMs);
  }

  /** Every message that nobody waited for, until the connection ends. */
  async *events(): AsyncGenerator<Message, void, void> {
    for (;;) {
      const message = this.#inbox.shift();
      if (message !== undefined) yield message;
      else if (this.#failure !== undefined) return;
      else await this.#change();
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async #take(wanted: (message: Message) => boolean, what: string, timeoutMs: number): Promise<Message> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const index = this.#inbox.findIndex(wanted);
      const [message] = index === -1 ? [] : this.#inbox.splice(index, 1);
      if (message !== undefined) return message;
      if (this.#failure !== undefined) throw this.#failure;
      const left = end - performance.now();
      if (left <= 0) {
        const seconds = timeoutMs / 1000;
        throw new LocalError(
          'FOOTBRIDGE_TIMEOUT',
          `No ${what} within ${seconds} s; --timeout sets how long to wait.`,
        );
      }
      await this.#change(left);
    }
  }

  /** Resolves when something arrived, the connection ended, or the time is up. */
  async #change(ms?: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (ms !== undefined) timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  #receive(chunk: Uint8Array): void {
    try {
      for (const frame of framesOf(this.#decoder, chunk)) this.#handle(frame);
    } catch (error) {
      this.#fail(
        `the other side does not speak this protocol: ${error instanceof Error ? error.message : String(error)}`,
      );
      this.close();
    }
    this.#wake();
  }

  #handle({ opcode, body }: Frame): void {
    if (opcode === Opcode.PING) {
      this.#socket.write(encodeFrame(Opcode.PONG, body).bytes);
    } else if (opcode === Opcode.CLOSE) {
      const { code, message } = parseBody(body);
      this.#fail(`the other side ended the session: ${String(code)} ${String(message)}`);
    } else if (opcode === Opcode.FRAME) {
      const { cmd, evt, nonce, data } = parseBody(body);
      this.#inbox.push({ cmd, evt, nonce, data });
    }
  }

  /** The first reason counts: what follows is its consequence. */
  #fail(reason: string): void {
    this.#failure ??= new LocalError('FOOTBRIDGE_REFUSED', `${reason.slice(0, 500)}.`);
    this.#wake();
  }
}

function parseBody(body: Uint8Array): { readonly [key: string]: unknown } {
  const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
