import type { Link } from './link/link.ts';
import { joinPeers, type Peer } from './peer.ts';
import type { ProcessNumber, Sink } from './sink.ts';

/** Maximum number of sessions that wait for a link, and how long they wait (ms). */
const MAX_WAITING = 1024;
const WAIT_MS = 10_000;

const LOST = 'The forward has no connection to its other end. Connect again later.';

/** Leads sessions over a link that may be lost and made again; sessions that come meanwhile wait. */
export class LinkSink implements Sink {
  #link: Link | undefined;
  readonly #waiting = new Map<Peer, { readonly process: ProcessNumber; readonly timer: NodeJS.Timeout }>();

  /** Sets the link, or none. */
  use(link: Link | undefined): void {
    this.#link = link;
    if (link === undefined) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [app, { process, timer }] of waiting) {
      clearTimeout(timer);
      this.connect(app, process);
    }
  }

  /** Aborts the sessions that wait. */
  giveUp(): void {
    for (const [app, { timer }] of this.#waiting) {
      clearTimeout(timer);
      app.abort(LOST);
    }
    this.#waiting.clear();
  }

  connect(app: Peer, process: ProcessNumber): void {
    const link = this.#link;
    if (link === undefined) return this.#wait(app, process);
    const peer = link.open(process);
    if (peer === undefined) return app.abort('The forward has as many sessions as it may have.');
    joinPeers(peer, app);
  }

  #wait(app: Peer, process: ProcessNumber): void {
    if (this.#waiting.size >= MAX_WAITING) return app.abort(LOST);
    const timer = setTimeout(() => {
      this.#waiting.delete(app);
      app.abort(LOST);
    }, WAIT_MS).unref();
    this.#waiting.set(app, { process, timer });
  }
}
