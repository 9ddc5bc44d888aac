import type * as z from 'zod';
import type { ApplicationRecord } from '../applications/records.ts';
import type { RowOf } from '../kernel/state/record.ts';
import type { Kinds } from '../schema.ts';
import type { Base, Committed, Reading } from './world.ts';

/** What a session may ask to be told, by bit. Three are privileged: an application has to be allowed them. */
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

/** The bits of these intents together. */
export function intentBits(names: readonly Intent[]): number {
  return names.reduce((bits, name) => bits | INTENTS[name], 0);
}

/** Who listens at the gateway, as a dispatch sees them. */
export interface GatewayListener {
  readonly kind: 'bot' | 'bearer';
  readonly application: ApplicationRecord;
  /** Id of the bot's user, or of the person. */
  readonly user: string;
  /** Of a person's token, expanded; none of bots. */
  readonly scopes: readonly string[];
  /** Bits of {@link INTENTS}. */
  readonly intents: number;
  /** Bits of `capabilities`. */
  readonly capabilities: number;
  readonly shard: readonly [id: number, count: number];
  /** Base address of the API, for files and pictures. */
  readonly base: string;
  /** From how many members on a guild is large to it: 50 to 250, 50 unless it says so. */
  readonly largeThreshold?: number;
}

/**
 * One event, and who is told of it. All of it is asked at once, while the transaction is fresh: what `commit.was` says and
 * the tables still fit together.
 */
export interface Dispatched {
  /** The shard of this guild is told and, of bots, only its members are. Without one: shard 0. */
  readonly guild?: string | undefined;
  /** Bots are told whether or not they are members of the guild, such as one that has just left. Then `sees` says who. */
  readonly anyone?: true;
  /** The intents that count here, of which one is enough, in place of all that are declared. None: everybody. */
  readonly intents?: readonly Intent[];
  /** Who of those is told. Default: every bot, and no person. */
  readonly sees?: (listener: GatewayListener) => boolean;
  /** What they are told. */
  readonly data: (listener: GatewayListener) => object;
  /** Listeners with the same word are told the same text, made once. Default: all the same. */
  readonly sameFor?: (listener: GatewayListener) => string;
}

/** How an event of the gateway is declared. */
interface Declaration<Needs, Shape extends z.ZodType> {
  /** The name on the wire. */
  readonly event: string;
  /** When it is told, in one sentence. */
  readonly summary: string;
  /** One of these is enough for a bot; none: every bot. A person's session is told without. */
  readonly intents: readonly Intent[];
  /** It is derived only from transactions that changed one of these; none where it is told as it happens. */
  readonly tables: readonly (keyof Reading)[];
  /** Shape of the data: the reference is made from it. */
  readonly shape: Shape;
  /** What no source says about it, and we decided. */
  readonly ours?: string;
  /** What a transaction is told as; changes nothing. */
  readonly derive?: (commit: Committed, platform: Needs) => Iterable<Dispatched>;
}

/** An event of the gateway; `Needs` is what it is derived with. */
export type Dispatch<Needs = never> = Declaration<Needs, z.ZodType>;

/** Tells those who may know of what is no change of the state, such as somebody typing. */
export interface TellsGateway {
  readonly gateway: { tell(dispatch: Dispatch, dispatched: Dispatched): void };
}

/** Declares events of the gateway: name, who may be told, what is said, and from which changes of the state each follows. */
export function dispatchesFor<Needs>() {
  return <Shape extends z.ZodType>(declared: Declaration<Needs, Shape>): Dispatch<Needs> => declared;
}

/** Declares an event that needs the state and the clock alone. */
export const defineDispatch = dispatchesFor<Base>();

/** Names and summaries of the events that tell rows as they come, go and change. */
type RowDispatches = Readonly<
  Record<'created' | 'removed' | 'updated', readonly [event: string, summary: string]>
>;

/** Declares the three events of a kind of rows, each row told whole: as it is or, gone, as it was. */
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
