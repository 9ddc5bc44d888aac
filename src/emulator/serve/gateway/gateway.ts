import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Dispatch, Dispatched } from '../../api/dispatch.ts';
import type { EmulatorClock, MachineClock } from '../../kernel/clock.ts';
import type { MemoryLimits } from '../../kernel/memory.ts';
import type { GatewayServer, GatewayServerNeeds } from './gateway-server.ts';
import type { Derivation, Hub, Recipient } from './hub.ts';
import { SessionStarts } from './session-starts.ts';
import type { Disturbance, GatewayReading, SessionView } from './session-view.ts';

/** Options of the gateway. */
interface GatewayOptions {
  /** Called when the first connection is opened. */
  readonly platform: () => GatewayServerNeeds;
  /** Every event. Their order here is the order in which the events of one transaction are sent. */
  readonly derivations: () => Promise<readonly Derivation[]>;
  readonly clock: EmulatorClock;
  readonly machine: MachineClock;
  /** Maximum number of connections; default 2,000. */
  readonly maxConnections?: number | undefined;
  readonly memory: Pick<MemoryLimits, 'replayed' | 'unread'>;
}

/** Default maximum number of gateway connections, of bots and games together. */
const MAX_CONNECTIONS = 2000;

/** The gateway in the form that operations of the platform use. Its parts are loaded with the first connection. */
export class Gateway {
  readonly #options: GatewayOptions;
  /** Session start limits of bots. */
  readonly starts: SessionStarts;
  #hub: Hub | undefined;
  #server: Promise<GatewayServer> | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.starts = new SessionStarts(options.clock);
  }

  /** Sends an event without a change of the state, such as typing. */
  send(dispatch: Dispatch, dispatched: Dispatched): void {
    this.#hub?.send(dispatch, dispatched);
  }

  /** Adds a recipient without a socket; the returned function removes it. */
  async listen(recipient: Recipient): Promise<() => void> {
    return (await this.#loadHub()).add(recipient);
  }

  /** Accepts a WebSocket request whose Host, Origin and owner have been checked. `base` is the URL of the API. */
  async open(request: IncomingMessage, socket: Socket, head: Buffer, base: string): Promise<void> {
    this.#server ??= this.#loadServer();
    const server = await this.#server;
    if (!socket.destroyed) server.open(request, socket, head, base);
  }

  /**
   * Whether an application has a session that receives events. A disconnected session receives them when it is resumed.
   */
  hasReceiver(application: string): boolean {
    return this.#hub?.hasReceiver(application) ?? false;
  }

  /** Views of all sessions, connected or disconnected, oldest first. */
  async sessions(): Promise<readonly SessionView[]> {
    return (await this.#server)?.sessionViews() ?? [];
  }

  /** How far the clients are. Asks those that have not read everything for a heartbeat. */
  async reading(): Promise<GatewayReading> {
    return (await this.#server)?.reading() ?? { connections: 0, commands: 0, unread: [] };
  }

  /**
   * Disturbs the connections of an application, whose sessions can then be resumed; returns the number of these
   * connections.
   */
  async disturb(application: string, how: Disturbance): Promise<number> {
    return (await this.#server)?.disturb(application, how) ?? 0;
  }

  /**
   * Asks every client to reconnect later, and ends the connections. With a reason, the gateway is removed for good, and
   * clients are not to reconnect.
   */
  async close(removalReason?: string): Promise<void> {
    (await this.#server)?.close(removalReason);
  }

  async #loadHub(): Promise<Hub> {
    const { platform, derivations } = this.#options;
    const [{ Hub }, all] = await Promise.all([import('./hub.ts'), derivations()]);
    this.#hub ??= new Hub(platform(), all);
    return this.#hub;
  }

  async #loadServer(): Promise<GatewayServer> {
    const [{ GatewayServer }, hub] = await Promise.all([import('./gateway-server.ts'), this.#loadHub()]);
    const { platform, clock, machine, maxConnections = MAX_CONNECTIONS, memory } = this.#options;
    return new GatewayServer({
      platform: platform(),
      hub,
      clock,
      machine: machine.guard ?? machine,
      starts: this.starts,
      maxConnections,
      memory,
    });
  }
}

/** Access to the gateway. */
export interface HasGateway {
  readonly gateway: Gateway;
}
