import type { EventArgsOf, EventDataOf, EventName } from '../../protocol/registry.ts';

/** The current values of state-type events, each for the arguments of its subscription; throws where there is nothing to subscribe to. */
export type Replays = { readonly [E in EventName]?: (args: EventArgsOf<E>) => readonly EventDataOf<E>[] };
