import { isLocalError } from '../../base/local-error.ts';
import { isObject } from '../../protocol/json.ts';
import type { CoreHost, Ready } from '../core.ts';
import { buildName } from './client-name.ts';
import { type ClientSource, type Connected, type ServingProgram, UNKNOWN_MARK } from './client-source.ts';

/** A chat client that has answered since the bridge started. Its name stays while the same build is at its path. */
export interface Client {
  readonly path: string;
  readonly name: string;
  readonly build: string;
  /** Id of the account that is logged in, once a READY has told it. */
  readonly user: string | undefined;
  readonly username: string | undefined;
  readonly program: ServingProgram | undefined;
  readonly state: 'here' | 'away';
  /** Time of the last change of the state (ms since the Unix epoch). */
  readonly since: number;
}

/** Interval of the looks for clients while apps are connected (ms). */
const LOOK_MS = 3000;
/** Minimum interval of the looks of sessions that wait for a client (ms). */
const AGAIN_MS = 500;
/** Delay of a look after a lost connection (ms): a client that ends loses all its connections in one moment. */
const LOST_MS = 100;
/** Pause before a path that did not answer is checked again (ms); it doubles up to the maximum. */
const REFUSED_MS = { first: 3000, max: 60_000 } as const;
/** Maximum number of clients that are used at a time, and of those that are remembered. */
const MAX_HERE = 8;
const MAX_KNOWN = 32;

interface Refused {
  readonly mark: string;
  readonly pause: number;
  readonly until: number;
  /** Why the path must not be used, and what to do; undefined where nothing answered. */
  readonly why: string | undefined;
}

/** The chat clients of this user: which are here, their names and accounts. */
export class Clients {
  readonly #source: ClientSource | undefined;
  readonly #onChange: () => void;
  readonly #log: CoreHost['log'];
  readonly #places: () => Readonly<Record<string, string>>;
  readonly #known = new Map<string, Client>();
  readonly #marks = new Map<string, string | undefined>();
  readonly #refused = new Map<string, Refused>();
  #holds = 0;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /**
   * Without a source only the clients are known to which the caller has connected. `onChange` is called after a change;
   * `places` has the names that belong to the client at a path.
   */
  constructor(
    source: ClientSource | undefined,
    onChange: () => void,
    log: CoreHost['log'],
    places: () => Readonly<Record<string, string>> = () => ({}),
  ) {
    this.#source = source;
    this.#onChange = onChange;
    this.#log = log;
    this.#places = places;
  }

