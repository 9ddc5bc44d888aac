import { once } from 'node:events';
import { WebSocket } from 'ws';

/** What the gateway sends. */
export interface Told {
  readonly op: number;
  // A test knows what it listens to.
  // biome-ignore lint/suspicious/noExplicitAny: every event has another shape
  readonly d: any;
  readonly s: number | null;
  readonly t: string | null;
}

/** How a connection ended. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** How somebody identifies. */
export interface Identity {
  readonly token: string;
  readonly intents: number;
  readonly [field: string]: unknown;
}

/** Longer than anything takes that comes at all (ms). */
const PATIENCE_MS = 10_000;
const PROPERTIES = { os: 'linux', browser: 'test', device: 'test' };

/** One connection to the gateway, payload by payload, with nothing done by itself. */
export class GatewayConnection {
  readonly socket: WebSocket;
  readonly closed: Promise<Closed>;
  readonly told: Told[] = [];
  #taken = 0;
  #wake: () => void = () => {};

  /** `address` is that of `GET /gateway`. */
  constructor(address: string, query = '?v=10&encoding=json') {
    this.socket = new WebSocket(`${address}${query}`, { perMessageDeflate: false });
    this.socket.on('error', () => {});
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) this.told.push(JSON.parse(data.toString('utf8')) as Told);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString('utf8') });
        this.#wake();
      });
    });
  }

  /** The next payload of the kind, whatever comes before it. Rejects where it does not come. */
  async next(is: (told: Told) => boolean): Promise<Told> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      for (; this.#taken < this.told.length; this.#taken += 1) {
        const told = this.told[this.#taken];
        if (told !== undefined && is(told)) {
          this.#taken += 1;
          return told;
        }
      }
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`closed with ${JSON.stringify(await this.closed)}, and it did not come`);
      if (Date.now() > end) throw new Error('it did not come in time');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  opcode(op: number): Promise<Told> {
    return this.next((told) => told.op === op);
  }

  event(name: string): Promise<Told> {
    return this.next(({ t }) => t === name);
  }

  send(op: number, d: unknown): void {
    this.socket.send(JSON.stringify({ op, d }));
  }

  /** HELLO, Identify, READY. */
  async identify({ token, intents, ...more }: Identity): Promise<Told> {
    await this.opcode(10);
    this.send(2, { token, intents, properties: PROPERTIES, ...more });
    return await this.event('READY');
  }

  /** A heartbeat and its answer: all that was on its way has come before. */
  async beat(): Promise<void> {
    this.send(1, null);
    await this.opcode(11);
  }

  /** Ends it without a word, as a cut line does. */
  async cut(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.terminate();
    await closed;
  }
}

/** A bot that listens to messages, and resumes whenever its line is cut. What resuming cannot mend is a fault. */
export class ResumingBot {
  /** Contents of the messages, in the order they were told. */
  readonly heard: string[] = [];
  /** Numbers of events that were not one more than the one before, and sessions that could not be resumed. */
  readonly faults: string[] = [];
  resumes = 0;
  readonly #address: string;
  readonly #identity: Identity;
  readonly #onMessage: (content: string) => void;
  #connection: GatewayConnection;
  #session = '';
  #seq = 0;

  /** `onMessage` is called with each message as it comes. */
  constructor(address: string, identity: Identity, onMessage: (content: string) => void = () => {}) {
    this.#address = address;
    this.#identity = identity;
    this.#onMessage = onMessage;
    this.#connection = this.#connect();
  }

  /** Resolves once it is there. */
  async start(): Promise<this> {
    const { d } = await this.#connection.identify(this.#identity);
    this.#session = d.session_id;
    return this;
  }

  /** Cuts the line, waits so long and resumes; resolves once RESUMED has come. */
  async cut(ms = 0): Promise<void> {
    await this.#connection.cut();
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#connection = this.#connect();
    await this.#connection.opcode(10);
    this.#connection.send(6, { token: this.#identity.token, session_id: this.#session, seq: this.#seq });
    const { op } = await this.#connection.next(({ op: told, t }) => told === 9 || t === 'RESUMED');
    if (op === 9) this.faults.push(`session ${this.#session} could not be resumed at ${this.#seq}`);
    this.resumes += 1;
  }

  async end(): Promise<void> {
    await this.#connection.cut();
  }

  #connect(): GatewayConnection {
    const connection = new GatewayConnection(this.#address);
    connection.socket.on('message', () => this.#note(connection));
    return connection;
  }

  #note({ told }: GatewayConnection): void {
    const last = told.at(-1);
    if (last === undefined || last.s === null) return;
    if (last.t === 'RESUMED') {
      this.#seq = Math.max(this.#seq, last.s);
      return;
    }
    if (last.s !== this.#seq + 1) this.faults.push(`${last.t} ${last.s} after ${this.#seq}`);
    this.#seq = last.s;
    if (last.t !== 'MESSAGE_CREATE') return;
    this.heard.push(last.d.content);
    this.#onMessage(last.d.content);
  }
}
