import type { Journal } from '../journal/journal.ts';
import { CloseError } from '../wire/close-error.ts';
import { type CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection, ConnectionListener } from '../wire/connection.ts';
import { DelegatingConnection, DelegatingListener } from '../wire/delegating.ts';
import { type EncodedFrame, encodeFrame, type Frame, HEADER_BYTES, ownBytes } from '../wire/frame.ts';
import { DelayQueue, type Later } from './delay-queue.ts';
import type { FaultEffect, FaultMatch, FaultSubject } from './fault.ts';
import type { Faults } from './faults.ts';
import { joinBytes, slowBytes, splitBytes } from './pieces.ts';

/** The faults to apply, and the journal that records each match. */
export interface FaultHost {
  readonly faults: Faults;
  readonly journal?: Journal | undefined;
}

/** Maximum number of bytes that faults hold back for one peer; beyond it, the peer is disconnected. */
const MAX_HELD_BYTES = 1024 * 1024;

/** Maximum time that delayed frames may hold up a CLOSE (ms). */
const MAX_CLOSE_DELAY_MS = 1000;

/**
 * Gap between the pieces of a split frame (ms). Without it, the kernel or the daemon's writer could join the pieces
 * again.
 */
const SPLIT_GAP_MS = 1;

/** Form of a command name; the session itself refuses any other name. */
const COMMAND = /^[A-Z][A-Z\d_]{0,63}$/;

/** Command name that stands for the handshake in a fault: `--command HANDSHAKE` matches READY. */
const HANDSHAKE = 'HANDSHAKE';

const AT_REQUEST: readonly FaultEffect['kind'][] = ['error', 'close'];
const AT_HANDSHAKE: readonly FaultEffect['kind'][] = ['close'];
/**
 * Fault effects on messages and on bytes. WebSocket and HTTP transport whole messages, so their bytes cannot be split.
 */
const OF_MESSAGES: readonly FaultEffect['kind'][] = ['drop', 'delay', 'slow'];
const OF_BYTES: readonly FaultEffect['kind'][] = ['drop', 'delay', 'slow', 'split', 'coalesce'];

/** State of a session when faults are inserted into its connection. */
export interface DisturbedSession {
  readonly id: string;
  /** Client id of the app; undefined before the handshake. */
  readonly clientId: string | undefined;
  /** Bytes that already wait for the session's peer. */
  readonly backlog: { readonly held: number; readonly unread: number };
  /**
   * Called when no frame is held back any longer. The caller may then remove the faulty connection, but only after this
   * call returns.
   */
  idle(): void;
}

/** A connection with faults. It is inserted between session and transport while an RPC fault is set. */
export class FaultyConnection extends DelegatingConnection {
  readonly #session: DisturbedSession;
  readonly #host: FaultHost;
  readonly #lag = new DelayQueue();
  #listener: ConnectionListener | undefined;
  #application: string | undefined;
  /** Bytes that wait in the underlying connection: held back, and unread by the peer. */
  #heldBeneath: number;
  #unreadBeneath: number;
  /** Bytes that wait in the delay queue. */
  #held = 0;
  /** Frames of this event loop turn that will leave in one write. */
  #together: EncodedFrame[] = [];
  #goodbye: NodeJS.Timeout | undefined;

  constructor(session: DisturbedSession, connection: Connection, host: FaultHost) {
    super(connection);
    this.#session = session;
    this.#application = session.clientId;
    this.#heldBeneath = session.backlog.held;
    this.#unreadBeneath = session.backlog.unread;
    this.#host = host;
  }

  /** Whether no frame is held back, so that a frame sent directly would not overtake another. */
  get isIdle(): boolean {
    return this.#lag.size === 0 && this.#together.length === 0;
  }

  /** Replaces the underlying connection by one to the same peer, for example with an observer. */
  around(connection: Connection): void {
    this.connection = connection;
  }

  protected override listenerFor(listener: ConnectionListener): ConnectionListener {
    this.#listener = listener;
    return new FaultyListener(listener, this);
  }

