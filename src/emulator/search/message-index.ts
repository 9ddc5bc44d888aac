import { SettingError } from '../errors.ts';
import type { Message } from '../messages/records.ts';
import type { Reading, Transaction, World } from '../world.ts';
import { GuildIndex } from './guild-index.ts';

/** Messages that are put into an index at once; others get their turn between. */
const AT_ONCE = 500;
/** A transaction that changes more messages than this is followed no more: what was indexed is indexed anew. */
const FOLLOWED = 10_000;

/** How far the index of a guild is. */
export type IndexStatus =
  | { readonly state: 'ready'; readonly documents: number; readonly index: GuildIndex }
  | { readonly state: 'not_indexed' | 'indexing'; readonly documents: number };

interface Built {
  readonly index: GuildIndex;
  /** Undefined once it is whole. */
  building: Promise<void> | undefined;
}

/**
 * Finds messages by their words, guild by guild. The index of one is not there until somebody searches it: it is built
 * then, a part at a time, and follows every change from there on.
 */
export class MessageIndex {
  readonly #world: Pick<World, 'transaction'>;
  readonly #tables: Reading;
  readonly #built = new Map<string, Built>();
  #isClosed = false;

  constructor(world: Pick<World, 'transaction' | 'tables'>) {
    this.#world = world;
    this.#tables = world.tables;
  }

  /** How far it is. */
  status(guild: string): IndexStatus {
    const held = this.#tables.search_holds.get(guild);
    if (held !== undefined) return { state: 'indexing', documents: held.documents };
    const built = this.#built.get(guild);
    if (built === undefined) return { state: 'not_indexed', documents: 0 };
    const { index, building } = built;
    return building === undefined
      ? { state: 'ready', documents: index.size, index }
      : { state: 'indexing', documents: index.size };
  }

  /** The same for somebody who searches: an index that is not there is begun. */
  ask(guild: string): IndexStatus {
    const status = this.status(guild);
    if (status.state === 'not_indexed') this.#begin(guild);
    return status;
  }

  /**
   * Forces a state: `ready` once the promise is kept; `indexing`, with so many documents done, until another is forced;
   * `not_indexed` until somebody asks. @throws SettingError for a guild that is not there.
   */
  async force(guild: string, state: IndexStatus['state'], documents = 0): Promise<IndexStatus> {
    if (!this.#tables.guilds.has(guild)) throw new SettingError('guild', `there is no guild ${guild}`);
    this.#world.transaction(({ search_holds }) => {
      if (state === 'indexing') search_holds.put({ guild, documents });
      else search_holds.remove(guild);
    });
    if (state === 'not_indexed') this.#built.delete(guild);
    else if (state === 'ready') await (this.#built.get(guild) ?? this.#begin(guild)).building;
    return this.status(guild);
  }

  follow({ events }: Transaction): void {
    if (this.#built.size === 0) return;
    if (events.length > FOLLOWED) return this.#built.clear();
    const gone = new Map<string, string | null>();
    for (const event of events) {
      if (event.table !== 'channels' || event.kind === 'created') continue;
      const { id, guild } = event.before;
      gone.set(id, guild);
      // Another guild's from now on, with all that was said there.
      if (event.kind === 'updated' && event.after.guild !== guild) {
        for (const one of [guild, event.after.guild]) this.#built.delete(one);
      }
    }
    const indexOf = ({ channel }: Message): GuildIndex | undefined => {
      const guild = this.#tables.channels.get(channel)?.guild ?? gone.get(channel);
      return this.#built.get(guild ?? '')?.index;
    };
    for (const event of events) {
      if (event.table !== 'messages') continue;
      if (event.kind !== 'created') indexOf(event.before)?.drop(event.before.id);
      if (event.kind !== 'removed') indexOf(event.after)?.put(event.after);
    }
    for (const [guild, { index }] of this.#built) {
      if (index.isWorn || !this.#tables.guilds.has(guild)) this.#built.delete(guild);
    }
  }

  /** Ends building. */
  close(): void {
    this.#isClosed = true;
  }

  #begin(guild: string): Built {
    const built: Built = { index: new GuildIndex(), building: undefined };
    this.#built.set(guild, built);
    built.building = this.#build(guild, built).then(() => {
      built.building = undefined;
    });
    return built;
  }

  async #build(guild: string, built: Built): Promise<void> {
    const { index } = built;
    const { channels, messages } = this.#tables;
    // Those that come meanwhile are put there by themselves.
    const ids = [...channels.by('guild', guild)].flatMap((channel) =>
      [...messages.by('channel', channel.id)].map(({ id }) => id),
    );
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      // Nobody wants it any more.
      if (this.#isClosed || this.#built.get(guild) !== built) return;
      for (const id of ids.slice(from, from + AT_ONCE)) {
        const message = messages.get(id);
        if (message !== undefined && !index.has(id)) index.put(message);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
