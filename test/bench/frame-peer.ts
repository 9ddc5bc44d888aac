import { connect, type Socket } from 'node:net';
import { Opcode } from '../../src/wire/codes.ts';
import { encodeFrame } from '../../src/wire/frame.ts';

/** A payload from the bridge. */
export interface Heard {
  readonly cmd: string | null;
  readonly evt: string | null;
  readonly nonce: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: figures look into many shapes
  readonly data: any;
}

/** An app that may have many requests in flight, and hears events. */
export class FramePeer {
  /** Told of each payload that answers nothing. */
  onEvent: (heard: Heard) => void = () => {};
  /** Told of each answer to a nonce that is not, or no longer, waited for. */
  onStray: (heard: Heard) => void = () => {};
  readonly #socket: Socket;
  readonly #waiting = new Map<string, (heard: Heard) => void>();
  #pending: Buffer = Buffer.alloc(0);
  #nonces = 0;
  ended = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.ended = true;
    });
  }

  /** Connects, shakes hands, takes READY. */
  static async open(path: string, clientId = '300000000000000001'): Promise<FramePeer> {
    const socket = connect(path);
    const peer = new FramePeer(socket);
    const ready = new Promise<void>((resolve, reject) => {
      socket.once('close', () => reject(new Error('closed before READY')));
      peer.onEvent = ({ evt }) => evt === 'READY' && resolve();
    });
    socket.write(encodeFrame(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: clientId })).bytes);
    await ready;
    peer.onEvent = () => {};
    return peer;
  }

  /** Sends a request; the answer to its nonce, an ERROR included. Never resolves when the connection ends. */
  request(cmd: string, args: unknown = {}, evt?: string): Promise<Heard> {
    this.#nonces += 1;
    const nonce = `n${this.#nonces}`;
    return new Promise((resolve) => {
      this.#waiting.set(nonce, resolve);
      const body = JSON.stringify({ cmd, args, nonce, ...(evt === undefined ? {} : { evt }) });
      this.#socket.write(encodeFrame(Opcode.FRAME, body).bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= 8) {
      const end = 8 + this.#pending.readUInt32LE(4);
      if (this.#pending.length < end) return;
      const heard = JSON.parse(this.#pending.toString('utf8', 8, end)) as Heard;
      this.#pending = this.#pending.subarray(end);
      if (heard.nonce === null || heard.nonce === undefined) {
        this.onEvent(heard);
        continue;
      }
      const answered = this.#waiting.get(heard.nonce);
      this.#waiting.delete(heard.nonce);
      if (answered) answered(heard);
      else this.onStray(heard);
    }
  }
}
