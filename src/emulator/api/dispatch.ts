import type * as z from 'zod';
import type { ApplicationRecord } from '../applications/records.ts';
import type { RowOf } from '../kernel/state/record.ts';
import type { Kinds } from '../schema.ts';
import type { Base, Committed, Reading } from './world.ts';

/**
 * Groups of events that a session may subscribe to, by bit. Three groups are privileged: the application needs
 * permission for them.
 */
export const INTENTS = {
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_MODERATION: 1 << 2,
  GUILD_EXPRESSIONS: 1 << 3,
  GUILD_INTEGRATIONS: 1 << 4,
  GUILD_WEBHOOKS: 1 << 5,
  GUILD_INVITES: 1 << 6,
  GUILD_VOICE_STATES: 1 << 7,
  GUILD_PRESENCES: 1 << 8,
  GUILD_MESSAGES: 1 << 9,
  GUILD_MESSAGE_REACTIONS: 1 << 10,
  GUILD_MESSAGE_TYPING: 1 << 11,
  DIRECT_MESSAGES: 1 << 12,
  DIRECT_MESSAGE_REACTIONS: 1 << 13,
  DIRECT_MESSAGE_TYPING: 1 << 14,
  MESSAGE_CONTENT: 1 << 15,
  GUILD_SCHEDULED_EVENTS: 1 << 16,
  AUTO_MODERATION_CONFIGURATION: 1 << 20,
  AUTO_MODERATION_EXECUTION: 1 << 21,
  GUILD_MESSAGE_POLLS: 1 << 24,
  DIRECT_MESSAGE_POLLS: 1 << 25,
} as const;

/** Name of an intent. */
export type Intent = keyof typeof INTENTS;

/** The bits of several intents, combined. */
export function intentBits(names: readonly Intent[]): number {
  return names.reduce((bits, name) => bits | INTENTS[name], 0);
}

/** The properties of a gateway session that decide which events it receives. */
export interface GatewayListener {
  readonly kind: 'bot' | 'bearer';
  readonly application: ApplicationRecord;
  /** Id of the bot's user, or of the user that the token belongs to. */
  readonly user: string;
  /** Effective scopes of a user's token; empty for bots. */
  readonly scopes: readonly string[];
  /** Bits of {@link INTENTS}. */
  readonly intents: number;
  /** Bits of `capabilities`. */
  readonly capabilities: number;
  readonly shard: readonly [id: number, count: number];
  /** Base address of the API, from which the URLs of files and pictures are built. */
  readonly base: string;
  /** Number of members from which a guild counts as large: 50 to 250, default 50. */
  readonly largeThreshold?: number;
}

/**
 * One event and its audience. All members must be evaluated during the commit, while `commit.was` and the tables are
 * consistent.
 */
export interface Dispatched {
  /**
   * Restricts the audience to the shard of this guild, and among bots to members of the guild. Without a guild, shard 0
   * receives the event.
   */
  readonly guild?: string | undefined;
  /**
   * True if bots receive the event even if they are not members, such as a bot that has just left. `canSee` then
   * selects the audience.
   */
  readonly anyone?: true;
  /**
   * Intents that replace the declared intents for this event; a bot needs one of them. With an empty list it needs
   * none.
   */
  readonly intents?: readonly Intent[];
  /** Selects the audience among those; required, so that nobody receives an event by omission. */
  readonly canSee: (listener: GatewayListener) => boolean;
  /** Payload for one listener. */
  readonly data: (listener: GatewayListener) => object;
  /**
   * Key of the payload's encoding: listeners with the same key share one encoding. Default: one encoding for all
   * listeners.
   */
  readonly sameFor?: (listener: GatewayListener) => string;
}

/** Audience of an event that every bot of the shard receives, and no user's session. */
export function everyBot({ kind }: GatewayListener): boolean {
  return kind === 'bot';
}

/** Declaration of a gateway event. */
interface Declaration<Needs, Shape extends z.ZodType> {
  /** Name on the wire. */
  readonly event: string;
  /** When the event is sent, in one sentence. */
  readonly summary: string;
  /**
   * Intents of which a bot needs one; with an empty list, every bot receives the event. A user's session needs none.
   */
  readonly intents: readonly Intent[];
  /** Tables whose changes the event is derived from; empty for an event that is sent directly. */
  readonly tables: readonly (keyof Reading)[];
  /** Shape of the event's data. The reference documentation is generated from it. */
  readonly shape: Shape;
  /** Explains a decision of Footbridge that no source documents. */
  readonly ours?: string;
  /** Derives the events of a committed transaction. The function changes nothing. */
  readonly derive?: (commit: Committed, platform: Needs) => Iterable<Dispatched>;
}

/** An event of the gateway; `Needs` are the services that its `derive` uses. */
export type Dispatch<Needs = never> = Declaration<Needs, z.ZodType>;

/** Sends events that do not come from a change of the state, such as typing. */
export interface HasGatewayNotifier {
  readonly gateway: { send(dispatch: Dispatch, dispatched: Dispatched): void };
}

/** Declares events of the gateway: name, audience, payload, and the tables whose changes each event is derived from. */
export function dispatchesFor<Needs>() {
  return <Shape extends z.ZodType>(declared: Declaration<Needs, Shape>): Dispatch<Needs> => declared;
}

/** Declares an event that needs only the state and the clock. */
export const defineDispatch = dispatchesFor<Base>();

/** For each of the three events (row created, removed, updated): the event's name and its summary. */
type RowDispatches = Readonly<
  Record<'created' | 'removed' | 'updated', readonly [event: string, summary: string]>
>;

/**
 * Declares the three events of a table. Each contains the whole row: the current one or, for a removal, the last one.
 */
export function defineRowDispatches<Name extends keyof Kinds>(
  declared: Pick<Dispatch, 'intents' | 'shape'> & {
    readonly table: Name;
    readonly events: RowDispatches;
    readonly derive: (commit: Committed, platform: Base, row: RowOf<Kinds[Name]>) => readonly Dispatched[];
  },
): readonly Dispatch<Base>[] {
  const { table, events, derive, ...rest } = declared;
  return (['created', 'removed', 'updated'] as const).map((kind) => {
    const [event, summary] = events[kind];
    return defineDispatch({
      ...rest,
      event,
      summary,
      tables: [table],
      derive: (commit, platform) => {
        const changes = commit.of(table);
        const rows = kind === 'updated' ? changes.updated.map(({ after }) => after) : changes[kind];
        return rows.flatMap((row) => derive(commit, platform, row));
      },
    });
  });
}
