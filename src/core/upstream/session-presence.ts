import { isObject } from '../../protocol/json.ts';
import { isRefusal } from '../../protocol/refusal.ts';
import { type Choice, isSelected } from './choice.ts';
import type { Client, Clients } from './clients.ts';
import { PresenceLink } from './presence-link.ts';
import { PresenceUpdate } from './presence-update.ts';
import type { Primary } from './primary.ts';
import type { Relay } from './relay.ts';

/**
 * Time for which the other clients wait for the answer of the primary one (ms): on a small machine all clients would
 * take the processor from each other, and the app would wait longer.
 */
const ANSWER_MS = 2;
/** Time after which a clear that the primary client refused is sent again (ms); each one is twice as long. */
const CLEAR_MS = { first: 2000, max: 60_000 } as const;

/** Number of connections for presence that all sessions may have together. */
export class LinkPool {
  readonly #max: number;
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  take(): boolean {
    if (this.#used >= this.#max) return false;
    this.#used += 1;
    return true;
  }

  free(): void {
    this.#used -= 1;
  }
}

/** Services and facts of one app's presence. */
export interface SessionPresenceOptions {
  readonly clientId: string;
  readonly clients: Clients;
  readonly primary: Pick<Primary, 'reach'>;
  readonly pool: LinkPool;
  readonly relay: Pick<Relay, 'request' | 'hasPresence'>;
  /** Path of the client that answers this session. */
  readonly path: () => string | undefined;
  readonly choice: () => Choice;
}

interface Wanted {
  readonly update: PresenceUpdate;
  readonly only: readonly string[] | undefined;
  /** Whether the app has got an answer that is no error. */
  isAccepted: boolean;
}

interface Secondary {
  readonly link: PresenceLink;
  /** When the client came, as the link has last seen it. */
  since: number;
}

/** The presence of one app at every client that the user and the rules select. */
export class SessionPresence {
  readonly #options: SessionPresenceOptions;
  readonly #links = new Map<string, Secondary>();
  #wanted: Wanted | undefined;
  #updates = 0;
  #isSpreading = false;
  /** Set while the other clients have not got the last update. */
  #timer: NodeJS.Timeout | undefined;
  #clearing: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SessionPresenceOptions) {
    this.#options = options;
  }

