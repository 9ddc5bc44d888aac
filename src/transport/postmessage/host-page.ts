import { CloseCode, Opcode } from '../../wire/codes.ts';
import { encodeFrame } from '../../wire/frame.ts';
import type { FrameChannel } from './directory.ts';
import { FrameConnection, type FrameLink } from './frame-connection.ts';

/** Maximum number of handshakes of a page per minute, which is the platform's limit for this transport. */
const MAX_HANDSHAKES = 60;
const MINUTE_MS = 60_000;
/** Time limit for a page to answer our close frame before it is dropped (ms). */
const LINGER_MS = 1000;
/** WebSocket close code for a message that violates the rules of this endpoint (RFC 6455 7.4.1). */
const POLICY_VIOLATION = 1008;

/** Members that this module uses of a server-side WebSocket. */
export interface PageSocket {
  readonly bufferedAmount: number;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'error' | 'close', listener: () => void): unknown;
  send(data: Uint8Array | string, options: { binary: boolean }, done?: () => void): void;
  close(code: number, reason: string): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}

/** Options of a host page. */
export interface HostPageOptions {
  readonly channel: FrameChannel;
  /** Application of the frame, according to the host name. */
  readonly application: string;
  readonly handshakeFrameBytes: number;
  readonly unreadBytes: number;
  onConnection(connection: FrameConnection): void;
  /** Called when a HANDSHAKE names another frame, or another application, whose id is `clientId`. */
  onWrongFrame(clientId: string | undefined): void;
}

/**
 * The host page around the frame of an activity. Each text message relays one message `[opcode, payload]` from or to
 * the frame. The frame may load again, so one page may serve several connections in succession.
 */
export class HostPage implements FrameLink {
  readonly #socket: PageSocket;
  readonly #options: HostPageOptions;
  #current: FrameConnection | undefined;
  /** Times of the last handshakes. */
  #handshakes: readonly number[] = [];

  constructor(socket: PageSocket, options: HostPageOptions) {
    this.#socket = socket;
    this.#options = options;
    const { channel } = options;
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // A page that violates the rules gets the reason in a close frame; the delay gives it time to read the frame.
    socket.on('error', () => setTimeout(() => this.drop(), LINGER_MS).unref());
    socket.on('close', () => {
      this.#current?.pageClosed();
      channel.leave();
    });
    channel.onEnd(() => this.end('You have left this activity.'));
    socket.send(JSON.stringify({ query: channel.query, key: channel.key }), { binary: false });
  }

  get waiting(): number {
    return this.#socket.bufferedAmount;
  }

  send(opcode: number, body: Uint8Array | string, taken?: () => void): number {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const message = Buffer.concat([Buffer.from(`[${opcode},`), bytes, Buffer.from(']')]);
    this.#socket.send(message, { binary: false }, taken);
    return this.waiting;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  over(connection: FrameConnection): void {
    if (this.#current !== connection) return;
    this.#current = undefined;
    // The page may send again, because the connection that paused it has ended.
    this.#socket.resume();
  }

  drop(): void {
    this.#socket.terminate();
  }

  /** Sends CLOSE to the app, then closes the page's WebSocket. */
  end(why: string): void {
    this.#current?.close(CloseCode.NORMAL, why);
    this.#socket.resume();
    this.#socket.close(CloseCode.NORMAL, why);
    setTimeout(() => this.drop(), LINGER_MS).unref();
  }

  #receive(data: unknown, isBinary: boolean): void {
    // A message consists of `[`, an opcode of one digit, `,`, a payload and `]`.
    if (isBinary || !(data instanceof Uint8Array)) return this.#socket.close(POLICY_VIOLATION, 'text only');
    const [open, digit, comma] = data;
    if (open !== 0x5b || comma !== 0x2c || data.at(-1) !== 0x5d || digit === undefined) {
      return this.#socket.close(POLICY_VIOLATION, '[opcode, payload] only');
    }
    const body = data.subarray(3, -1);
    switch (digit - 0x30) {
      case Opcode.HANDSHAKE:
        return this.#shake(body);
      case Opcode.FRAME:
        if (this.#current === undefined) return this.#refuse(CloseCode.UNSUPPORTED, 'FRAME before HANDSHAKE');
        return this.#current.push({ opcode: Opcode.FRAME, body });
      case Opcode.CLOSE:
        return this.#current?.push({ opcode: Opcode.CLOSE, body });
      default:
        return this.#refuse(CloseCode.UNSUPPORTED, 'Unknown opcode: only 0 to 2 are spoken here');
    }
  }

  #shake(body: Uint8Array): void {
    // The frame was reloaded, or another script in it starts a new session.
    this.#current?.close(CloseCode.NORMAL, 'The frame began another session');
    const now = performance.now();
    this.#handshakes = [...this.#handshakes.filter((at) => now - at < MINUTE_MS), now];
    if (this.#handshakes.length > MAX_HANDSHAKES) {
      this.#handshakes = this.#handshakes.slice(-MAX_HANDSHAKES);
      return this.#refuse(CloseCode.RATE_LIMITED, 'Too many handshakes: 60 in a minute');
    }
    if (body.byteLength > this.#options.handshakeFrameBytes) {
      return this.#refuse(CloseCode.UNSUPPORTED, 'The HANDSHAKE is too large');
    }
    const { channel, application, unreadBytes } = this.#options;
    const message = handshakeIn(body);
    if (message?.frame_id !== channel.frame || String(message.client_id) !== application) {
      this.#options.onWrongFrame(clientIdIn(message));
      const what = message?.frame_id === channel.frame ? 'client_id' : 'frame_id';
      return this.#refuse(CloseCode.INVALID_ORIGIN, `Invalid Origin: ${what} is not that of this frame`);
    }
    const handshake = encodeFrame(Opcode.HANDSHAKE, body);
    const connection = new FrameConnection(this, channel.instance, handshake, unreadBytes);
    this.#current = connection;
    this.#options.onConnection(connection);
  }

  #refuse(code: number, message: string): void {
    if (this.#current) this.#current.close(code, message);
    else this.send(Opcode.CLOSE, JSON.stringify({ code, message }));
  }
}

function clientIdIn(handshake: Handshake | undefined): string | undefined {
  const id = handshake?.client_id;
  return typeof id === 'string' && /^[1-9]\d{0,19}$/.test(id) ? id : undefined;
}

interface Handshake {
  readonly frame_id?: unknown;
  readonly client_id?: unknown;
}

function handshakeIn(body: Uint8Array): Handshake | undefined {
  try {
    const message: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
