import type * as z from 'zod';
import { once } from '../base/once.ts';
import type { Refusal } from './command.ts';
import type { ScopeRule, Thing } from './scope.ts';

/** One event of the protocol. The name of its export is its name in the protocol. */
export interface EventDefinition<A extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  readonly scope: ScopeRule;
  /**
   * User data that the event gives access to, if a scope of a token grants this access. The sentences of those scopes
   * must mention this data.
   */
  readonly about?: readonly Thing[];
  /** Arguments of SUBSCRIBE. Each argument that is present must equal the event's filter of the same name. */
  readonly args: () => A;
  readonly data: () => D;
  /**
   * `state`: the current value is dispatched once right after SUBSCRIBE's reply, and then on each change. `occurrence`:
   * the event is dispatched only when it happens. `unsubscribable`: the session itself sends the event.
   */
  readonly kind: 'state' | 'occurrence' | 'unsubscribable';
  /** Present when SUBSCRIBE is refused, because the bridge can never cause the event. */
  readonly refusal?: Refusal;
}

/** Declares an event; `kind` defaults to `occurrence`. */
export function defineEvent<A extends z.ZodType, D extends z.ZodType>(
  declaration: Omit<EventDefinition<A, D>, 'kind'> & { readonly kind?: EventDefinition['kind'] },
): EventDefinition<A, D> {
  return { kind: 'occurrence', ...declaration, args: once(declaration.args), data: once(declaration.data) };
}
