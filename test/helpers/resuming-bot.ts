import { GatewayConnection } from './gateway-connection.ts';

/** How a bot identifies. */
interface Identity {
  readonly token: string;
  readonly intents: number;
}

/** A bot that listens to messages, and resumes whenever its line is cut. What resuming cannot mend is a fault. */
export class ResumingBot {
  /** Contents of the messages, in the order they were told. */
  readonly heard: string[] = [];
  /** Numbers of events that were not one more than the one before, and sessions that could not be resumed. */
  readonly faults: string[] = [];
  resumes = 0;
  readonly #api: string;
  readonly #identity: Identity;
  readonly #onMessage: (content: string) => void;
  #connection: GatewayConnection;
  #session = '';
  #seq = 0;

  /** `onMessage` is called with each message as it comes. */
  constructor(api: string, identity: Identity, onMessage: (content: string) => void = () => {}) {
    this.#api = api;
    this.#identity = identity;
    this.#onMessage = onMessage;
    this.#connection = this.#connect();
  }

  /** Resolves once it is there. */
  async start(): Promise<this> {
    const { d } = await this.#connection.identify(this.#identity.token, this.#identity);
    this.#session = d.session_id;
    return this;
  }

  /** Cuts the line, waits so long and resumes; resolves once RESUMED has come. */
  async cut(ms = 0): Promise<void> {
    await this.#connection.cut();
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#connection = this.#connect();
    await this.#connection.op(10);
    const d = { token: this.#identity.token, session_id: this.#session, seq: this.#seq };
    this.#connection.send({ op: 6, d });
    const { op } = await this.#connection.next(({ op: told, t }) => told === 9 || t === 'RESUMED');
    if (op === 9) this.faults.push(`session ${this.#session} could not be resumed at ${this.#seq}`);
    this.resumes += 1;
  }

  async end(): Promise<void> {
    await this.#connection.cut();
  }

  #connect(): GatewayConnection {
    const connection = new GatewayConnection(this.#api);
    connection.socket.on('message', () => this.#note(connection));
    return connection;
  }

  #note({ received }: GatewayConnection): void {
    const last = received.at(-1);
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
