import { didYouMean } from '../../base/nearest.ts';
import { type Stored, storedOf } from '../../base/saves.ts';
import type { Choice, ChoiceStore } from './choice.ts';
import { isSelected } from './choice.ts';
import { isPattern, KNOWN_BUILDS, matches } from './client-name.ts';
import type { Clients } from './clients.ts';
import type { Primary } from './primary.ts';
import type { UpstreamSession } from './upstream-session.ts';

/** Number of sessions by what a change of the primary client did to them. */
export interface Moved {
  readonly moved: number;
  /** Closed, because the client does not accept the token of the app. */
  readonly ended: number;
  /** Clients to which the tokens of the closed sessions belong. */
  readonly endedFrom: readonly string[];
  /** With the client before, because the chosen one did not answer them. */
  readonly stayed: number;
}

/** One row of the list of clients. */
export interface ListedClient {
  readonly name: string;
  readonly state: 'here' | 'away' | 'unusable';
  readonly primary: boolean;
  /** Whether it gets presence; null until an app has told its account. */
  readonly selected: boolean | null;
  readonly user: { readonly id: string; readonly username: string | null } | null;
  readonly program: string | null;
  readonly path: string | null;
  /** Number of apps whose activity it shows. */
  readonly apps: number;
  /** Why the bridge does not use it, and what to do. */
  readonly why: string | null;
}

/** Services of a selection. */
export interface SelectionOptions {
  readonly store: ChoiceStore;
  readonly clients: Clients;
  readonly primary: Primary;
  readonly sessions: ReadonlyMap<string, UpstreamSession>;
  log(message: string, count: number): void;
}

/** The choice of the user among the clients, and its changes. */
export class Selection {
  readonly #options: SelectionOptions;
  #choice: Choice;

  constructor(options: SelectionOptions) {
    this.#options = options;
    this.#choice = options.store.load();
  }

  get choice(): Choice {
    return this.#choice;
  }

