import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Dispatch, Dispatched } from '../../api/dispatch.ts';
import type { EmulatorClock, MachineClock } from '../../kernel/clock.ts';
import type { MemoryLimits } from '../../kernel/memory.ts';
import type { Door, DoorNeeds } from './door.ts';
import type { Derivation, Hub, Recipient } from './hub.ts';
import type { Disturbance, ShownSession } from './shown-session.ts';
import { SessionStarts } from './starts.ts';

/** What the gateway needs before anybody connects. */
interface GatewayOptions {
  /** Asked once the first connection comes. */
  readonly platform: () => DoorNeeds;
  /** Every event, in the order in which those of one transaction are told. */
  readonly derivations: () => Promise<readonly Derivation[]>;
  readonly clock: EmulatorClock;
  readonly machine: MachineClock;
  /** Connections at a time; default 2,000. */
  readonly places?: number | undefined;
  readonly memory: Pick<MemoryLimits, 'replayed' | 'unread'>;
}

/** Connections of bots and games at a time. */
const PLACES = 2000;

/** The gateway, as operations of the platform see it. What it is made of is loaded with the first connection. */
export class Gateway {
  readonly #options: GatewayOptions;
  /** How many sessions bots may start. */
  readonly starts: SessionStarts;
  #hub: Hub | undefined;
  #door: Promise<Door> | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.starts = new SessionStarts(options.clock);
  }

  /** Tells those who may know of what is no change of the state, such as somebody typing. */
  tell(dispatch: Dispatch, dispatched: Dispatched): void {
    this.#hub?.tell(dispatch, dispatched);
  }

  /** Lets somebody listen without a socket; the returned function ends it. */
  async listen(recipient: Recipient): Promise<() => void> {
    return (await this.#loadHub()).add(recipient);
  }

  /** Takes over a request for a WebSocket whose Host, Origin and owner have been judged. `base` is the address of the API. */
  async open(request: IncomingMessage, socket: Socket, head: Buffer, base: string): Promise<void> {
    this.#door ??= this.#loadDoor();
    const door = await this.#door;
    if (!socket.destroyed) door.open(request, socket, head, base);
  }

  /** Whether a session of an application receives what happens; one that waits to be resumed receives it then. */
  hasReceiver(application: string): boolean {
    return this.#hub?.hasReceiver(application) ?? false;
  }

  /** All sessions, connected or cut, the oldest first. */
  async sessions(): Promise<readonly ShownSession[]> {
    return (await this.#door)?.shown() ?? [];
  }

  /** Disturbs the connections of an application, whose sessions can be resumed; answers how many there are. */
  async disturb(application: string, how: Disturbance): Promise<number> {
    return (await this.#door)?.disturb(application, how) ?? 0;
  }

  /** Tells every client to come back later, and ends their connections. */
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

/** Tells bots and games what happens. */
export interface HasGateway {
  readonly gateway: Gateway;
}
