import { connect, type Socket } from 'node:net';
import { Opcode } from '../../src/wire/codes.ts';
import { encodeFrame } from '../../src/wire/frame.ts';

const HEADER_BYTES = 8;
const CLIENT_ID = '300000000000000001';

/** A connection that sends one frame and waits for one. Every method rejects when the connection ends. */
export class RawClient {
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  #waiting: { resolve(body: Buffer): void; reject(error: Error): void } | undefined;

  constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  /** HANDSHAKE, and what comes back. */
  handshake(): Promise<Buffer> {
    return this.#exchange(handshakeFrame);
  }

  /** The n-th SET_ACTIVITY, and its answer. */
  setActivity(n: number): Promise<Buffer> {
    const args = { pid: process.pid, activity: { ...activity, state: `Round ${n}` } };
    return this.#exchange(
      encodeFrame(Opcode.FRAME, JSON.stringify({ cmd: 'SET_ACTIVITY', args, nonce: String(n) })).bytes,
    );
  }

  /** Resolves once connected. */
  async connected(): Promise<this> {
    if (!this.#socket.connecting) return this;
    return new Promise((resolve, reject) => {
      this.#socket.once('connect', () => resolve(this)).once('error', reject);
    });
  }

  async close(): Promise<void> {
    if (this.#socket.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.destroy();
    });
  }

  #exchange(frame: Uint8Array): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(frame);
    });
  }

  #receive(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    if (this.#pending.length < HEADER_BYTES) return;
    const end = HEADER_BYTES + this.#pending.readUInt32LE(4);
    if (this.#pending.length < end) return;
    const body = this.#pending.subarray(HEADER_BYTES, end);
    this.#pending = this.#pending.subarray(end);
    this.#waiting?.resolve(body);
    this.#waiting = undefined;
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

const handshakeFrame = encodeFrame(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: CLIENT_ID })).bytes;

/** An ordinary one: about 440 bytes as a frame. */
const activity = {
  details: 'Crossing the river',
  timestamps: { start: 1_700_000_000_000 },
  assets: { large_image: 'bridge', large_text: 'A bridge', small_image: 'foot', small_text: 'On foot' },
  party: { id: 'party-1', size: [1, 4] },
  buttons: [{ label: 'Look', url: 'https://example.test/look' }],
  instance: true,
};
