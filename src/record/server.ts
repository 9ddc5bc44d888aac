import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { currentOs, type OperatingSystem } from '../../platform/operating-system.ts';
import { printExact } from '../base/exact-json.ts';
import { textWithoutSecrets } from '../journal/without-secrets.ts';
import { Opcode } from '../wire/codes.ts';
import { FrameDecoder } from '../wire/decoder.ts';
import { encodeFrame, MAX_FRAME_BYTES } from '../wire/frame.ts';
import { type Mismatch, payloadDifferences } from './compare.ts';
import { nameOf, objectOf, type Script, type Step, valueIn } from './script.ts';

/** Maximum number of stored mismatches, so that an app that sends requests without end cannot fill the memory. */
const MAX_MISMATCHES = 200;
/** Maximum time that an app has to read a frame (ms); after it the next frame is sent anyway. */
const READ_MS = 1000;
/** Maximum delay of a Node timer; a longer delay would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A server that replays the recorded messages of another server. */
export interface ReplayedServer {
  /**
   * Stops the server. Returns all differences from the record, including recorded messages that the app did not send;
   * call it after the app has ended.
   */
  end(): readonly Mismatch[];
}

/**
 * Replays the server of a record at an endpoint: the first app that connects gets the first script, and so on. Each
 * answer leaves in order, once the app has sent everything recorded before it. Rejects with the error of `listen`.
 */
export async function playServer(
  scripts: readonly Script[],
  { endpoint, timing }: { readonly endpoint: string; readonly timing: boolean },
): Promise<ReplayedServer> {
  const mismatches: Mismatch[] = [];
  const report = (mismatch: Mismatch): void => {
    if (mismatches.length < MAX_MISMATCHES) mismatches.push(mismatch);
  };
  const open = new Set<ReplayedConnection>();
  let next = 0;
  const replay: Replay = { timing, report, os: await currentOs() };
  const server: Server = createServer((socket) => {
    const script = scripts[next];
    next += 1;
    open.add(new ReplayedConnection(socket, script ?? { number: next, steps: [] }, replay));
    if (script === undefined)
      report({ what: `connection ${next}`, differences: [{ at: '', was: undefined, is: 'connected' }] });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(endpoint, resolve);
  });
  return {
    end() {
      server.close();
      for (const connection of open) connection.end();
      for (const { number } of scripts.slice(next)) {
        report({ what: `connection ${number}`, differences: [{ at: '', was: 'connected', is: undefined }] });
      }
      return mismatches;
    },
  };
}

interface Replay {
  readonly timing: boolean;
  /** Provides the number of bytes that an app has not read yet. */
  readonly os: OperatingSystem;
  readonly report: (mismatch: Mismatch) => void;
}

class ReplayedConnection {
  readonly #socket: Socket;
  readonly #script: Script;
  readonly #replay: Replay;
  readonly #decoder = new FrameDecoder(MAX_FRAME_BYTES);
  /** Indexes (in the script) of the app's steps that have arrived. */
  readonly #came = new Set<number>();
  /** The recorded nonce of each request to the nonce that the app sent in this run. */
  readonly #nonces = new Map<unknown, unknown>();
  /**
   * The recorded `state` of each login to the `state` that the app sent in this run; the app checks that the answer
   * repeats it.
   */
  readonly #states = new Map<unknown, unknown>();
  /** Recorded and actual payloads of PINGs whose PONG has not been sent yet. */
  readonly #pings: { readonly was: unknown; readonly is: string }[] = [];
  /** Aborts when the app disconnects; after that nothing is sent to the app. */
  readonly #closed = new AbortController();
  #at = 0;
  #isPlaying = false;

  constructor(socket: Socket, script: Script, replay: Replay) {
    this.#socket = socket;
    this.#script = script;
    this.#replay = replay;
    socket.on('error', () => {});
    socket.on('close', () => this.#closed.abort());
    socket.on('data', (chunk: Uint8Array) => this.#read(chunk));
  }

  /** Ends the connection. Reports each recorded message, except CLOSE, that the app did not send. */
  end(): void {
    this.#socket.destroy();
    for (const [index, step] of this.#script.steps.entries()) {
      if (step.direction === 'out' || step.opcode === Opcode.CLOSE || this.#came.has(index)) continue;
      this.#report(step, [{ at: '', was: step.payload, is: undefined }]);
    }
  }

  #read(chunk: Uint8Array): void {
    try {
      this.#decoder.append(chunk);
      for (let frame = this.#decoder.take(); frame !== undefined; frame = this.#decoder.take()) {
        this.#take(frame.opcode, new TextDecoder().decode(frame.body));
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : 'broken';
      this.#replay.report({
        what: `connection ${this.#script.number}`,
        differences: [{ at: '', was: undefined, is: message }],
      });
      this.#socket.destroy();
    }
    void this.#play();
  }

  #take(opcode: number, text: string): void {
    const sent = valueIn(text);
    // The record contains no secrets, so the message is compared without its secrets.
    const payload = valueIn(textWithoutSecrets(text));
    const open = [...this.#script.steps.entries()].filter(
      ([index, step]) => step.direction === 'in' && step.opcode === opcode && !this.#came.has(index),
    );
    const alike = open.filter(([, step]) => nameOf(step) === nameOf({ opcode, payload }));
    const same = alike.find(([, step]) => payloadDifferences(step.payload, payload).length === 0);
    const [index, step] = same ?? alike[0] ?? [];
    if (index === undefined || step === undefined) {
      if (opcode === Opcode.CLOSE) return void this.#socket.end();
      this.#report({ opcode, payload }, [{ at: '', was: undefined, is: payload }]);
      return this.#refuse(opcode, sent);
    }
    if (same === undefined) this.#report(step, payloadDifferences(step.payload, payload));
    this.#came.add(index);
    if (opcode === Opcode.PING) this.#pings.push({ was: step.payload, is: text });
    this.#nonces.set(objectOf(step.payload)['nonce'], objectOf(sent)['nonce']);
    this.#states.set(stateIn(step.payload, 'args'), stateIn(sent, 'args'));
  }

