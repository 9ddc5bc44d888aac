import * as z from 'zod';
import { type Dispatch, type Dispatched, type GatewayListener, intentBits } from '../../api/dispatch.ts';
import type { Base, Committed, Reading } from '../../api/world.ts';
import { isIn } from '../../guilds/members/membership.ts';
import type { HasLog } from '../../kernel/log.ts';

/** A receiver of events; its connection may be absent. */
export interface Recipient {
  readonly listener: GatewayListener;
  /** Receives one event; `data` is JSON. */
  take(event: string, data: string): void;
  /**
   * Called before an event of this guild. Returns true when the call has sent the whole guild, which already includes
   * the event.
   */
  prepare?(guild: string): boolean;
  /** Called when an event could not be sent, so that the recipient's state is incomplete. */
  lose?(): void;
}

/** Guilds that a transaction has sent as a whole, by recipient. */
type Fresh = Map<Recipient, Set<string>>;

/**
 * Events that a whole guild already includes. They are not sent after it, because a library that counts members would
 * count one member twice.
 */
const IN_WHOLE_GUILD: ReadonlySet<string> = new Set([
  'GUILD_UPDATE',
  'GUILD_ROLE_CREATE',
  'GUILD_ROLE_UPDATE',
  'GUILD_MEMBER_ADD',
  'GUILD_MEMBER_UPDATE',
  'GUILD_MEMBER_REMOVE',
  'CHANNEL_CREATE',
  'CHANNEL_UPDATE',
  'THREAD_CREATE',
  'THREAD_UPDATE',
  'THREAD_LIST_SYNC',
  'GUILD_EMOJIS_UPDATE',
  'GUILD_STICKERS_UPDATE',
  'GUILD_SOUNDBOARD_SOUND_CREATE',
  'GUILD_SOUNDBOARD_SOUND_UPDATE',
  'GUILD_SOUNDBOARD_SOUNDS_UPDATE',
  'STAGE_INSTANCE_CREATE',
  'STAGE_INSTANCE_UPDATE',
  'GUILD_SCHEDULED_EVENT_CREATE',
  'GUILD_SCHEDULED_EVENT_UPDATE',
  'PRESENCE_UPDATE',
]);

/** The shard that a guild belongs to; events without a guild go to the first shard. */
export function shardOf(guild: string | undefined, count: number): number {
  return guild === undefined ? 0 : Number((BigInt(guild) >> 22n) % BigInt(count));
}

/** A dispatch with its services bound, so that `derived` needs only the commit. */
export type Derivation = Dispatch & { readonly derived?: (commit: Committed) => Iterable<Dispatched> };

/** Binds services to each dispatch. */
export function derivationsOf<Platform>(
  dispatches: readonly Dispatch<Platform>[],
  platform: Platform,
): Derivation[] {
  return dispatches.map((dispatch) => {
    const { derive } = dispatch;
    return derive === undefined ? dispatch : { ...dispatch, derived: (commit) => derive(commit, platform) };
  });
}

/**
 * Sends events to sessions: for each transaction, the events that the dispatches derive from it, in the order of the
 * transactions.
 */
export class Hub {
  readonly #platform: Pick<Base, 'world'> & HasLog;
  readonly #derivations: readonly Derivation[];
  /** Recipients by shard count, then by shard, because an event usually concerns only one of many shards. */
  readonly #recipients = new Map<number, Map<number, Set<Recipient>>>();
  #unsubscribe: (() => void) | undefined;

  constructor(platform: Pick<Base, 'world'> & HasLog, derivations: readonly Derivation[]) {
    this.#platform = platform;
    this.#derivations = derivations;
  }

  /** Shapes of the data of events, by the events' names. Several domains may declare the same event. */
  get shapes(): ReadonlyMap<string, z.ZodType> {
    const shapes = new Map<string, z.ZodType>();
    for (const { event, shape } of this.#derivations) {
      const known = shapes.get(event);
      shapes.set(event, known === undefined ? shape : z.union([known, shape]));
    }
    return shapes;
  }

