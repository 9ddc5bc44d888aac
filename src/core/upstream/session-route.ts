import type { Duplex } from 'node:stream';
import type { Ready } from '../core.ts';
import type { Connected } from './client-source.ts';
import type { Primary, PrimaryOptions } from './primary.ts';
import type { RelayRoute } from './relay-options.ts';
import type { SessionPresence } from './session-presence.ts';

/**
 * Way of one session to its client. The session returns to its own client where it can: another one knows neither its
 * token nor its state.
 */
export class SessionRoute implements RelayRoute {
  readonly #options: PrimaryOptions;
  readonly #primary: Primary;
  readonly #presence: () => Pick<SessionPresence, 'refresh' | 'isAtPrimary'>;
  /** Clients that do not accept the token of the app. */
  readonly #unfit = new Set<string>();
  #own: string | undefined;
  #last: string | undefined;

  constructor(
    options: PrimaryOptions,
    primary: Primary,
    presence: () => Pick<SessionPresence, 'refresh' | 'isAtPrimary'>,
  ) {
    this.#options = options;
    this.#primary = primary;
    this.#presence = presence;
  }

  /** Path of the client that serves the session; undefined before its READY. */
  get path(): string | undefined {
    return this.#own;
  }

  readonly connect = async (signal: AbortSignal): Promise<Duplex> => {
    const own = this.#own;
    if (own !== undefined && this.#options.choice().primary === null && this.#options.source !== undefined) {
      const connected = await this.#primary.reach(own, signal).catch(() => undefined);
      if (connected !== undefined) return this.#took(connected);
    }
    const connected = await this.#primary.connect(signal);
    if (!this.#unfit.has(connected.path)) return this.#took(connected);
    connected.stream.destroy();
    throw new Error('the other chat client does not accept the token of this app');
  };

  /** Connects to the primary client, for a change to it. */
  readonly change = async (signal: AbortSignal): Promise<Duplex> => {
    return this.#took(await this.#primary.connect(signal));
  };

  isOther(): boolean {
    return this.#own !== undefined && this.#last !== this.#own;
  }

  taken(ready: Ready): void {
    this.#own = this.#last;
    this.#unfit.clear();
    if (this.#own !== undefined) this.#options.clients.greeted(this.#own, ready);
  }

  unfit(): void {
    if (this.#last !== undefined) this.#unfit.add(this.#last);
  }

  mayShow(): boolean {
    return this.#presence().isAtPrimary;
  }

  restored(): void {
    this.#presence().refresh();
  }

  #took(connected: Connected): Duplex {
    this.#options.clients.note(connected);
    this.#last = connected.path;
    return connected.stream;
  }
}