  /**
   * Shows the activity in `args` of SET_ACTIVITY at the selected clients, and answers as the primary client does; null
   * where that client is not selected. Other clients never delay the answer.
   */
  async set(args: unknown, only: readonly string[] | undefined, signal?: AbortSignal): Promise<unknown> {
    const before = this.#wanted;
    const wanted: Wanted = { update: this.#updateOf(args), only, isAccepted: false };
    this.#wanted = wanted;
    this.#timer ??= setTimeout(() => this.spread(), ANSWER_MS);
    if (!this.#selectsPrimary(wanted)) {
      wanted.isAccepted = true;
      this.#clearPrimary();
      this.#spreadSoon();
      return null;
    }
    try {
      const answer = await this.#options.relay.request({ cmd: 'SET_ACTIVITY', args, evt: undefined }, signal);
      wanted.isAccepted = true;
      return answer;
    } catch (error) {
      // Nobody shows what the primary client refuses; while it is away the others show it all the same.
      // A clear that one client refuses holds for the others all the same.
      if (isRefusal(error) && wanted.update.hasActivity && this.#wanted === wanted) {
        this.#wanted = before ?? { ...wanted, update: this.#hidden(wanted) };
      }
      throw error;
    } finally {
      this.#spreadSoon();
    }
  }

  /** Applies a changed choice, a changed primary client, or the state that is restored there. */
  refresh(): void {
    this.spread();
    const { relay } = this.#options;
    const wanted = this.#wanted;
    if (wanted === undefined || this.#isClosed) return;
    if (!this.#selectsPrimary(wanted)) this.#clearPrimary();
    else if (wanted.isAccepted && wanted.update.hasActivity && !relay.hasPresence)
      this.#request(wanted.update.args);
  }

  /** Sends the current presence to the other clients; called after each change of them. */
  spread(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const wanted = this.#wanted;
    if (wanted === undefined || this.#isClosed) return;
    const { clients, path, choice } = this.#options;
    const primary = path();
    for (const client of clients.all) {
      const found = this.#links.get(client.name);
      if (client.path === primary) {
        this.#drop(client.name);
        continue;
      }
      if (client.state === 'away') continue;
      const verdict = isSelected(client, choice().only, wanted.only);
      const isShown = verdict === true && wanted.update.hasActivity;
      const isNeeded = isShown || (verdict === 'unknown' && wanted.update.hasActivity);
      const secondary = found ?? (isNeeded ? this.#add(client) : undefined);
      if (secondary === undefined) continue;
      if (secondary.since !== client.since) {
        secondary.since = client.since;
        secondary.link.retry();
      }
      secondary.link.show(verdict === true ? wanted.update : this.#hidden(wanted));
      if (isNeeded && verdict === 'unknown') secondary.link.greet();
    }
    const names = new Set(clients.all.map(({ name }) => name));
    for (const name of this.#links.keys()) if (!names.has(name)) this.#drop(name);
  }

  /** Whether the client that serves the session may show the activity. */
  get isAtPrimary(): boolean {
    return this.#wanted === undefined || this.#selectsPrimary(this.#wanted);
  }

  /** Names of the clients that show an activity of this app. */
  get at(): readonly string[] {
    const { relay, clients, path } = this.#options;
    const primary = relay.hasPresence ? clients.at(path())?.name : undefined;
    const others = [...this.#links].filter(([, { link }]) => link.shows).map(([name]) => name);
    return primary === undefined ? others : [primary, ...others];
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#clearing);
    for (const name of this.#links.keys()) this.#drop(name);
  }

  /** Spreads once the answer has left, and once for answers of the same turn. */
  #spreadSoon(): void {
    if (this.#isSpreading) return;
    this.#isSpreading = true;
    setImmediate(() => {
      this.#isSpreading = false;
      if (this.#timer !== undefined) this.spread();
    });
  }

  #add(client: Client): Secondary | undefined {
    const { clientId, clients, pool, primary } = this.#options;
    if (!pool.take()) return undefined;
    const { name, path, since } = client;
    const link = new PresenceLink({
      clientId,
      async connect(signal) {
        const connected = await primary.reach(path, signal);
        if (clients.note(connected).name === name) return connected.stream;
        connected.stream.destroy();
        throw new Error('another chat client answers at this path now');
      },
      greeted: (ready) => clients.greeted(path, ready),
      lost: () => clients.lost(path),
    });
    const added = { link, since };
    this.#links.set(name, added);
    return added;
  }

  #drop(name: string): void {
    const found = this.#links.get(name);
    if (found === undefined) return;
    this.#links.delete(name);
    found.link.close();
    this.#options.pool.free();
  }

  #selectsPrimary({ only }: Wanted): boolean {
    const { clients, choice, path } = this.#options;
    const chosen = choice().only;
    if (chosen === null && only === undefined) return true;
    const client = clients.at(path());
    return client !== undefined && isSelected(client, chosen, only) === true;
  }

  #clearPrimary(): void {
    const wanted = this.#wanted;
    if (wanted !== undefined && this.#options.relay.hasPresence) this.#takeDown(this.#hidden(wanted).args);
  }

  /** Clears what the primary client shows, and again where it refuses that, as long as it is not selected. */
  #takeDown(args: unknown, ms: number = CLEAR_MS.first): void {
    const isOver = (): boolean =>
      this.#isClosed || this.#wanted === undefined || this.#selectsPrimary(this.#wanted);
    clearTimeout(this.#clearing);
    this.#options.relay.request({ cmd: 'SET_ACTIVITY', args, evt: undefined }).catch((error: unknown) => {
      if (!isRefusal(error) || isOver()) return;
      this.#clearing = setTimeout(() => {
        if (!isOver()) this.#takeDown(args, Math.min(ms * 2, CLEAR_MS.max));
      }, ms).unref();
    });
  }

  #request(args: unknown): void {
    this.#options.relay.request({ cmd: 'SET_ACTIVITY', args, evt: undefined }).catch(() => {});
  }

  #updateOf(args: unknown): PresenceUpdate {
    this.#updates += 1;
    return new PresenceUpdate(args, `presence-${this.#updates}`);
  }

  /** The same update without its activity; the process id stays, by which clients tell presences apart. */
  #hidden({ update }: Wanted): PresenceUpdate {
    if (!update.hasActivity) return update;
    return this.#updateOf({ ...(isObject(update.args) ? update.args : {}), activity: null });
  }
}
