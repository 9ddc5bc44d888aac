import type { Connection, ConnectionListener, PeerCredentials, TransportKind } from './connection.ts';
import type { EncodedFrame, Frame } from './frame.ts';

/** Observer of a connection's traffic; it is called before the traffic is passed on, and must not throw. */
export interface ConnectionObserver {
  /** `in` is from the app. */
  frame(direction: 'in' | 'out', frame: Frame): void;
  /** The bridge ends it. */
  close(code: number, message: string): void;
  /** The input was no frame. */
  broken(message: string): void;
  /** The connection is over. */
  ended(): void;
}

/** Returns the same connection with an observer of its traffic. */
export function observedConnection(connection: Connection, observer: ConnectionObserver): Connection {
  return new ObservedConnection(connection, observer);
}

class ObservedConnection implements Connection {
  readonly kind: TransportKind;
  declare readonly origin?: string;
  declare readonly peer?: PeerCredentials;
  declare readonly instance?: string;
  readonly #connection: Connection;
  readonly #observer: ConnectionObserver;

  constructor(connection: Connection, observer: ConnectionObserver) {
    const { kind, origin, peer, instance } = connection;
    this.kind = kind;
    if (origin !== undefined) this.origin = origin;
    if (peer !== undefined) this.peer = peer;
    if (instance !== undefined) this.instance = instance;
    this.#connection = connection;
    this.#observer = observer;
  }

  start(listener: ConnectionListener): void {
    this.#connection.start(new ObservedListener(listener, this.#observer));
  }

  redirect(listener: ConnectionListener): void {
    this.#connection.redirect(new ObservedListener(listener, this.#observer));
  }

  send(frame: EncodedFrame): void {
    if (frame.completes === undefined) this.#observer.frame('out', frame);
    else for (const whole of frame.completes) this.#observer.frame('out', whole);
    this.#connection.send(frame);
  }

  close(code: number, message: string): void {
    this.#observer.close(code, message);
    this.#connection.close(code, message);
  }

  end(): void {
    this.#connection.end();
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  get isPaced(): boolean {
    return this.#connection.isPaced === true;
  }

  unpace(): void {
    this.#connection.unpace?.();
  }

  setFrameLimit(bytes: number): void {
    this.#connection.setFrameLimit(bytes);
  }

  destroy(): void {
    this.#connection.destroy();
  }
}

class ObservedListener implements ConnectionListener {
  readonly #listener: ConnectionListener;
  readonly #observer: ConnectionObserver;

  constructor(listener: ConnectionListener, observer: ConnectionObserver) {
    this.#listener = listener;
    this.#observer = observer;
  }

  get requestsInFlight(): number {
    return this.#listener.requestsInFlight;
  }

  admits(bytes: number): boolean {
    return this.#listener.admits(bytes);
  }

  frame(frame: Frame): void {
    this.#observer.frame('in', frame);
    this.#listener.frame(frame);
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
    this.#observer.broken(error.message);
    this.#listener.broken(error);
  }

  ended(): void {
    this.#observer.ended();
    this.#listener.ended();
  }
}
