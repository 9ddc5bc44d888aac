import type { Connection, ConnectionListener } from './connection.ts';
import { DelegatingConnection, DelegatingListener } from './delegating.ts';
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

class ObservedConnection extends DelegatingConnection {
  readonly #observer: ConnectionObserver;

  constructor(connection: Connection, observer: ConnectionObserver) {
    super(connection);
    this.#observer = observer;
  }

  protected override listenerFor(listener: ConnectionListener): ConnectionListener {
    return new ObservedListener(listener, this.#observer);
  }

  override send(frame: EncodedFrame): void {
    if (frame.completes === undefined) this.#observer.frame('out', frame);
    else for (const whole of frame.completes) this.#observer.frame('out', whole);
    super.send(frame);
  }

  override close(code: number, message: string): void {
    this.#observer.close(code, message);
    super.close(code, message);
  }
}

class ObservedListener extends DelegatingListener {
  readonly #observer: ConnectionObserver;

  constructor(listener: ConnectionListener, observer: ConnectionObserver) {
    super(listener);
    this.#observer = observer;
  }

  override frame(frame: Frame): void {
    this.#observer.frame('in', frame);
    super.frame(frame);
  }

  override broken(error: Error): void {
    this.#observer.broken(error.message);
    super.broken(error);
  }

  override ended(): void {
    this.#observer.ended();
    super.ended();
  }
}
