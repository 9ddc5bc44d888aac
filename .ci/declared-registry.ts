// Types of src/protocol/registry.ts as the package declares them. They are equal to the types in the source
// (test/types/core.ts), but use the client library's types: those of zod's schemas are ten times as long and refer to
// another package.
import type { Commands, Events, Ready as Greeting } from '../src/client/index.ts';

export type CommandName = keyof Commands;
export type EventName = keyof Events;
/** Arguments that may arrive as one string and are a list after validation. */
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
