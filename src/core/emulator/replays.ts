import type { EventArgsOf, EventDataOf, EventName } from '../../protocol/registry.ts';

/**
 * Current values of state-type events, for the arguments of a subscription; throws where it refuses the subscription.
 */
export type Replays = { readonly [E in EventName]?: (args: EventArgsOf<E>) => readonly EventDataOf<E>[] };
