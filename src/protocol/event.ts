import type * as z from 'zod';
import { once, type Refusal } from './command.ts';
import type { ScopeRule, Thing } from './scope.ts';

/** One event of the protocol; its export's name is its name on the wire. */
export interface EventDefinition<A extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  readonly scope: ScopeRule;
  /** User data it opens, where a scope of a token opens it; the sentences of those scopes name them. */
  readonly about?: readonly Thing[];
  /** Arguments of SUBSCRIBE; each one present must equal the event's filter of the same name. */
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

/** Declares an event; `kind` defaults to `occurrence`. */
export function defineEvent<A extends z.ZodType, D extends z.ZodType>(
  declaration: Omit<EventDefinition<A, D>, 'kind'> & { readonly kind?: EventDefinition['kind'] },
): EventDefinition<A, D> {
  return { kind: 'occurrence', ...declaration, args: once(declaration.args), data: once(declaration.data) };
}
