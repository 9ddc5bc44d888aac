import type * as z from 'zod/mini';
import { once, type Refusal } from './command.ts';
import type { ScopeRule } from './scope.ts';

/** One event of the protocol; its export's name is its name on the wire. */
export interface EventDefinition<
  A extends z.ZodMiniType = z.ZodMiniType,
  D extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly scope: ScopeRule;
  /** Arguments of SUBSCRIBE; each one given must equal the event's filter of the same name. */
  readonly args: () => A;
  readonly data: () => D;
  /**
   * `state`: the current value is dispatched once right after SUBSCRIBE's reply, then on each change.
   * `occurrence`: dispatched only when it happens. `unsubscribable`: sent by the session itself.
   */
  readonly kind: 'state' | 'occurrence' | 'unsubscribable';
  /** Present when SUBSCRIBE is refused, because nothing here could ever cause the event. */
  readonly refusal?: Refusal;
}

/** Declares an event; `kind` is `occurrence` unless said otherwise. */
export function defineEvent<A extends z.ZodMiniType, D extends z.ZodMiniType>(
  declaration: Omit<EventDefinition<A, D>, 'kind'> & { readonly kind?: EventDefinition['kind'] },
): EventDefinition<A, D> {
  return { kind: 'occurrence', ...declaration, args: once(declaration.args), data: once(declaration.data) };
}
