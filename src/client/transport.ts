import type { Attempt } from './errors.ts';
import type { Wake } from './wake.ts';
import type { Wire, WireListener } from './wire.ts';

/** A wire that is being dialled. */
export interface Dialled {
  readonly wire: Wire;
  /** Why nobody was reached, once the wire is gone and where the system says so. */
  failure(): Attempt | undefined;
}

/** How servers are found and reached from where the program runs. */
export interface Transport {
  /** Every place at which a server may be, most likely first. Made anew for each search: most end at the first. */
  places(): Iterable<string>;
  /** What speaks against a place, where it can be seen without opening it. */
  objection(place: string): Attempt | undefined;
  dial(place: string, clientId: string, listener: WireListener): Dialled;
  /** What ends the wait for a server early. */
  wake(): Wake;
  /** Longest wait between two tries (ms). */
  readonly longestRetryMs: number;
  /** Connections have the scope `rpc.local`: presence needs no token. */
  readonly isLocal: boolean;
  /** The process whose presence is shown; undefined where there is none. */
  readonly pid: number | undefined;
}