  /** Adds a recipient; the returned function removes it. */
  add(recipient: Recipient): () => void {
    const [shard, shards] = recipient.listener.shard;
    const byShard = this.#recipients.get(shards) ?? new Map<number, Set<Recipient>>();
    const same = byShard.get(shard) ?? new Set<Recipient>();
    this.#recipients.set(shards, byShard.set(shard, same.add(recipient)));
    // The hub only follows commits while it has recipients.
    this.#unsubscribe ??= this.#platform.world.subscribeCommits((commit) => this.#follow(commit), {
      name: 'the gateway',
      recover: () => this.#lose(() => true),
    });
    return () => {
      same.delete(recipient);
      if (same.size === 0 && byShard.get(shard) === same) byShard.delete(shard);
      if (byShard.size === 0 && this.#recipients.get(shards) === byShard) this.#recipients.delete(shards);
      if (this.#recipients.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }

  /** Whether any recipient belongs to this application. */
  hasReceiver(application: string): boolean {
    const all = [...this.#recipients.values()].flatMap((byShard) => [...byShard.values()]);
    return all.some((same) => [...same].some(({ listener }) => listener.application.id === application));
  }

  /** Sends an event to its audience. */
  send(dispatch: Dispatch, dispatched: Dispatched): void {
    this.#send(dispatch, dispatched, new Map());
  }

  #send(dispatch: Dispatch, dispatched: Dispatched, fresh: Fresh): void {
    const { guild, data, sameFor = () => '' } = dispatched;
    const texts = new Map<string, string>();
    const isInAudience = audienceFilter(dispatch, dispatched, this.#platform.world.tables);
    for (const recipient of this.#concerned(dispatched.guild)) {
      try {
        const { listener } = recipient;
        if (!isInAudience(listener)) continue;
        if (guild !== undefined) {
          const isWhole = dispatch.event === 'GUILD_CREATE' || recipient.prepare?.(guild) === true;
          if (isWhole) fresh.set(recipient, (fresh.get(recipient) ?? new Set()).add(guild));
          if (IN_WHOLE_GUILD.has(dispatch.event) && fresh.get(recipient)?.has(guild)) continue;
        }
        const word = sameFor(listener);
        const text = texts.get(word) ?? JSON.stringify(data(listener));
        texts.set(word, text);
        recipient.take(dispatch.event, text);
      } catch (error) {
        this.#failed(dispatch, error);
        recipient.lose?.();
      }
    }
  }

  /** A copy of the recipients of a guild's shard, because sending may remove recipients. */
  #concerned(guild: string | undefined): Recipient[] {
    const found: Recipient[] = [];
    for (const [shards, byShard] of this.#recipients) {
      const same = byShard.get(shardOf(guild, shards));
      if (same !== undefined) found.push(...same);
    }
    return found;
  }

  #follow(commit: Committed): void {
    if (this.#platform.world.isQuiet) return;
    const fresh: Fresh = new Map();
    for (const dispatch of this.#derivations) {
      if (dispatch.derived === undefined || !commit.touches(...dispatch.tables)) continue;
      try {
        for (const dispatched of dispatch.derived(commit)) this.#send(dispatch, dispatched, fresh);
      } catch (error) {
        this.#failed(dispatch, error);
        this.#lose((listener) => mayWant(dispatch, listener));
      }
    }
  }

  /** Reports a lost event to every recipient that it may have concerned. */
  #lose(isConcerned: (listener: GatewayListener) => boolean): void {
    for (const byShard of this.#recipients.values()) {
      for (const same of byShard.values()) {
        for (const recipient of [...same]) if (isConcerned(recipient.listener)) recipient.lose?.();
      }
    }
  }

  #failed({ event }: Dispatch, error: unknown): void {
    const name = error instanceof Error ? error.name : typeof error;
    this.#platform.log.warn(`the gateway could not send ${event}: ${name}`);
  }
}

/** Whether the intents of a listener include this event, regardless of its content. */
function mayWant({ intents }: Dispatch, listener: GatewayListener): boolean {
  const bits = intentBits(intents);
  return listener.kind === 'bearer' || bits === 0 || (listener.intents & bits) !== 0;
}

/** Returns a filter that selects the audience of an event among the listeners of the shard. */
function audienceFilter(
  { intents: declared }: Dispatch,
  { guild, anyone, intents = declared, canSee }: Dispatched,
  tables: Reading,
): (listener: GatewayListener) => boolean {
  const bits = intentBits(intents);
  /** Results by user, because one account may listen with many shards. */
  const members = new Map<string, boolean>();
  const isMember = (user: string): boolean => {
    if (guild === undefined || anyone) return true;
    const known = members.get(user) ?? isIn(tables, guild, user);
    members.set(user, known);
    return known;
  };
  return (listener) => {
    if (listener.kind === 'bearer') return canSee(listener);
    if (bits !== 0 && (listener.intents & bits) === 0) return false;
    return isMember(listener.user) && canSee(listener);
  };
}
