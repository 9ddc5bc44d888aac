import type { Does, Passing, Strike } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { Lag, type Later } from '../faults/lag.ts';
import { slowBytes, splitBytes } from '../faults/pieces.ts';
import type { Journal } from '../journal/journal.ts';
import { CloseError } from '../wire/close-error.ts';
import { type CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection, ConnectionListener, PeerCredentials, TransportKind } from '../wire/connection.ts';
import { type EncodedFrame, encodeFrame, type Frame, HEADER_BYTES, ownBytes } from '../wire/frame.ts';

/** What faults strike, and where each strike is written down. */
export interface FaultHost {
  readonly faults: Faults;
  readonly journal?: Journal | undefined;
}

/** A peer for whom more than this is held back is cut off (bytes). */
const MOST_HELD = 1024 * 1024;

/** What a fault names the handshake by: `--command HANDSHAKE` strikes READY. */
const HANDSHAKE = 'HANDSHAKE';

const AT_REQUEST: readonly Does['kind'][] = ['error', 'close'];
/** WebSocket and HTTP have messages, whose bytes are not ours to cut. */
const OF_MESSAGES: readonly Does['kind'][] = ['drop', 'delay', 'slow'];
const OF_BYTES: readonly Does['kind'][] = ['drop', 'delay', 'slow', 'split', 'coalesce'];

/** A connection to which things go wrong on purpose. While there are no faults it costs a look. */
export class FaultyConnection implements Connection {
  readonly kind: TransportKind;
  declare readonly origin?: string;
  declare readonly peer?: PeerCredentials;
  declare readonly instance?: string;
  readonly #session: string;
  readonly #connection: Connection;
  readonly #host: FaultHost;
  readonly #lag = new Lag();
  #application: string | undefined;
  /** Bytes that wait in the lag. */
  #held = 0;
  /** Frames of this turn that leave together. */
  #together: Uint8Array[] = [];

  constructor(session: string, connection: Connection, host: FaultHost) {
    const { kind, origin, peer, instance } = connection;
    this.kind = kind;
    if (origin !== undefined) this.origin = origin;
    if (peer !== undefined) this.peer = peer;
    if (instance !== undefined) this.instance = instance;
    this.#session = session;
    this.#connection = connection;
    this.#host = host;
  }

  start(listener: ConnectionListener): void {
    this.#connection.start(new FaultyListener(listener, this));
  }

