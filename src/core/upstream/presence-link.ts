import type { Duplex } from 'node:stream';
import type { JsonObject } from '../../protocol/json.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Ready } from '../core.ts';
import { shakeHands } from './handshake.ts';
import type { PresenceUpdate } from './presence-update.ts';
import type { WireLink } from './wire-link.ts';

/** Connection of one app to a client that gets nothing but the app's presence. */
export interface PresenceLinkOptions {
  readonly clientId: string;
  connect(signal: AbortSignal): Promise<Duplex>;
  /** READY has told the account of the client. */
  greeted(ready: Ready): void;
  /** The connection has ended, or could not be made. */
  lost(): void;
}

/** Timeout for READY (ms), which a client may delay for an app that connects often. */
const READY_MS = 70_000;
/** Pauses before another attempt (ms); `refused` applies once the client has refused the app. */
const RETRY_MS = { first: 1000, max: 30_000, refused: 60_000 } as const;
/** Time in which a client answers (ms): then it gets the next presence all the same, or loses its connection. */
const ANSWER_MS = { next: 5000, clear: 1500 } as const;
/** Maximum of unread data (bytes); a client with more counts as hung. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Limits of what a client may send here: answers, and no events. */
const MAX_PER_SECOND = { messages: 200, bytes: 4 * 1024 * 1024 };

interface ReadyState {
  readonly kind: 'ready';
  readonly link: WireLink;
  /** Last update on this connection. */
  sent: PresenceUpdate | undefined;
  /** Whether that update waits for its answer. */
  isInFlight: boolean;
  /** Whether the client has refused that update. */
  isRefused: boolean;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'opening' }
  | ReadyState
  /** The client is away, or has refused the app. */
  | { readonly kind: 'away' }
  | { readonly kind: 'closed' };

/**
 * Shows the current presence of one app at one client. It waits for nobody and nobody waits for it: of several updates
 * that come while the client is slow, the client gets the last one.
 */
export class PresenceLink {
  readonly #options: PresenceLinkOptions;
  readonly #closed = new AbortController();
  #state: State = { kind: 'idle' };
  #wanted: PresenceUpdate | undefined;
  /** Whether a connection is needed only to learn the account of the client. */
  #needsAccount = false;
  #pause: number = RETRY_MS.first;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PresenceLinkOptions) {
    this.#options = options;
  }

  /** Whether the client shows an activity of the app. */
  get shows(): boolean {
    return this.#state.kind === 'ready' && !this.#state.isRefused && this.#state.sent?.hasActivity === true;
  }

  /** Shows an update; the connection is opened with the first activity. */
  show(update: PresenceUpdate): void {
    this.#wanted = update;
    if (this.#state.kind === 'ready') this.#flush(this.#state);
    else if (this.#state.kind === 'idle' && this.#isNeeded) void this.#open();
  }

  /** Connects to learn the account of the client, without showing anything. */
  greet(): void {
    this.#needsAccount = true;
    if (this.#state.kind === 'idle') void this.#open();
  }

  /** The client has come back. */
  retry(): void {
    this.#pause = RETRY_MS.first;
    if (this.#state.kind === 'away') this.#again();
  }

  /** Ends the connection, with which the client removes the presence. */
  close(): void {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    this.#stopTimer();
    this.#closed.abort();
    if (state.kind !== 'ready') return;
    state.link.send(Opcode.CLOSE, { code: CloseCode.NORMAL, message: 'The app has left' });
    state.link.leave();
  }

  get #isNeeded(): boolean {
    return this.#needsAccount || this.#wanted?.hasActivity === true;
  }

  async #open(): Promise<void> {
    this.#state = { kind: 'opening' };
    const { clientId } = this.#options;
    const { signal } = this.#closed;
    try {
      const stream = await this.#options.connect(signal);
      const { link, ready } = await shakeHands(stream, {
        clientId,
        signal,
        timeoutMs: READY_MS,
        limits: MAX_PER_SECOND,
        next: {
          payload: (payload) => this.#receive(payload),
          ended: (_reason, ended) => this.#ended(ended),
        },
      });
      if (signal.aborted || link.ended) {
        link.destroy();
        return this.#away();
      }
      const state: ReadyState = { kind: 'ready', link, sent: undefined, isInFlight: false, isRefused: false };
      this.#state = state;
      this.#pause = RETRY_MS.first;
      this.#needsAccount = false;
      // The account may decide that nothing is shown here, so it is told before anything is sent.
      this.#options.greeted(ready);
      this.#flush(state);
    } catch (error) {
      const isRefusal = error instanceof CloseError && error.code >= CloseCode.INVALID_CLIENT_ID;
      if (isRefusal) this.#pause = RETRY_MS.refused;
      this.#away();
    }
  }

  #flush(state: ReadyState): void {
    const wanted = this.#wanted;
    if (this.#state !== state || wanted === undefined || wanted === state.sent) return;
    const isShown = state.sent?.hasActivity === true;
    if (!wanted.hasActivity && !isShown) {
      if (!state.isInFlight) state.sent = wanted;
      return;
    }
    // A clear does not wait for the answer to the activity before it.
    if (state.isInFlight && wanted.hasActivity) return this.#waitFor(state, ANSWER_MS.next);
    if (state.link.waitingBytes > MAX_WAITING_BYTES) return state.link.destroy();
    state.sent = wanted;
    state.isInFlight = true;
    state.isRefused = false;
    state.link.sendFrame(wanted.frame);
    if (!wanted.hasActivity) this.#waitFor(state, ANSWER_MS.clear);
  }

  /** Limits the time for the answer to the last update. */
  #waitFor(state: ReadyState, ms: number): void {
    const { sent } = state;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#state !== state || state.sent !== sent || !state.isInFlight) return;
      // With its connection a client that hangs loses the presence.
      if (sent?.hasActivity !== true || state.link.waitingBytes > 0) return state.link.destroy();
      state.isInFlight = false;
      this.#flush(state);
    }, ms).unref();
  }

  #receive({ nonce, evt }: JsonObject): void {
    const state = this.#state;
    if (state.kind !== 'ready' || nonce !== state.sent?.nonce) return;
    state.isInFlight = false;
    state.isRefused = evt === 'ERROR';
    // A client that refuses a clear loses the presence with its connection.
    if (state.isRefused && state.sent?.hasActivity !== true) return state.link.destroy();
    this.#stopTimer();
    this.#flush(state);
  }

  #ended(link: WireLink): void {
    if (this.#state.kind === 'ready' && this.#state.link === link) this.#away();
  }

  #away(): void {
    this.#stopTimer();
    if (this.#state.kind === 'closed') return;
    this.#state = { kind: 'away' };
    const jittered = this.#pause * (0.5 + Math.random());
    this.#pause = Math.min(this.#pause * 2, Math.max(RETRY_MS.max, this.#pause));
    this.#timer = setTimeout(() => this.#again(), jittered).unref();
    this.#options.lost();
  }

  #again(): void {
    this.#stopTimer();
    this.#state = { kind: 'idle' };
    if (this.#isNeeded) void this.#open();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
