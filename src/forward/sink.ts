import type { Peer } from './peer.ts';

/** Number of an app's process where it runs; 0 where the system does not report it. */
export type ProcessNumber = number;

/** Where the sessions of a forward lead. */
export interface Sink {
  /**
   * Connects a session: joins the app's end with one of this sink, or aborts it with a reason. Sessions that wait do so
   * behind others of their own process.
   */
  connect(app: Peer, process: ProcessNumber): void;
}
