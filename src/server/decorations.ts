import type { PeerEntrance } from '../core/core.ts';
import type { Faults } from '../faults/faults.ts';
import { FaultyConnection } from '../faults/faulty-connection.ts';
import type { Journal } from '../journal/journal.ts';
import type { Session } from '../session/session.ts';
import type { Connection } from '../wire/connection.ts';
import { type ConnectionObserver, observedConnection } from '../wire/observed.ts';
import { ServerJournal } from './journaled.ts';

/** Journal and faults that decorate the connections of sessions. */
export interface DecorationOptions {
  readonly journal?: Journal | undefined;
  readonly faults?: Faults | undefined;
}

/** One session with its transport's connection. */
export interface Decorable {
  readonly id: string;
  readonly connection: Connection;
  /** The session; undefined while it is being created. */
  readonly session: Session | undefined;
  /** Endpoint with rights of its own; undefined for the bridge's own endpoint. */
  readonly entrance?: { readonly session: PeerEntrance } | undefined;
}

interface Decoration {
  readonly observer: ConnectionObserver | undefined;
  readonly faulty: FaultyConnection | undefined;
}

const NONE: Decoration = { observer: undefined, faulty: undefined };

/**
 * Wraps connections in the journal and in faults, and removes these wrappers again: a session uses its transport's own
 * connection while the journal is off and no RPC fault is set. Faults wrap the journal, so that the journal records the
 * bytes that crossed the wire.
 */
export class Decorations {
  readonly #options: DecorationOptions;
  readonly #journal: ServerJournal | undefined;
  /** All that are served now. */
  readonly #served: () => Iterable<Decorable>;
  /** Decorations by session. */
  readonly #decorated = new Map<string, Decoration>();
  readonly #stops: readonly (() => void)[];

  constructor(options: DecorationOptions, served: () => Iterable<Decorable>) {
    const { journal, faults } = options;
    this.#options = options;
    this.#journal = journal && new ServerJournal(journal);
    this.#served = served;
    const apply = (): void => this.#apply();
    // A fault that is used up by a frame must still pass this frame on, so its wrapper is removed only after the
    // current call.
    const changed = (): void => (this.#disturbs ? apply() : queueMicrotask(apply));
    this.#stops = [journal?.onSwitch(apply), faults?.follow(changed)].filter((stop) => stop !== undefined);
  }

  /** Returns the connection, wrapped if necessary, for a session that is about to begin. */
  begin(one: Decorable): Connection {
    return this.#wrap(one, this.#wanted(one, NONE));
  }

  /** Records that a session has read its HANDSHAKE. */
  identified({ id, clientId }: Session): void {
    if (clientId !== undefined) this.#decorated.get(id)?.faulty?.identified(clientId);
  }

  /** Journals a defect in the input of a session that is served nevertheless. */
  warning(session: string, message: string): void {
    this.#journal?.warning(session, message);
  }

  /** A session has ended. */
  forget(session: string): void {
    this.#decorated.delete(session);
  }

  /** Stops all changes of decorations. */
  stop(): void {
    for (const stop of this.#stops) stop();
  }

  get #disturbs(): boolean {
    return this.#options.faults?.has('rpc') ?? false;
  }

  #apply(): void {
    for (const one of this.#served()) this.#update(one);
  }

  #update(one: Decorable): void {
    const { session } = one;
    if (session === undefined) return;
    const now = this.#decorated.get(one.id) ?? NONE;
    const wanted = this.#wanted(one, now);
    if (wanted.observer !== now.observer || wanted.faulty !== now.faulty)
      session.redirect(this.#wrap(one, wanted));
  }

  /**
   * Returns the decoration that a connection needs now. An existing observer stays while the journal is on; existing
   * faults stay while they hold a frame back.
   */
  #wanted(one: Decorable, now: Decoration): Decoration {
    const { id, connection, session } = one;
    const { journal } = this.#options;
    const isFaulty = this.#disturbs || now.faulty?.isIdle === false;
    return {
      observer: journal?.isOn
        ? (now.observer ??
          this.#journal?.observerOf(
            id,
            connection,
            session === undefined ? 'new' : 'old',
            one.entrance?.session,
          ))
        : undefined,
      faulty: isFaulty ? (now.faulty ?? this.#faulty(one)) : undefined,
    };
  }

  #wrap({ id, connection }: Decorable, decoration: Decoration): Connection {
    const { observer, faulty } = decoration;
    if (observer === undefined && faulty === undefined) this.#decorated.delete(id);
    else this.#decorated.set(id, decoration);
    const observed = observer === undefined ? connection : observedConnection(connection, observer);
    faulty?.around(observed);
    return faulty ?? observed;
  }

  #faulty(one: Decorable): FaultyConnection | undefined {
    const { faults, journal } = this.#options;
    if (faults === undefined) return undefined;
    const { id, connection, session } = one;
    const disturbed = {
      id,
      clientId: session?.clientId,
      backlog: session?.backlogBytes ?? { held: 0, unread: 0 },
      idle: () => {
        if (!this.#disturbs) queueMicrotask(() => this.#decorated.has(id) && this.#update(one));
      },
    };
    return new FaultyConnection(disturbed, connection, { faults, journal });
  }
}
