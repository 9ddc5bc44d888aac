// The types of src/protocol/registry.ts as the package declares them. They are the same (test/types/core.ts), said with
// those of the client library: what zod makes of the schemas is ten times as long, and names another package.
import type { Commands, Events, Ready as Greeting } from '../src/client/index.ts';

export type CommandName = keyof Commands;
export type EventName = keyof Events;
/** A list may come as one string, and is a list once it is checked. */
interface Lists {
  readonly scopes?: readonly string[];
  readonly scope?: readonly string[];
}
/** A command's arguments after validation. */
export type ArgsOf<C extends CommandName> = C extends 'AUTHORIZE'
  ? Omit<Commands[C]['args'], keyof Lists> & Lists
  : Commands[C]['args'];
/** What goes out may hold more than is documented. */
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
/** What a core may answer to a command. */
export type ResultOf<C extends CommandName> = Open<Commands[C]['result']>;
/** An event's `data`. */
export type EventDataOf<E extends EventName> = Open<Events[E]['data']>;
/** `data` of READY, before it is checked. */
export type ReadyData = Open<Greeting>;
