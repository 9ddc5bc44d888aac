import type { Peer } from './peer.ts';

/** Where the sessions of a forward lead. */
export interface Sink {
  /** Connects a session: joins the app's end with one of this sink, or aborts it with a reason. */
  connect(app: Peer): void;
}
