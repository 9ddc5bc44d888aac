import type { EndpointWait } from './endpoint-wait.ts';
import type { Attempt } from './errors.ts';
import type { Wire, WireListener } from './wire.ts';

/** A wire during the connect. */
export interface Dialled {
  readonly wire: Wire;
  /** Why the connect failed, once the wire is closed and where the system reports it. */
  failure(): Attempt | undefined;
}

/** How to find and reach servers from the program's environment. */
export interface Transport {
  /** Every place of a possible server, the likeliest first. Lazy for each search, because most end at the first. */
  addresses(): Iterable<string>;
  /** The objection to a place, where it can be determined without opening the place. */
  objection(address: string): Attempt | undefined;
  dial(address: string, clientId: string, listener: WireListener): Dialled;
  /** Creates a wait for a server that may end early. */
  createWait(): EndpointWait;
  /** Maximum delay between two attempts (ms). */
  readonly maxRetryDelayMs: number;
  /** Connections have the scope `rpc.local`: presence needs no token. */
  readonly isLocal: boolean;
  /** The process of the presence; undefined where there is none. */
  readonly pid: number | undefined;
}
