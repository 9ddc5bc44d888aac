import { performance } from 'node:perf_hooks';
import { Opcode } from '../../src/wire/codes.ts';
import type { Frame } from '../../src/wire/frame.ts';
import { frameBytes } from './frame-bytes.ts';

/** Whatever carries bytes to the bridge and frames back: a memory pair or a socket. */
export interface PeerLink {
  readonly write: (bytes: Uint8Array) => void;
  /** The next frame, or undefined once the connection has ended. */
  readonly receive: () => Promise<Frame | undefined>;
  readonly end: () => void;
}

/** A FRAME body from the bridge. */
export interface Answer {
  readonly cmd: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly data: any;
  readonly evt: string | null;
  readonly nonce: string | null;
}

/** A frame from the bridge with its body parsed. */
export interface Received {
  readonly opcode: Opcode;
  readonly body: unknown;
}

export const CLIENT_ID = '207646673902501888';

/** An app at the other end: sends what it is told, right or wrong, and keeps all that comes back. */
export class AppPeer {
  readonly #link: PeerLink;
  readonly #received: Received[] = [];
  #taken = 0;
  #nonces = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(link: PeerLink) {
    this.#link = link;
    void this.#read();
  }

  async #read(): Promise<void> {
    for (let frame = await this.#link.receive(); frame; frame = await this.#link.receive()) {
      this.#received.push({ opcode: frame.opcode, body: JSON.parse(new TextDecoder().decode(frame.body)) });
      this.#wake?.();
    }
    this.#ended = true;
    this.#wake?.();
  }

  write(bytes: Uint8Array): void {
    this.#link.write(bytes);
  }

  /** One frame, its body as JSON text of `body`, or as it is when it is text already. */
  send(opcode: number, body: unknown): void {
    this.write(frameBytes(opcode, typeof body === 'string' ? body : JSON.stringify(body)));
  }

  /** Sends a request and returns its nonce. */
  request(cmd: string, args?: unknown, more: { evt?: unknown; nonce?: string } = {}): string {
    this.#nonces += 1;
    const nonce = more.nonce ?? `n${this.#nonces}`;
    this.send(Opcode.FRAME, { cmd, args, nonce, evt: more.evt });
    return nonce;
  }

  /** The next frame; undefined once the connection has ended. */
  async next(): Promise<Received | undefined> {
    while (this.#taken === this.#received.length && !this.#ended) await this.#woken();
    const frame = this.#received[this.#taken];
    if (frame) this.#taken += 1;
    return frame;
  }

  /** The next FRAME. Throws when it is something else, or lacks one of the four keys. */
  async answer(): Promise<Answer> {
    const frame = await this.next();
    if (frame?.opcode !== Opcode.FRAME) throw new Error(`expected a FRAME, got ${JSON.stringify(frame)}`);
    return asAnswer(frame);
  }

  /** Sends a request and gives its answer, which must be the very next frame. */
  async call(cmd: string, args?: unknown, more: { evt?: unknown } = {}): Promise<Answer> {
    const nonce = this.request(cmd, args, more);
    const answer = await this.answer();
    if (answer.nonce !== nonce || answer.cmd !== cmd) {
      throw new Error(`expected the answer to ${cmd} ${nonce}, got ${JSON.stringify(answer)}`);
    }
    return answer;
  }

  async subscribe(evt: string, args?: unknown): Promise<Answer> {
    return this.call('SUBSCRIBE', args, { evt });
  }

  /** Shakes hands and takes READY. */
  async handshake(clientId = CLIENT_ID): Promise<Answer> {
    this.send(Opcode.HANDSHAKE, { v: 1, client_id: clientId });
    const ready = await this.answer();
    if (ready.evt !== 'READY') throw new Error(`expected READY, got ${JSON.stringify(ready)}`);
    return ready;
  }

  /** What has come and was not taken yet, after everything that is under way has settled. */
  async rest(): Promise<Received[]> {
    await settled();
    return this.#takeAll();
  }

  /** The same as soon as there is anything: nothing at all once everything has settled without. */
  async some(): Promise<Received[]> {
    const isSome = () => this.#taken < this.#received.length;
    // An answer over a loopback socket takes a few turns, to look whether all has settled many more.
    for (let turns = 0; turns < 8 && !isSome(); turns++) await turn();
    await settled(isSome);
    return this.#takeAll();
  }

  #takeAll(): Received[] {
    const all = this.#received.slice(this.#taken);
    this.#taken = this.#received.length;
    return all;
  }

  /** The code of the CLOSE frame that must come next and last. */
  async closed(): Promise<{ code: number; message: string }> {
    const frame = await this.next();
    if (frame?.opcode !== Opcode.CLOSE) throw new Error(`expected CLOSE, got ${JSON.stringify(frame)}`);
    const after = await this.next();
    if (after !== undefined) throw new Error(`expected the end after CLOSE, got ${JSON.stringify(after)}`);
    return frame.body as { code: number; message: string };
  }

  /** Leaves without a word. */
  end(): void {
    this.#link.end();
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** A FRAME as an answer or event; throws unless it has exactly the four keys in their order. */
export function asAnswer(frame: Received): Answer {
  const keys = Object.keys(frame.body as object).join();
  if (frame.opcode !== Opcode.FRAME || keys !== 'cmd,data,evt,nonce') {
    throw new Error(`expected a FRAME with four keys, got ${JSON.stringify(frame)}`);
  }
  return frame.body as Answer;
}

/**
 * Waits until nothing is under way that waits for no clock and for nobody else: a whole turn of the event loop brought nothing
 * in, nobody has put anything off to the next one, and no file is being read or written, no module loaded. What has been sent
 * over a loopback socket is there by the turn after. Work of the thread pool other than files, as a signature, is not seen.
 * Waits no longer than until `enough` holds.
 */
export async function settled(enough = () => false): Promise<void> {
  // Loaded here: apps that run outside of the test runner are peers as well.
  const { vi } = await import('vitest');
  // Three times in a row: between two steps of reading a file there is a moment in which none is asked for.
  for (let quiet = 0; quiet < 3; ) {
    await vi.dynamicImportSettled();
    if (enough()) return;
    await turn();
    const before = performance.nodeTiming.uvMetricsInfo.events;
    await turn();
    quiet = performance.nodeTiming.uvMetricsInfo.events === before && !isUnderWay() ? quiet + 1 : 0;
  }
}

/** The rest of this turn of the event loop; between two of them lies one look at everything that came in. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Whether something is left for the next turn, or a file asked for or being closed (`CloseReq`, which is of files alone). Sockets
 * and timers wait for others and count as nothing.
 */
function isUnderWay(): boolean {
  return process
    .getActiveResourcesInfo()
    .some((name) => name === 'Immediate' || name === 'CloseReq' || /^(?:FSReq|FileHandle)/.test(name));
}
