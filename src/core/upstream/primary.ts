import { isLocalError, LocalError } from '../../base/local-error.ts';
import type { CoreHost } from '../core.ts';
import type { Choice } from './choice.ts';
import { matches } from './client-name.ts';
import type { ClientSource, Connected } from './client-source.ts';
import type { Client, Clients } from './clients.ts';

/** Time in which the client takes a connection (ms). */
const ANSWER_MS = 250;

/** Services that {@link Primary} uses. */
export interface PrimaryOptions {
  /** Connects to the first client that answers. */
  readonly connect: (signal: AbortSignal) => Promise<Connected>;
  readonly source: ClientSource | undefined;
  readonly clients: Clients;
  readonly choice: () => Choice;
  readonly log: CoreHost['log'];
}

/** The client that answers requests: the one that the user has chosen, or the first that answers. */
export class Primary {
  readonly #options: PrimaryOptions;
  #path: string | undefined;
  #fault: string | null = null;

  constructor(options: PrimaryOptions) {
    this.#options = options;
  }

  /** Current or last path; undefined before the first client. */
  get path(): string | undefined {
    return this.#path;
  }

  /** Message for the operator about a client that cannot be used; null while there is none. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Connects for a new session; rejects while the client is away, with `LocalError` where the operator has to act. */
  async connect(signal: AbortSignal): Promise<Connected> {
    const { choice, clients, connect, log } = this.#options;
    const { primary } = choice();
    try {
      const connected = await (primary === null ? connect(signal) : this.#chosen(primary, signal));
      clients.note(connected);
      this.#fault = null;
      if (connected.path !== this.#path) log('info', 'the upstream is here', { path: connected.path });
      this.#path = connected.path;
      return connected;
    } catch (error) {
      const before = this.#fault;
      this.#fault = isLocalError(error) ? error.message : null;
      if (this.#fault !== null && this.#fault !== before)
        log('warn', 'the upstream cannot be used', { reason: this.#fault });
      throw error;
    }
  }

  /** Whether the client answers now. */
  async isThere(): Promise<boolean> {
    try {
      (await this.connect(AbortSignal.timeout(ANSWER_MS))).stream.destroy();
      return true;
    } catch {
      return false;
    }
  }

  /** Connects to the client at a path. */
  async reach(path: string, signal: AbortSignal): Promise<Connected> {
    const { source } = this.#options;
    if (source === undefined) throw new Error('only the first chat client is known');
    return source.reach(path, signal);
  }

  /** The chosen client if it is known, those that are here first. */
  candidates(name: string): readonly Client[] {
    const found = this.#options.clients.all.filter((client) => matches(name, client) === true);
    return [
      ...found.filter(({ state }) => state === 'here'),
      ...found.filter(({ state }) => state === 'away'),
    ];
  }

  async #chosen(name: string, signal: AbortSignal): Promise<Connected> {
    const { clients } = this.#options;
    for (const isLast of [false, true]) {
      for (const { path } of this.candidates(name)) {
        try {
          const connected = await this.reach(path, signal);
          if (matches(name, clients.note(connected)) === true) return connected;
          connected.stream.destroy();
        } catch {
          clients.lost(path);
        }
      }
      // The look is shared, and skips paths of which nothing has changed.
      if (!isLast) await clients.lookAgain();
    }
    throw new LocalError(
      'FOOTBRIDGE_UPSTREAM',
      `The primary chat client "${name}" is away. Start it, or choose another one: footbridge upstream primary NAME, or auto for the first that answers.`,
    );
  }
}
