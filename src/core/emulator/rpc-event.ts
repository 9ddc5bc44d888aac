import type { Signal } from '../../emulator/api/signals.ts';
import type { Committed, Reading } from '../../emulator/api/world.ts';
import type { EventDataOf, EventName } from '../../protocol/registry.ts';
import type { EventTarget } from '../core.ts';
import type { Shared } from './app-session.ts';
import type { Subscribers } from './subscribers.ts';

/** RPC event. Its data is built only where an app is subscribed; if the data is undefined, nothing is sent. */
export type Outgoing<Event extends EventName = EventName> = {
  readonly [Name in Event]: {
    readonly event: Name;
    readonly data: () => EventDataOf<Name> | undefined;
    /** Apps that get the event. Default: every subscribed app. */
    readonly to?: EventTarget;
  };
}[Event];

/** Services for deriving events. */
export interface FeedContext extends Shared {
  readonly subscribers: Pick<Subscribers, 'has' | 'of' | 'naming'>;
}

/** Declaration of events that follow from commits; one declaration has several events where their order matters. */
export interface CommitEvents<Event extends EventName = EventName> {
  /** Events that `derive` returns. The declaration is skipped while no app is subscribed to any of them. */
  readonly events: readonly Event[];
  /** Tables that the events depend on. The declaration is skipped for commits that changed none of them. */
  readonly tables: readonly (keyof Reading)[];
  /** Derives the events; changes no state. */
  readonly derive: (commit: Committed, context: FeedContext) => Iterable<Outgoing<NoInfer<Event>>>;
}

/** Declaration of events that follow from a signal. */
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

/** Declares RPC events that follow from state changes. */
export function defineCommitEvents<Event extends EventName>(declared: CommitEvents<Event>): CommitEvents {
  return declared as unknown as CommitEvents;
}

/** Declares RPC events that follow from signals, which change no state. */
export function defineSignalEvents<Type extends Signal['type'], Event extends EventName>(
  declared: SignalEvents<Type, Event>,
): SignalEvents {
  return declared as unknown as SignalEvents;
}
