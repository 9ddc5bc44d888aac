import type { Connection, ConnectionListener, PeerCredentials, TransportKind } from './connection.ts';
import type { EncodedFrame, Frame } from './frame.ts';

/** Passes everything on to another connection; a subclass changes some of it. */
export abstract class DelegatingConnection implements Connection {
  readonly kind: TransportKind;
  declare readonly origin?: string;
  declare readonly peer?: PeerCredentials;
  declare readonly instance?: string;
  protected connection: Connection;

  constructor(connection: Connection) {
    const { kind, origin, peer, instance } = connection;
    this.kind = kind;
    if (origin !== undefined) this.origin = origin;
    if (peer !== undefined) this.peer = peer;
    if (instance !== undefined) this.instance = instance;
    this.connection = connection;
  }

  /** Returns the listener that hears the other connection on behalf of this one's. */
  protected abstract listenerFor(listener: ConnectionListener): ConnectionListener;

  start(listener: ConnectionListener): void {
    this.connection.start(this.listenerFor(listener));
  }

  redirect(listener: ConnectionListener): void {
    this.connection.redirect(this.listenerFor(listener));
  }

  send(frame: EncodedFrame): void {
    this.connection.send(frame);
  }

  close(code: number, message: string): void {
    this.connection.close(code, message);
  }

  end(): void {
    this.connection.end();
  }

  pause(): void {
    this.connection.pause();
  }

  resume(): void {
    this.connection.resume();
  }

  get isPaced(): boolean {
    return this.connection.isPaced === true;
  }

  unpace(): void {
    this.connection.unpace?.();
  }

  setFrameLimit(bytes: number): void {
    this.connection.setFrameLimit(bytes);
  }

  destroy(): void {
    this.connection.destroy();
  }
}

/** Passes everything on to another listener; a subclass changes some of it. */
export class DelegatingListener implements ConnectionListener {
  protected readonly listener: ConnectionListener;

  constructor(listener: ConnectionListener) {
    this.listener = listener;
  }

  get requestsInFlight(): number {
    return this.listener.requestsInFlight;
  }

  admits(bytes: number): boolean {
    return this.listener.admits(bytes);
  }

  frame(frame: Frame): void {
    this.listener.frame(frame);
  }

  partial(bytes: number): void {
    this.listener.partial(bytes);
  }

  backlog(held: number, unread?: number): void {
    this.listener.backlog(held, unread);
  }

  halfClosed(): void {
    this.listener.halfClosed();
  }

  broken(error: Error): void {
    this.listener.broken(error);
  }

  ended(): void {
    this.listener.ended();
  }
}
