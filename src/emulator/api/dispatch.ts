import type * as z from 'zod';
import type { ApplicationRecord } from '../applications/records.ts';
import type { RowOf } from '../kernel/state/record.ts';
import type { Kinds } from '../schema.ts';
import type { Base, Committed, Reading } from './world.ts';

/** Groups of events that a session may subscribe to, by bit. Three are privileged: an application must be allowed them. */
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

/** The combined bits of some intents. */
export function intentBits(names: readonly Intent[]): number {
  return names.reduce((bits, name) => bits | INTENTS[name], 0);
}

/** A gateway session, as a dispatch sees it. */
export interface GatewayListener {
  readonly kind: 'bot' | 'bearer';
  readonly application: ApplicationRecord;
  /** Id of the bot's user, or of the user whose token it is. */
  readonly user: string;
  /** Effective scopes of a user's token; empty for bots. */
  readonly scopes: readonly string[];
  /** Bits of {@link INTENTS}. */
  readonly intents: number;
  /** Bits of `capabilities`. */
  readonly capabilities: number;
  readonly shard: readonly [id: number, count: number];
  /** Base address of the API, for files and pictures. */
  readonly base: string;
  /** Number of members from which a guild counts as large: 50 to 250, default 50. */
  readonly largeThreshold?: number;
}

/**
 * One event and its audience. All members are evaluated during the commit, while `commit.was` and the tables are consistent.
 */
export interface Dispatched {
  /** Only the shard of this guild receives it and, of bots, only members of the guild. Without one: shard 0. */
  readonly guild?: string | undefined;
  /**
   * Bots receive it whether or not they are members, for example one that has just left; `canSee` then selects the audience.
   */
  readonly anyone?: true;
  /** Intents that count here instead of all those declared; one of them is enough. Empty: no intent is needed. */
  readonly intents?: readonly Intent[];
  /** Selects the audience among those; required, so that nobody receives an event by omission. */
  readonly canSee: (listener: GatewayListener) => boolean;
  /** Payload for one listener. */
  readonly data: (listener: GatewayListener) => object;
  /** Listeners with the same key share one encoding. Default: one encoding for all. */
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
  /** When it is sent, in one sentence. */
  readonly summary: string;
  /** Intents of which a bot needs one; empty: every bot receives it. A user's session needs none. */
  readonly intents: readonly Intent[];
  /** Tables whose changes it is derived from; empty where it is sent as it happens. */
  readonly tables: readonly (keyof Reading)[];
  /** Shape of the data; the reference is generated from it. */
  readonly shape: Shape;
  /** A decision of ours that no source documents. */
  readonly ours?: string;
  /** Derives the events of a transaction; changes nothing. */
  readonly derive?: (commit: Committed, platform: Needs) => Iterable<Dispatched>;
}

/** An event of the gateway; `Needs` are the services that it is derived with. */
export type Dispatch<Needs = never> = Declaration<Needs, z.ZodType>;

/** Sends events that are no change of the state, such as typing. */
export interface HasGatewayNotifier {
  readonly gateway: { send(dispatch: Dispatch, dispatched: Dispatched): void };
}

/** Declares events of the gateway: name, audience, payload, and the changes of the state that each is derived from. */
export function dispatchesFor<Needs>() {
  return <Shape extends z.ZodType>(declared: Declaration<Needs, Shape>): Dispatch<Needs> => declared;
}

/** Declares an event that needs the state and the clock alone. */
export const defineDispatch = dispatchesFor<Base>();

/** Names and summaries of the events for created, removed and updated rows. */
type RowDispatches = Readonly<
  Record<'created' | 'removed' | 'updated', readonly [event: string, summary: string]>
>;

/** Declares the three events of a table, each with the whole row: its current state or, when removed, its last one. */
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