  /** Answers a request that the record does not contain, so that the app does not wait for ever. */
  #refuse(opcode: number, sent: unknown): void {
    const data = { code: 1000, message: 'The record has no answer to this' };
    if (opcode === Opcode.HANDSHAKE) return this.#hangUp(data);
    const { cmd, nonce } = objectOf(sent);
    if (nonce === undefined) return;
    this.#write(Opcode.FRAME, { cmd: cmd ?? null, data, evt: 'ERROR', nonce });
  }

  /** Sends every step that is due, up to the next step of the app that has not arrived. */
  async #play(): Promise<void> {
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    await this.#sendDue().catch((error: unknown) => {
      if (!this.#closed.signal.aborted) throw error;
    });
    this.#isPlaying = false;
  }

  async #sendDue(): Promise<void> {
    const { signal } = this.#closed;
    for (let step = this.#next(); step !== undefined; step = this.#next()) {
      this.#at += 1;
      if (step.direction === 'in') continue;
      if (this.#replay.timing && step.afterMs > 1)
        await delay(Math.min(step.afterMs, MAX_TIMER_MS), undefined, { signal });
      if (step.closes) this.#hangUp(step.payload);
      else if (step.opcode === Opcode.PONG) this.#writePong(step.payload);
      else this.#write(step.opcode, this.#own(step.payload));
      await this.#untilRead(signal);
    }
  }

  /** A PONG repeats the payload of its PING, which may differ from the record. */
  #writePong(payload: unknown): void {
    const was = printExact(payload);
    const at = this.#pings.findIndex((ping) => printExact(ping.was) === was);
    const [ping] = at === -1 ? [] : this.#pings.splice(at, 1);
    this.#writeText(Opcode.PONG, ping === undefined ? was : ping.is);
  }

  /**
   * Waits until the app has read the last frame, because the most used client library loses frames that arrive
   * together.
   */
  async #untilRead(signal: AbortSignal): Promise<void> {
    const late = performance.now() + READ_MS;
    while ((this.#replay.os.unsentBytes(this.#socket) ?? 0) > 0 && performance.now() < late)
      await delay(1, undefined, { signal });
    // The app may still be processing the read that returned the frame. Where the operating system does not report
    // unread bytes, this delay is the only pause.
    await delay(1, undefined, { signal });
  }

  #next(): Step | undefined {
    const step = this.#script.steps[this.#at];
    const isWaiting = step?.direction === 'in' && !this.#came.has(this.#at);
    return isWaiting ? undefined : step;
  }

  /** Returns the recorded answer with the nonce and `state` that the app chose in this run. */
  #own(payload: unknown): unknown {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
    const { nonce, data } = objectOf(payload);
    const state = stateIn(payload, 'data');
    return {
      ...objectOf(payload),
      ...(this.#nonces.has(nonce) ? { nonce: this.#nonces.get(nonce) } : {}),
      ...(state !== undefined && this.#states.has(state)
        ? { data: { ...objectOf(data), state: this.#states.get(state) } }
        : {}),
    };
  }

  #hangUp(payload: unknown): void {
    this.#write(Opcode.CLOSE, payload);
    this.#socket.end();
  }

  #write(opcode: number, payload: unknown): void {
    this.#writeText(opcode, printExact(payload));
  }

  #writeText(opcode: number, text: string): void {
    if (this.#socket.writable) this.#socket.write(encodeFrame(opcode as Opcode, text).bytes);
  }

  #report(step: Pick<Step, 'opcode' | 'payload'>, differences: Mismatch['differences']): void {
    if (differences.length === 0) return;
    this.#replay.report({
      what: `connection ${this.#script.number}: ${nameOf(step)} from the app`,
      differences,
    });
  }
}

function stateIn(payload: unknown, member: 'args' | 'data'): unknown {
  return objectOf(objectOf(payload)[member])['state'];
}