  /** Looks at every path, then lists the clients and the names that the user has chosen. */
  async list(): Promise<readonly ListedClient[]> {
    const { clients, sessions } = this.#options;
    await clients.look(true);
    const counts = new Map<string, number>();
    for (const { presentAt } of sessions.values())
      for (const name of presentAt) counts.set(name, (counts.get(name) ?? 0) + 1);
    const answering = this.primaryName;
    const known = clients.all.map((client): ListedClient => {
      const selected = isSelected(client, this.#choice.only);
      const { name, state, path, user, username = null, program } = client;
      return {
        name,
        state,
        primary: name === answering,
        selected: selected === 'unknown' ? null : selected,
        user: user === undefined ? null : { id: user, username },
        program: program?.name ?? null,
        path,
        apps: counts.get(name) ?? 0,
        why: null,
      };
    });
    const nowhere = { user: null, program: null, path: null, apps: 0, why: null } as const;
    const chosen = [...new Set([this.#choice.primary ?? [], this.#choice.only ?? []].flat())]
      .filter(
        (pattern) => !pattern.includes('*') && !clients.all.some((one) => matches(pattern, one) === true),
      )
      .map(
        (name): ListedClient => ({
          ...nowhere,
          name,
          state: 'away',
          primary: name === this.#choice.primary,
          selected: this.#choice.only === null || this.#choice.only.includes(name),
        }),
      );
    const unusable = clients.unusable.map(({ path, why }): ListedClient => {
      return { name: '-', state: 'unusable', primary: false, selected: false, ...nowhere, path, why };
    });
    return [...known, ...chosen, ...unusable].sort((a, b) => Number(b.primary) - Number(a.primary));
  }

  /** Name of the client that answers new apps; null before the first client. */
  get primaryName(): string | null {
    const { clients, primary } = this.#options;
    return this.#choice.primary ?? clients.at(primary.path)?.name ?? null;
  }

  /** Chooses the client that answers, `auto` for the first that does, and moves the apps to it. */
  async setPrimary(name: string): Promise<Moved & Stored & { readonly primary: string | null }> {
    if (name.includes('*')) throw new Error('One client is primary: give its name without "*".');
    await this.#options.clients.look(true);
    const stored = this.#change({ ...this.#choice, primary: name === 'auto' ? null : this.#nameOf(name) });
    // Without a choice only a connection tells which client is the first.
    if (name === 'auto') await this.#options.primary.isThere();
    return { primary: this.primaryName, ...(await this.follow()), ...stored };
  }

  /** Chooses the clients that get presence; null for every client. */
  async setOnly(
    only: readonly string[] | null,
  ): Promise<Stored & { readonly only: readonly string[] | null }> {
    await this.#options.clients.look(true);
    for (const name of only ?? []) this.#requireKnown(name);
    const stored = this.#change({
      ...this.#choice,
      only: only && [...new Set(only.map((one) => one.toLowerCase()))],
    });
    for (const session of this.#options.sessions.values()) session.refresh();
    return { only: this.#choice.only, ...stored };
  }

  /** Moves the apps to the primary client, where it is here and does not answer them already. */
  async follow(): Promise<Moved> {
    const { clients, primary, sessions } = this.#options;
    const name = this.#choice.primary;
    const candidates = name === null ? [clients.at(primary.path)] : primary.candidates(name);
    const target = candidates.find((client) => client?.state === 'here');
    const count = { moved: 0, refused: 0, failed: 0 };
    const endedFrom = new Set<string>();
    if (target !== undefined) {
      const others = [...sessions.values()].filter(({ path }) => path !== target.path);
      const moves = others.map(async (session) => {
        const from = clients.at(session.path)?.name;
        const outcome = await session.move();
        count[outcome] += 1;
        if (outcome === 'refused' && from !== undefined) endedFrom.add(from);
      });
      await Promise.all(moves);
    }
    if (count.refused > 0)
      this.#options.log(
        'apps must connect again: the primary chat client does not accept their tokens',
        count.refused,
      );
    return { moved: count.moved, ended: count.refused, endedFrom: [...endedFrom], stayed: count.failed };
  }

  #change(changed: Pick<Choice, 'primary' | 'only'>): Stored {
    const choice = { ...changed, places: this.#places() };
    const result = this.#options.store.save(choice);
    this.#choice = choice;
    return storedOf(result);
  }

  /** The places of clients that share a build with another one. */
  #places(): Readonly<Record<string, string>> {
    const { all } = this.#options.clients;
    const twins = all.filter(({ build }) => all.filter((one) => one.build === build).length > 1);
    return { ...this.#choice.places, ...Object.fromEntries(twins.map(({ name, path }) => [name, path])) };
  }

  /** Name of a client; an account is resolved, because only the READY of an app tells the account of a client. */
  #nameOf(pattern: string): string {
    this.#requireKnown(pattern);
    if (!pattern.toLowerCase().startsWith('user:')) return pattern.toLowerCase();
    const found = this.#options.clients.all.find((client) => matches(pattern, client) === true);
    if (found !== undefined) return found.name;
    throw new Error(
      `No known chat client is logged in as ${pattern}: an account is known once an app has shown a presence there. Give the name of the client: footbridge upstream`,
    );
  }

  #requireKnown(pattern: string): void {
    const { clients } = this.#options;
    const names = [
      ...clients.all.map(({ name }) => name),
      this.#choice.primary ?? [],
      this.#choice.only ?? [],
    ].flat();
    const build = pattern.toLowerCase().replace(/-\d+$/, '');
    const isKnown =
      [...names, ...KNOWN_BUILDS, 'client'].includes(build) || names.includes(pattern.toLowerCase());
    if (isPattern(pattern) && (isKnown || /^user:|\*/i.test(pattern))) return;
    const here = names.length === 0 ? 'none was seen yet' : `known: ${[...new Set(names)].join(', ')}`;
    const meant = didYouMean(pattern, [...names, ...KNOWN_BUILDS]);
    throw new Error(`No chat client is called ${JSON.stringify(pattern.slice(0, 60))} (${here}).${meant}`);
  }
}
