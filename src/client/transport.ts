import type { Attempt } from './errors.ts';
import type { Wake } from './wake.ts';
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
  places(): Iterable<string>;
  /** The objection to a place, where it can be determined without opening the place. */
  objection(place: string): Attempt | undefined;
  dial(place: string, clientId: string, listener: WireListener): Dialled;
  /** Creates a wait for a server that may end early. */
  wake(): Wake;
  /** Maximum delay between two attempts (ms). */
  readonly longestRetryMs: number;
  /** Connections have the scope `rpc.local`: presence needs no token. */
  readonly isLocal: boolean;
  /** The process of the presence; undefined where there is none. */
  readonly pid: number | undefined;
}
