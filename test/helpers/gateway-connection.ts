import { once } from 'node:events';
import { PassThrough, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { WebSocket } from 'ws';
import { PATIENCE_MS } from './patience.ts';

/** What the gateway sends. */
export interface GatewayPayload {
  readonly op: number;
  readonly s: number | null;
  readonly t: string | null;
  // A test knows what it asked for.
  // biome-ignore lint/suspicious/noExplicitAny: every event has another shape
  readonly d: any;
}

/** How a connection ended. */
export interface GatewayClosed {
  readonly code: number;
  readonly reason: string;
}

/** One connection to the gateway: says what it is told, keeps what comes, does nothing by itself. No code of ours is in it. */
export class GatewayConnection {
  readonly socket: WebSocket;
  readonly received: GatewayPayload[] = [];
  /** What came as binary messages. */
  binary = 0;
  readonly closed: Promise<GatewayClosed>;
  #taken = 0;
  #wake = (): void => {};
  #inflate: Transform | undefined;
  #chunks: Buffer[] = [];
  #inflated: Buffer[] = [];

  /** `api` is the address of the API; `query` what stands behind the gateway's. */
  constructor(api: string, query = '?v=10&encoding=json') {
    const address = `${api.replace('http', 'ws').replace('/api', '')}/gateway${query}`;
    this.socket = new WebSocket(address, { perMessageDeflate: false });
    const isZlib = query.includes('zlib-stream');
    const isStream = isZlib || query.includes('zstd-stream');
    if (isStream) {
      this.#inflate = isZlib
        ? zlib.createInflate({ finishFlush: zlib.constants.Z_SYNC_FLUSH })
        : // A Node without zstd is told so before anything comes.
          ((zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress?.() ??
          new PassThrough());
      this.#inflate.on('data', (chunk: Buffer) => this.#inflated.push(chunk));
    }
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.binary += 1;
      if (isStream) return this.#stream(data, isZlib);
      this.#take(isBinary ? zlib.inflateSync(data).toString('utf8') : data.toString('utf8'));
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      });
    });
  }

  send(payload: unknown): void {
    this.socket.send(
      typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    );
  }

  /** The next payload for which `is` says yes; those before it are passed over. */
  async next(is: (payload: GatewayPayload) => boolean = () => true): Promise<GatewayPayload> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      for (; this.#taken < this.received.length; this.#taken += 1) {
        const payload = this.received[this.#taken] as GatewayPayload;
        if (!is(payload)) continue;
        this.#taken += 1;
        return payload;
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the gateway closed the connection');
      if (Date.now() >= until)
        throw new Error(
          `not told within ${PATIENCE_MS} ms: ${JSON.stringify(this.received.at(-1))?.slice(0, 300)}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** The next event of this name. */
  event(name: string): Promise<GatewayPayload> {
    return this.next(({ t }) => t === name);
  }

  /** The next payload with this opcode. */
  op(code: number): Promise<GatewayPayload> {
    return this.next(({ op }) => op === code);
  }

  /** All that came up to the answer of a heartbeat. */
  async rest(): Promise<readonly GatewayPayload[]> {
    const from = this.#taken;
    this.send({ op: 1, d: null });
    await this.op(11);
    return this.received.slice(from, this.#taken - 1);
  }

  /** Waits for HELLO and identifies; gives READY. */
  async identify(token: string, fields: object = {}): Promise<GatewayPayload> {
    await this.op(10);
    const properties = { os: 'linux', browser: 'test', device: 'test' };
    this.send({ op: 2, d: { token, intents: 0, properties, ...fields } });
    return this.event('READY');
  }

  /** Ends it without a word, as a cut line does. */
  async cut(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.terminate();
    await closed;
  }

  #stream(data: Buffer, isZlib: boolean): void {
    this.#chunks.push(data);
    // With zstd, each message is a payload.
    if (isZlib && data.readUInt32BE(data.length - 4) !== 0x0000ffff) return;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [];
    // What comes out before the callback of a write belongs to that write.
    this.#inflate?.write(whole, () => {
      const text = Buffer.concat(this.#inflated).toString('utf8');
      this.#inflated = [];
      this.#take(text);
    });
  }

  #take(text: string): void {
    this.received.push(JSON.parse(text) as GatewayPayload);
    this.#wake();
  }
}