  /** What comes from the app. False: it is not served, because a fault has answered it. */
  lets(frame: Frame, listener: ConnectionListener): boolean {
    if (frame.opcode === Opcode.HANDSHAKE) this.#application = textOf(objectIn(frame.body)['client_id']);
    if (this.#host.faults.isEmpty) return true;
    const { cmd, nonce } =
      frame.opcode === Opcode.FRAME ? objectIn(frame.body) : { cmd: HANDSHAKE, nonce: null };
    if (frame.opcode !== Opcode.FRAME && frame.opcode !== Opcode.HANDSHAKE) return true;
    const command = textOf(cmd) ?? '';
    const strike = this.#host.faults.strike(this.#passing(command), AT_REQUEST);
    if (strike === undefined) return true;
    if (strike.does.kind === 'close') {
      this.#tell(strike, `closes in the place of an answer to ${command}`);
      listener.broken(new CloseError(strike.does.code as CloseCode, 'A fault closed the connection'));
      return false;
    }
    if (strike.does.kind !== 'error' || frame.opcode !== Opcode.FRAME) return true;
    this.#tell(strike, `answers ${command} with the error ${strike.does.code}`);
    const data = { code: strike.does.code, message: 'A fault answered in the place of the client' };
    const body = JSON.stringify({ cmd: command, data, evt: 'ERROR', nonce: nonce ?? null });
    this.send(encodeFrame(Opcode.FRAME, body));
    return false;
  }

  send(frame: EncodedFrame): void {
    const isFree = this.#lag.size === 0 && this.#together.length === 0;
    if (isFree && this.#host.faults.isEmpty) return this.#connection.send(frame);
    if (frame.opcode !== Opcode.FRAME) return this.#whole(frame, {});
    const command = commandOf(frame);
    const strikes = this.#strikes(command);
    if (strikes.some(({ does }) => does.kind === 'drop')) return;
    let delayMs = 0;
    let pieces: readonly Uint8Array[] = [frame.bytes];
    let gapMs = 0;
    let together = this.#together.length > 0;
    for (const { does } of strikes) {
      if (does.kind === 'delay') delayMs += does.ms;
      if (does.kind === 'split') pieces = pieces.flatMap(splitBytes);
      if (does.kind === 'slow' && this.#hasBytes)
        ({ pieces, gapMs } = slowBytes(frame.bytes, does.bytesPerSecond));
      else if (does.kind === 'slow') gapMs = (frame.bytes.byteLength / does.bytesPerSecond) * 1000;
      if (does.kind === 'coalesce') together = true;
    }
    if (together) return this.#gather(frame, delayMs);
    if (pieces.length === 1) return this.#whole(frame, { delayMs, gapMs });
    for (const [index, bytes] of pieces.entries()) {
      const own = bytes.slice();
      const when = index === 0 ? { delayMs, gapMs } : { gapMs };
      this.#later(() => this.#connection.send({ ...frame, bytes: own }), own, when);
    }
  }

  close(code: number, message: string): void {
    this.#flush();
    this.#lag.push(() => this.#connection.close(code, message));
  }

  end(): void {
    this.#flush();
    this.#lag.push(() => this.#connection.end());
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  setFrameLimit(bytes: number): void {
    this.#connection.setFrameLimit(bytes);
  }

  destroy(): void {
    this.over();
    this.#connection.destroy();
  }

  /** The peer is gone: nothing waits any more. */
  over(): void {
    this.#together = [];
    this.#lag.clear();
  }

  get #hasBytes(): boolean {
    return this.kind === 'ipc' || this.kind === 'memory';
  }

  #passing(command: string): Passing {
    return { on: 'rpc', command, application: this.#application };
  }

  /** At most one of each kind. */
  #strikes(command: string): readonly Strike[] {
    const passing = this.#passing(command);
    const kinds = this.#hasBytes ? OF_BYTES : OF_MESSAGES;
    const strikes = kinds.flatMap((kind) => this.#host.faults.strike(passing, [kind]) ?? []);
    for (const strike of strikes) this.#tell(strike, `${wordOf(strike.does)}: ${whatIs(command)}`);
    return strikes;
  }

  #tell({ fault }: Strike, what: string): void {
    this.#host.journal?.add({ kind: 'fault', fault, session: this.#session, what });
  }

  /** What waits keeps nothing else in memory. */
  #whole(frame: EncodedFrame, when: Later): void {
    const bytes = ownBytes(frame.bytes);
    const own = { opcode: frame.opcode, bytes, body: bytes.subarray(HEADER_BYTES) };
    this.#later(() => this.#connection.send(own), bytes, when);
  }

  #later(run: () => void, bytes: Uint8Array, when: Later): void {
    const { byteLength } = bytes;
    this.#held += byteLength;
    if (this.#held > MOST_HELD) return this.destroy();
    this.#lag.push(() => {
      this.#held -= byteLength;
      run();
    }, when);
  }

  /** Keeps a frame until the end of the turn, to leave with the others of the turn. */
  #gather(frame: EncodedFrame, delayMs: number): void {
    this.#together.push(frame.bytes.slice());
    if (this.#together.length > 1) return;
    setImmediate(() => this.#flush(delayMs));
  }

  #flush(delayMs = 0): void {
    const frames = this.#together;
    if (frames.length === 0) return;
    this.#together = [];
    const bytes = joined(frames);
    const frame = { opcode: Opcode.FRAME, bytes, body: bytes.subarray(HEADER_BYTES) };
    this.#later(() => this.#connection.send(frame), bytes, { delayMs });
  }
}

class FaultyListener implements ConnectionListener {
  readonly #listener: ConnectionListener;
  readonly #connection: FaultyConnection;

  constructor(listener: ConnectionListener, connection: FaultyConnection) {
    this.#listener = listener;
    this.#connection = connection;
  }

  get requestsInFlight(): number {
    return this.#listener.requestsInFlight;
  }

  admits(bytes: number): boolean {
    return this.#listener.admits(bytes);
  }

  frame(frame: Frame): void {
    if (this.#connection.lets(frame, this.#listener)) this.#listener.frame(frame);
  }

  partial(bytes: number): void {
    this.#listener.partial(bytes);
  }

  backlog(held: number, unread?: number): void {
    this.#listener.backlog(held, unread);
  }

  halfClosed(): void {
    this.#listener.halfClosed();
  }

  broken(error: Error): void {
    this.#listener.broken(error);
  }

  ended(): void {
    this.#connection.over();
    this.#listener.ended();
  }
}

/** The command that a frame to the app answers; `DISPATCH` for an event, and the handshake for READY. */
function commandOf({ body }: Frame): string {
  const { cmd, evt, nonce } = objectIn(body);
  if (evt === 'READY' && (nonce === null || nonce === undefined)) return HANDSHAKE;
  return textOf(cmd) ?? '';
}

function whatIs(command: string): string {
  if (command === HANDSHAKE) return 'READY';
  return command === 'DISPATCH' ? 'an event' : `the answer to ${command}`;
}

function wordOf(does: Does): string {
  switch (does.kind) {
    case 'delay':
      return `delay by ${does.ms} ms`;
    case 'slow':
      return `slow, ${does.bytesPerSecond} bytes a second`;
    default:
      return does.kind;
  }
}

function objectIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