  /** Every known client, also those that are away. */
  get all(): readonly Client[] {
    return [...this.#known.values()];
  }

  at(path: string | undefined): Client | undefined {
    return path === undefined ? undefined : this.#known.get(path);
  }

  /** Paths that must not be used, each with the reason and the remedy. */
  get unusable(): readonly { readonly path: string; readonly why: string }[] {
    return [...this.#refused].flatMap(([path, { why }]) => (why === undefined ? [] : [{ path, why }]));
  }

  /** Looks for clients at an interval until the returned function is called. */
  hold(): () => void {
    this.#holds += 1;
    if (this.#source !== undefined && this.#timer === undefined) {
      this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
      this.#lookSoon(0);
    }
    return () => {
      this.#holds -= 1;
      if (this.#holds === 0) this.stop();
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#timer = undefined;
    this.#soon = undefined;
  }

  /** A client has answered at this path. Returns its entry, a new one where another build answers than before. */
  note({ path, program }: Pick<Connected, 'path' | 'program'>): Client {
    const before = this.#known.get(path);
    const build = buildName(path, program);
    this.#refused.delete(path);
    if (before?.state === 'here' && before.build === build) return before;
    this.#marks.set(path, this.#source?.mark(path));
    const isSame = before?.build === build;
    const client: Client = {
      path,
      build,
      program,
      name: isSame ? before.name : this.#freeName(build, path),
      user: isSame ? before.user : undefined,
      username: isSame ? before.username : undefined,
      state: 'here',
      since: Date.now(),
    };
    this.#known.set(path, client);
    this.#evict();
    this.#onChange();
    return client;
  }

  /** READY of a session at the client has told its account. */
  greeted(path: string, ready: Ready): void {
    const client = this.#known.get(path);
    const user: unknown = isObject(ready) ? ready.user : undefined;
    if (client === undefined || !isObject(user) || typeof user.id !== 'string') return;
    const username = typeof user.username === 'string' ? user.username : undefined;
    if (client.user === user.id && client.username === username) return;
    this.#known.set(path, { ...client, user: user.id, username });
    this.#onChange();
  }

  /** A connection to the client has ended, or could not be made: it is checked soon. */
  lost(path: string): void {
    this.#marks.delete(path);
    if (this.#holds > 0) this.#lookSoon(LOST_MS);
  }

  /** Looks at every path once; callers share a look. `verify`: also at clients of which nothing has changed. */
  async look(verify = false): Promise<void> {
    if (verify) {
      await this.#looking;
      this.#marks.clear();
    }
    this.#looking ??= this.#lookAtAll(verify).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Looks unless the last look was a moment ago: many sessions may wait for one client. */
  async lookAgain(): Promise<void> {
    if (performance.now() - this.#lookedAt > AGAIN_MS) await this.look();
    else await this.#looking;
  }

  async #lookAtAll(verify: boolean): Promise<void> {
    const source = this.#source;
    if (source === undefined) return;
    this.#lookedAt = performance.now();
    const paths = source.candidates();
    const now = performance.now();
    const checks: (() => Promise<void>)[] = [];
    for (const path of paths) {
      const mark = source.mark(path);
      const client = this.#known.get(path);
      if (mark === undefined) {
        this.#refused.delete(path);
        this.#setAway(client);
        continue;
      }
      if (client?.state === 'here' && this.#marks.get(path) === mark) continue;
      const refused = this.#refused.get(path);
      if (!verify && refused?.mark === mark && now < refused.until) continue;
      if (client?.state !== 'here' && this.#count >= MAX_HERE) continue;
      checks.push(this.#check(source, path, mark));
    }
    for (const client of this.all) if (!paths.includes(client.path)) this.#setAway(client);
    for (const path of this.#refused.keys()) if (!paths.includes(path)) this.#refused.delete(path);
    // In the order of the paths, by which two clients of one build get their numbers.
    for (const note of checks) await note();
  }

  /** Begins the check of a path; the returned function notes its outcome. */
  #check(source: ClientSource, path: string, mark: string): () => Promise<void> {
    const checked = source.check(path).then(
      ({ program }) => ({ program }),
      (error: unknown) => ({ error }),
    );
    return async () => {
      const outcome = await checked;
      if ('error' in outcome) return this.#refuse(path, mark, outcome.error);
      this.#marks.set(path, mark);
      const { name, state } = this.#known.get(path) ?? {};
      if (state !== 'here' && this.#count >= MAX_HERE) return;
      const client = this.note({ path, program: outcome.program });
      if (client.name !== name || state !== 'here')
        this.#log('info', 'a chat client is here', { path, reason: client.name });
    };
  }

  #refuse(path: string, mark: string, error: unknown): void {
    const before = this.#refused.get(path);
    const isSame = before?.mark === mark && mark !== UNKNOWN_MARK;
    const pause = isSame ? Math.min(before.pause * 2, REFUSED_MS.max) : REFUSED_MS.first;
    const why = isLocalError(error) ? error.message : undefined;
    if (why !== undefined && before?.why !== why)
      this.#log('warn', 'a chat client cannot be used', { path, reason: why });
    this.#refused.set(path, { mark, pause, until: performance.now() + pause, why });
    this.#setAway(this.#known.get(path));
  }

  #lookSoon(ms: number): void {
    if (this.#source === undefined) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.look();
    }, ms).unref();
  }

  #setAway(client: Client | undefined): void {
    if (client?.state !== 'here') return;
    this.#known.set(client.path, { ...client, state: 'away', since: Date.now() });
    this.#log('info', 'a chat client is away', { path: client.path, reason: client.name });
    this.#onChange();
  }

  get #count(): number {
    return this.all.filter(({ state }) => state === 'here').length;
  }

  /** Removes the clients that have been away longest. */
  #evict(): void {
    const away = this.all.filter(({ state }) => state === 'away').sort((a, b) => a.since - b.since);
    for (const { path } of away.slice(0, Math.max(0, this.#known.size - MAX_KNOWN))) this.#known.delete(path);
  }

  /**
   * Two clients of one build get a number. A client that returns at another path takes the name that it had, and with it
   * what the user has chosen for that name; but a name that belongs to one of two clients of a build stays at its path.
   */
  #freeName(build: string, path: string): string {
    const others = this.all.filter((one) => one.path !== path);
    const places = Object.entries(this.#places());
    const own = places.find(([name, place]) => place === path && name.replace(/-\d+$/, '') === build);
    const taken = new Set([
      ...others.filter(({ state }) => state === 'here').map(({ name }) => name),
      ...places.filter(([, place]) => place !== path).map(([name]) => name),
    ]);
    let name = own?.[0] ?? build;
    for (let number = 2; taken.has(name); number += 1) name = `${build}-${number}`;
    const before = others.find((one) => one.name === name);
    if (before !== undefined) this.#known.delete(before.path);
    return name;
  }
}
