import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Dispatch, Dispatched } from '../../api/dispatch.ts';
import type { EmulatorClock, MachineClock } from '../../kernel/clock.ts';
import type { MemoryLimits } from '../../kernel/memory.ts';
import type { Door, DoorNeeds } from './door.ts';
import type { Derivation, Hub, Recipient } from './hub.ts';
import type { Disturbance, ShownSession } from './shown-session.ts';
import { SessionStarts } from './starts.ts';

/** Options of the gateway. */
interface GatewayOptions {
  /** Called for the first connection. */
  readonly platform: () => DoorNeeds;
  /** Every event, in the order in which those of one transaction are sent. */
  readonly derivations: () => Promise<readonly Derivation[]>;
  readonly clock: EmulatorClock;
  readonly machine: MachineClock;
  /** Maximum number of connections; default 2,000. */
  readonly places?: number | undefined;
  readonly memory: Pick<MemoryLimits, 'replayed' | 'unread'>;
}

/** Default maximum number of connections of bots and games. */
const PLACES = 2000;

/** The gateway, as operations of the platform use it. Its parts are loaded with the first connection. */
export class Gateway {
  readonly #options: GatewayOptions;
  /** Session start limits of bots. */
  readonly starts: SessionStarts;
  #hub: Hub | undefined;
  #door: Promise<Door> | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.starts = new SessionStarts(options.clock);
  }

  /** Sends an event that is no change of the state, such as typing. */
  tell(dispatch: Dispatch, dispatched: Dispatched): void {
    this.#hub?.tell(dispatch, dispatched);
  }

  /** Adds a recipient without a socket; the returned function removes it. */
  async listen(recipient: Recipient): Promise<() => void> {
    return (await this.#loadHub()).add(recipient);
  }

  /** Accepts a WebSocket request whose Host, Origin and owner have been checked. `base` is the URL of the API. */
  async open(request: IncomingMessage, socket: Socket, head: Buffer, base: string): Promise<void> {
    this.#door ??= this.#loadDoor();
    const door = await this.#door;
    if (!socket.destroyed) door.open(request, socket, head, base);
  }

  /** Whether an application has a session that receives events; a disconnected one receives them when it is resumed. */
  hasReceiver(application: string): boolean {
    return this.#hub?.hasReceiver(application) ?? false;
  }

  /** Views of all sessions, connected or disconnected, oldest first. */
  async sessions(): Promise<readonly ShownSession[]> {
    return (await this.#door)?.shown() ?? [];
  }

  /** Disturbs the connections of an application, whose sessions can be resumed; returns their number. */
  async disturb(application: string, how: Disturbance): Promise<number> {
    return (await this.#door)?.disturb(application, how) ?? 0;
  }

  /** Requests every client to reconnect later, and ends the connections. */
  async close(): Promise<void> {
    (await this.#door)?.close();
  }

  async #loadHub(): Promise<Hub> {
    const { platform, derivations } = this.#options;
    const [{ Hub }, all] = await Promise.all([import('./hub.ts'), derivations()]);
    this.#hub ??= new Hub(platform(), all);
    return this.#hub;
  }

  async #loadDoor(): Promise<Door> {
    const [{ Door }, hub] = await Promise.all([import('./door.ts'), this.#loadHub()]);
    const { platform, clock, machine, places = PLACES, memory } = this.#options;
    return new Door({
      platform: platform(),
      hub,
      clock,
      machine: machine.guard ?? machine,
      starts: this.starts,
      places,
      memory,
    });
  }
}

/** Access to the gateway. */
export interface HasGateway {
  readonly gateway: Gateway;
}
