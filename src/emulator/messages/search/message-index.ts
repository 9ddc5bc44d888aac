import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reading, Transaction, World } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { Message } from '../records.ts';
import { GuildIndex, type Lacking, MAX_WORDS } from './guild-index.ts';

/** Number of messages indexed per turn of the event loop. */
const AT_ONCE = 500;
/** Maximum number of events in a transaction that the indexes follow. A larger transaction discards the indexes. */
const FOLLOWED = 10_000;

/** State of a guild's index. In the state `too_large`, memory is insufficient until messages are removed. */
export type IndexStatus =
  | { readonly state: 'ready'; readonly documents: number; readonly index: GuildIndex }
  | { readonly state: 'not_indexed' | 'indexing' | 'too_large'; readonly documents: number };

/** States that an operator may force on an index. */
export type ForcedState = Exclude<IndexStatus['state'], 'too_large'>;

interface Built {
  readonly index: GuildIndex;
  /** Resolves when the index is complete; undefined afterwards. */
  building: Promise<void> | undefined;
}

/** Minimum need of an index per message, for each resource. */
type Needs = Readonly<Record<Lacking, number>>;

/** Factor by which the estimated need is multiplied before an index is built again. */
const LIKELY = 1.1;

/**
 * Search indexes of messages, one per guild. The first search builds an index in parts, and the index then follows
 * every change. An index uses memory that rows leave free. It is dropped when the rows or the index itself need more,
 * and rebuilt when it fits.
 */
export class MessageIndex {
  readonly #world: Pick<World, 'transaction' | 'room'>;
  readonly #tables: Reading;
  readonly #maxWords: number;
  readonly #built = new Map<string, Built>();
  readonly #tooLarge = new Map<string, Needs>();
  #isClosed = false;

