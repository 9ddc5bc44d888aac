import type { Signal } from '../../emulator/api/signals.ts';
import type { Committed, Reading } from '../../emulator/api/world.ts';
import type { EventDataOf, EventName } from '../../protocol/registry.ts';
import type { EventTarget } from '../core.ts';
import type { Shared } from './app-session.ts';
import type { Subscribers } from './subscribers.ts';

/** One event for apps. Its data is made only where an app is subscribed; undefined data sends nothing. */
export type Outgoing<Event extends EventName = EventName> = {
  readonly [Name in Event]: {
    readonly event: Name;
    readonly data: () => EventDataOf<Name> | undefined;
    /** Default: every app that is subscribed. */
    readonly to?: EventTarget;
  };
}[Event];

/** What events are derived with. */
export interface FeedContext extends Shared {
  readonly subscribers: Pick<Subscribers, 'has' | 'of' | 'naming'>;
}

/** How events that follow from commits are declared; several in one place where the order among them counts. */
export interface CommitEvents<Event extends EventName = EventName> {
  /** Nothing is derived while no app is subscribed to one of these. */
  readonly events: readonly Event[];
  /** Nothing is derived from a commit that changed none of these. */
  readonly tables: readonly (keyof Reading)[];
  /** Changes nothing. */
  readonly derive: (commit: Committed, context: FeedContext) => Iterable<Outgoing<NoInfer<Event>>>;
}

/** How events that follow from a signal are declared. */
export interface SignalEvents<
  Type extends Signal['type'] = Signal['type'],
  Event extends EventName = EventName,
> {
  readonly signal: Type;
  readonly events: readonly Event[];
  readonly derive: (
    signal: Extract<Signal, { readonly type: Type }>,
    context: FeedContext,
  ) => Iterable<Outgoing<NoInfer<Event>>>;
}

/** Declares events of RPC that follow from what commits make different. */
export function defineCommitEvents<Event extends EventName>(declared: CommitEvents<Event>): CommitEvents {
  return declared as unknown as CommitEvents;
}

/** Declares events of RPC that follow from what is no change of the state. */
export function defineSignalEvents<Type extends Signal['type'], Event extends EventName>(
  declared: SignalEvents<Type, Event>,
): SignalEvents {
  return declared as unknown as SignalEvents;
}
