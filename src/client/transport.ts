import type { EndpointWait } from './endpoint-wait.ts';
import type { Attempt } from './errors.ts';
import type { Wire, WireListener } from './wire.ts';

/** A wire during the connect. */
export interface Dialled {
  readonly wire: Wire;
  /** Returns the reason why the connect failed, where the system reports it; available once the wire is closed. */
  failure(): Attempt | undefined;
}

/** How to find and reach servers from the program's environment. */
export interface Transport {
  /**
   * Addresses of all possible servers, the likeliest first. Computed lazily, because most searches end at the first
   * address.
   */
  addresses(): Iterable<string>;
  /** Name of the environment variable that replaces the search; undefined where nothing does. */
  variable?(): string | undefined;
  /** Returns the objection to an address, where it can be determined without opening the address. */
  objection(address: string): Attempt | undefined;
  dial(address: string, clientId: string, listener: WireListener): Dialled;
  /** Creates a wait for a server; the wait may end early. */
  createWait(): EndpointWait;
  /** Maximum delay between two attempts (ms). */
  readonly maxRetryDelayMs: number;
  /** True if connections have the scope `rpc.local`, so that presence needs no token. */
  readonly isLocal: boolean;
  /** Id of the process that shows the presence; undefined where there is none. */
  readonly pid: number | undefined;
}