  /** `maxWords`: maximum number of different words per index. */
  constructor(world: Pick<World, 'transaction' | 'tables' | 'room'>, maxWords = MAX_WORDS) {
    this.#world = world;
    this.#tables = world.tables;
    this.#maxWords = maxWords;
    world.room.onShort(() => {
      for (const guild of [...this.#built.keys()]) this.#giveUp(guild, 'bytes');
    });
  }

  /** State of a guild's index. */
  status(guild: string): IndexStatus {
    const held = this.#tables.search_holds.get(guild);
    if (held !== undefined) return { state: 'indexing', documents: held.documents };
    const built = this.#built.get(guild);
    if (built === undefined) return { state: this.#fits(guild) ? 'not_indexed' : 'too_large', documents: 0 };
    const { index, building } = built;
    return building === undefined
      ? { state: 'ready', documents: index.size, index }
      : { state: 'indexing', documents: index.size };
  }

  /** State of a guild's index for a search. A missing index is started. */
  statusForSearch(guild: string): IndexStatus {
    const status = this.status(guild);
    if (status.state === 'not_indexed') this.#begin(guild);
    return status;
  }

  /**
   * Forces a state. `ready` resolves when the index is built. `indexing` reports `documents` indexed messages until
   * another state is forced. `not_indexed` lasts until the next search. @throws SettingError for an unknown guild, and
   * for an index that does not fit.
   */
  async force(guild: string, state: ForcedState, documents = 0): Promise<IndexStatus> {
    if (!this.#tables.guilds.has(guild)) throw new SettingError('guild', `there is no guild ${guild}`);
    this.#world.transaction(({ search_holds }) => {
      if (state === 'indexing') search_holds.put({ guild, documents });
      else search_holds.remove(guild);
    });
    if (state === 'not_indexed') this.#drop(guild);
    else if (state === 'ready') await (this.#built.get(guild) ?? this.#begin(guild)).building;
    const status = this.status(guild);
    if (state === 'ready' && status.state === 'too_large') {
      throw new SettingError('guild', 'there is no memory for its index; delete some messages');
    }
    return status;
  }

  follow({ events }: Transaction): void {
    if (this.#built.size === 0) return;
    if (events.length > FOLLOWED) return this.clear();
    const formerGuilds = new Map<string, string | null>();
    for (const event of events) {
      if (event.table !== 'channels' || event.kind === 'created') continue;
      const { id, guild } = event.before;
      formerGuilds.set(id, guild);
      // The channel and its messages moved to another guild, so both guilds' indexes are outdated.
      if (event.kind === 'updated' && event.after.guild !== guild) {
        for (const one of [guild, event.after.guild]) this.#drop(one ?? '');
      }
    }
    const guildOf = ({ channel }: Message): string =>
      this.#tables.channels.get(channel)?.guild ?? formerGuilds.get(channel) ?? '';
    for (const event of events) {
      if (event.table !== 'messages') continue;
      if (event.kind !== 'created') this.#built.get(guildOf(event.before))?.index.drop(event.before.id);
      if (event.kind === 'removed') continue;
      const guild = guildOf(event.after);
      const lacking = this.#built.get(guild)?.index.put(event.after);
      if (lacking !== undefined) this.#giveUp(guild, lacking);
    }
    for (const [guild, { index }] of [...this.#built]) {
      if (index.isWorn || !this.#tables.guilds.has(guild)) this.#drop(guild);
    }
  }

  /** Drops all indexes; the next search rebuilds them. */
  clear(): void {
    for (const guild of [...this.#built.keys()]) this.#drop(guild);
  }

  /** Stops building. */
  close(): void {
    this.#isClosed = true;
  }

  #drop(guild: string): void {
    this.#built.get(guild)?.index.close();
    this.#built.delete(guild);
  }

  /** Drops an index that does not fit, and records its need per message for later attempts. */
  #giveUp(guild: string, lacking: Lacking): void {
    const index = this.#built.get(guild)?.index;
    if (index === undefined) return;
    const there = { bytes: Math.max(1, this.#world.room.free + index.bytes), words: this.#maxWords };
    const size = Math.max(1, index.size);
    const needs = { bytes: index.bytes / size, words: index.words / size };
    // All messages together need more than the available amount, even if the messages indexed so far needed little.
    needs[lacking] = Math.max(needs[lacking], there[lacking] / Math.max(1, this.#messages(guild)));
    this.#tooLarge.set(guild, needs);
    this.#drop(guild);
  }

  #fits(guild: string): boolean {
    const needs = this.#tooLarge.get(guild);
    if (needs === undefined) return true;
    const messages = LIKELY * this.#messages(guild);
    return messages * needs.bytes <= this.#world.room.free && messages * needs.words <= this.#maxWords;
  }

  #messages(guild: string): number {
    let messages = 0;
    for (const { id } of this.#tables.channels.by('guild', guild)) {
      messages += this.#tables.messages.by('channel', id).size;
    }
    return messages;
  }

  #begin(guild: string): Built {
    const built: Built = { index: new GuildIndex(this.#world.room, this.#maxWords), building: undefined };
    this.#built.set(guild, built);
    built.building = this.#build(guild, built).then(
      () => {
        built.building = undefined;
        if (this.#built.get(guild) === built) this.#tooLarge.delete(guild);
      },
      () => {
        // The next search starts again.
        if (this.#built.get(guild) === built) this.#drop(guild);
      },
    );
    return built;
  }

  async #build(guild: string, built: Built): Promise<void> {
    const { index } = built;
    const { channels, messages } = this.#tables;
    // `follow` adds messages that are written while the index is built.
    const ids = [...channels.by('guild', guild)].flatMap((channel) =>
      [...messages.by('channel', channel.id)].map(({ id }) => id),
    );
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      // The index was dropped or replaced in the meantime.
      if (this.#isClosed || this.#built.get(guild) !== built) return;
      for (const id of ids.slice(from, from + AT_ONCE)) {
        const message = messages.get(id);
        if (message === undefined || index.has(id)) continue;
        const lacking = index.put(message);
        if (lacking !== undefined) return this.#giveUp(guild, lacking);
      }
      await nextTurn();
    }
  }
}

/** Access to the search indexes. */
export interface HasMessageIndex {
  readonly messageIndex: MessageIndex;
}