  /** Called when the session has read its HANDSHAKE. A fault may close the connection instead of sending READY. */
  identified(clientId: string): void {
    this.#application = clientId;
    // HTTP peers do not see READY.
    if (this.kind === 'http' || this.#listener === undefined) return;
    const match = this.#host.faults.match(this.#subject(HANDSHAKE), AT_HANDSHAKE);
    if (match !== undefined) this.#closeInstead(match, HANDSHAKE, this.#listener);
  }

  /**
   * Handles a frame from the app. Returns false when a fault has answered the frame, so that the session must not serve
   * it.
   */
  lets(frame: Frame, listener: ConnectionListener): boolean {
    // Requests before the handshake get no answer, so faults ignore them.
    if (frame.opcode !== Opcode.FRAME || this.#application === undefined) return true;
    const { cmd, nonce } = objectIn(frame.body);
    const command = textOf(cmd) ?? '';
    if (!COMMAND.test(command) || textOf(nonce) === undefined) return true;
    const match = this.#host.faults.match(this.#subject(command), AT_REQUEST);
    if (match === undefined) return true;
    if (match.effect.kind === 'close') {
      this.#closeInstead(match, command, listener);
      return false;
    }
    if (match.effect.kind !== 'error') return true;
    this.#logMatch(match, `answers ${command} with the error ${match.effect.code}`);
    const data = { code: match.effect.code, message: 'A fault answered instead of the client' };
    const body = JSON.stringify({ cmd: command, data, evt: 'ERROR', nonce });
    this.send(encodeFrame(Opcode.FRAME, body));
    return false;
  }

  override send(frame: EncodedFrame): void {
    // No PONG overtakes the answers that wait for the end of this turn.
    if (frame.opcode !== Opcode.FRAME)
      return this.#together.length > 0 ? this.#gather(frame, 0) : this.#whole(frame, {});
    const command = commandOf(frame);
    // HTTP peers do not see READY.
    if (command === HANDSHAKE && this.kind === 'http') return this.#whole(frame, {});
    const matches = this.#matches(command);
    // An HTTP peer would wait forever for a dropped answer, so its connection is terminated.
    if (matches.some(({ effect }) => effect.kind === 'drop'))
      return this.kind === 'http' ? this.destroy() : undefined;
    let delayMs = 0;
    let pieces: readonly Uint8Array[] = [frame.bytes];
    let gapMs = 0;
    let together = this.#together.length > 0;
    for (const { effect, seed } of matches) {
      if (effect.kind === 'delay') delayMs += effect.ms;
      if (effect.kind === 'coalesce') together = true;
      if (effect.kind === 'split') {
        pieces = splitBytes(frame.bytes, seed);
        gapMs = SPLIT_GAP_MS;
      }
      if (effect.kind !== 'slow') continue;
      if (this.#hasBytes) ({ pieces, gapMs } = slowBytes(frame.bytes, effect.bytesPerSecond));
      else {
        gapMs = (frame.bytes.byteLength / effect.bytesPerSecond) * 1000;
        delayMs += gapMs;
      }
    }
    if (together) return this.#gather(frame, delayMs);
    if (pieces.length === 1) return this.#whole(frame, { delayMs, gapMs });
    const own = ownBytes(frame.bytes);
    const whole = { opcode: frame.opcode, body: own.subarray(HEADER_BYTES) };
    for (const [index, piece] of pieces.entries()) {
      const bytes = piece.slice();
      const completes = index === pieces.length - 1 ? [whole] : [];
      const when = index === 0 ? { delayMs, gapMs } : { gapMs };
      this.#later(() => this.connection.send({ ...whole, bytes, completes }), bytes, when);
    }
  }

  override close(code: number, message: string): void {
    this.#flush();
    if (this.#lag.size === 0) return this.connection.close(code, message);
    const close = (): void => {
      clearTimeout(this.#goodbye);
      this.#lag.clear();
      this.connection.close(code, message);
    };
    this.#lag.push(close);
    clearTimeout(this.#goodbye);
    this.#goodbye = setTimeout(close, MAX_CLOSE_DELAY_MS);
  }

  override end(): void {
    this.#flush();
    this.#lag.push(() => this.connection.end());
  }

  override destroy(): void {
    this.over();
    super.destroy();
  }

  #closeInstead(match: FaultMatch, command: string, listener: ConnectionListener): void {
    if (match.effect.kind !== 'close') return;
    this.#logMatch(match, `closes instead of answering ${command}`);
    listener.broken(new CloseError(match.effect.code as CloseCode, 'A fault closed the connection'));
  }

  /** Called when the peer has left; drops all waiting frames. */
  over(): void {
    this.#together = [];
    clearTimeout(this.#goodbye);
    this.#lag.clear();
  }

  /**
   * Receives the backlog of the underlying connection and reports it together with the bytes held here. The session
   * then stops reading from its peer when too much waits.
   */
  backlog(held: number, unread = held): void {
    this.#heldBeneath = held;
    this.#unreadBeneath = unread;
    this.#notifyBacklog();
  }

  get #hasBytes(): boolean {
    return this.kind === 'ipc';
  }

  #subject(command: string): FaultSubject {
    return { on: 'rpc', command, application: this.#application };
  }

  /** The matching faults, at most one of each kind of effect. */
  #matches(command: string): readonly FaultMatch[] {
    const subject = this.#subject(command);
    const kinds = this.#hasBytes ? OF_BYTES : OF_MESSAGES;
    const matches = kinds.flatMap((kind) => this.#host.faults.match(subject, [kind]) ?? []);
    for (const match of matches) this.#logMatch(match, `${wordOf(match.effect)}: ${whatIs(command)}`);
    return matches;
  }

  #logMatch({ fault }: FaultMatch, what: string): void {
    this.#host.journal?.add({ kind: 'fault', fault, session: this.#session.id, what });
  }

  /** Sends a frame later. The frame is copied, so that the waiting frame does not keep its larger buffer in memory. */
  #whole(frame: EncodedFrame, when: Later): void {
    const own = owned(frame);
    this.#later(() => this.connection.send(own), own.bytes, when);
  }

  #later(run: () => void, { byteLength }: Uint8Array, when: Later): void {
    this.#held += byteLength;
    if (this.#held > MAX_HELD_BYTES) return this.destroy();
    this.#lag.push(() => {
      this.#held -= byteLength;
      run();
      this.#notifyBacklog();
      if (this.isIdle) this.#session.idle();
    }, when);
    if (this.#lag.size > 0) this.#notifyBacklog();
  }

  #notifyBacklog(): void {
    this.#listener?.backlog(this.#heldBeneath + this.#held, this.#unreadBeneath + this.#held);
  }

  /** Holds a frame until the end of the event loop turn, so that it leaves with the other frames of the turn. */
  #gather(frame: EncodedFrame, delayMs: number): void {
    this.#together.push(owned(frame));
    if (this.#together.length > 1) return;
    setImmediate(() => this.#flush(delayMs));
  }

  #flush(delayMs = 0): void {
    const completes = this.#together;
    if (completes.length === 0) return;
    this.#together = [];
    const bytes = joinBytes(completes.map((frame) => frame.bytes));
    const frame = { opcode: Opcode.FRAME, bytes, body: bytes.subarray(HEADER_BYTES), completes };
    this.#later(() => this.connection.send(frame), bytes, { delayMs });
  }
}

function owned({ opcode, bytes }: EncodedFrame): EncodedFrame {
  const own = ownBytes(bytes);
  return { opcode, bytes: own, body: own.subarray(HEADER_BYTES) };
}

class FaultyListener extends DelegatingListener {
  readonly #connection: FaultyConnection;

  constructor(listener: ConnectionListener, connection: FaultyConnection) {
    super(listener);
    this.#connection = connection;
  }

  override frame(frame: Frame): void {
    if (this.#connection.lets(frame, this.listener)) super.frame(frame);
  }

  override backlog(held: number, unread?: number): void {
    this.#connection.backlog(held, unread);
  }

  override ended(): void {
    this.#connection.over();
    super.ended();
  }
}

/** The command that a frame to the app answers. The result is `DISPATCH` for an event, and `HANDSHAKE` for READY. */
function commandOf({ body }: Frame): string {
  const { cmd, evt, nonce } = objectIn(body);
  if (evt === 'READY' && (nonce === null || nonce === undefined)) return HANDSHAKE;
  return textOf(cmd) ?? '';
}

function whatIs(command: string): string {
  if (command === HANDSHAKE) return 'READY';
  return command === 'DISPATCH' ? 'an event' : `the answer to ${command}`;
}

function wordOf(effect: FaultEffect): string {
  switch (effect.kind) {
    case 'delay':
      return `delay by ${effect.ms} ms`;
    case 'slow':
      return `slow, ${effect.bytesPerSecond} bytes a second`;
    default:
      return effect.kind;
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
