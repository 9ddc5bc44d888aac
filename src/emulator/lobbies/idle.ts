import type { Transaction, World } from '../api/world.ts';
import type { Deadline, EmulatorClock } from '../kernel/clock.ts';
import type { Lobby } from './records.ts';

/**
 * Takes lobbies away that nobody has been in for as long as they say. Who is a member counts as there: whether their game
 * runs is not known.
 */
export class IdleLobbies {
  readonly #world: World;
  readonly #clock: EmulatorClock;
  readonly #ends = new Map<string, { readonly at: number; readonly deadline: Deadline }>();

  constructor(world: World, clock: EmulatorClock) {
    this.#world = world;
    this.#clock = clock;
    world.subscribeRows((transaction) => this.#follow(transaction), {
      name: 'the time of empty lobbies',
      recover: () => {
        this.close();
        this.start();
      },
    });
  }

  /** Minds what is there from the beginning. */
  start(): void {
    for (const { id } of [...this.#world.tables.lobbies]) this.#settle(id);
  }

  /** Takes nothing more away. */
  close(): void {
    for (const id of [...this.#ends.keys()]) this.#forget(id);
  }

  #follow({ events }: Transaction): void {
    const touched = new Set<string>();
    for (const event of events) {
      if (event.table !== 'lobbies' && event.table !== 'lobby_members') continue;
      const row = event.kind === 'removed' ? event.before : event.after;
      touched.add('lobby' in row ? row.lobby : row.id);
    }
    for (const id of touched) this.#settle(id);
  }

  #settle(id: string): void {
    const { lobbies, lobby_members } = this.#world.tables;
    const lobby = lobbies.get(id);
    if (lobby === undefined) return this.#forget(id);
    const isEmpty = lobby_members.by('lobby', id).size === 0;
    if (isEmpty && lobby.idle_since !== null) return this.#waitFor(lobby, Date.parse(lobby.idle_since));
    if (!isEmpty) this.#forget(id);
    if (isEmpty === (lobby.idle_since !== null)) return;
    const idle_since = isEmpty ? new Date(this.#clock.now()).toISOString() : null;
    // Told again, and settled then.
    this.#world.transaction((tables) => tables.lobbies.update(id, { idle_since }));
  }

  #waitFor({ id, idle_timeout_seconds: seconds }: Lobby, since: number): void {
    const at = since + seconds * 1000;
    if (this.#ends.get(id)?.at === at) return;
    this.#forget(id);
    const deadline = this.#clock.at(at, () => this.#world.transaction(({ lobbies }) => lobbies.remove(id)));
    if (!deadline.over) this.#ends.set(id, { at, deadline });
  }

  #forget(id: string): void {
    this.#ends.get(id)?.deadline.cancel();
    this.#ends.delete(id);
  }
}
