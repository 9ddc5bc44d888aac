// The types of src/protocol/registry.ts as the package declares them. They are the same (test/types/core.ts), in terms
// of the client library's: zod's types of the schemas are ten times as long, and name another package.
import type { Commands, Events, Ready as Greeting } from '../src/client/index.ts';

export type CommandName = keyof Commands;
export type EventName = keyof Events;
/** A list may arrive as one string, and is a list after validation. */
interface Lists {
  readonly scopes?: readonly string[];
  readonly scope?: readonly string[];
}
/** A command's arguments after validation. */
export type ArgsOf<C extends CommandName> = C extends 'AUTHORIZE'
  ? Omit<Commands[C]['args'], keyof Lists> & Lists
  : Commands[C]['args'];
/** Output of a core, which may have undocumented members. */
type Open<T> = T extends readonly (infer Item)[]
  ? readonly Open<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : OpenObject<T>
    : T;
type OpenObject<T> = Known<T> | (Known<T> & { readonly [more: string]: unknown });
type Known<T> = {
  readonly [K in keyof T]: Open<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never);
};
/** Results that a core may return for a command. */
export type ResultOf<C extends CommandName> = Open<Commands[C]['result']>;
/** An event's `data`. */
export type EventDataOf<E extends EventName> = Open<Events[E]['data']>;
/** `data` of READY, before validation. */
export type ReadyData = Open<Greeting>;
