import type { EventArgsOf, EventDataOf, EventName } from '../../protocol/registry.ts';

/**
 * Functions that return the current values of state-type events for the arguments of a subscription; a function throws
 * to refuse the subscription.
 */
export type Replays = { readonly [E in EventName]?: (args: EventArgsOf<E>) => readonly EventDataOf<E>[] };
