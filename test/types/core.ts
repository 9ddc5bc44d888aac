// Checked by the compiler alone: the published types of a core say the same as the schemas.

import type * as z from 'zod';
import type * as published from '../../.ci/declared-registry.ts';
import { defineOperation } from '../../src/core/entry.ts';
import type {
  ArgsOf,
  CommandName,
  EventDataOf,
  EventName,
  ReadyData,
  ResultOf,
} from '../../src/protocol/registry.ts';

function holds<_T extends true>(): void {}

/** What comes as JSON is never undefined, whatever a schema's type says. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<Exclude<T[K], undefined>> } : T;
type Fits<A, B> = [A] extends [B] ? true : false;
/** Names for which the one does not fit the other. */
type Misfits<Names extends string, A, B> = {
  [N in Names]: N extends keyof A & keyof B ? (Fits<A[N], B[N]> extends true ? never : N) : N;
}[Names];

/** The session answers these itself. */
type Own = 'SUBSCRIBE' | 'UNSUBSCRIBE';
type Asked = Exclude<CommandName, Own>;
type Told = published.EventName;

type Args = { [C in Asked]: Frozen<ArgsOf<C>> };
type PublishedArgs = { [C in Asked]: Frozen<published.ArgsOf<C>> };
type Results = { [C in Asked]: Frozen<ResultOf<C>> };
type PublishedResults = { [C in Asked]: Frozen<published.ResultOf<C>> };
type Data = { [E in Told]: Frozen<EventDataOf<E>> };
type PublishedData = { [E in Told]: Frozen<published.EventDataOf<E>> };
type None<T> = Fits<T, never>;

/** Never called. */
export function coreTypes(schema: z.ZodObject<{ id: z.ZodString }>): void {
  holds<None<Exclude<Asked, published.CommandName>>>();
  holds<None<Exclude<published.CommandName, Asked>>>();
  holds<None<Exclude<Told, EventName>>>();
  holds<None<Misfits<Asked, Args, PublishedArgs>>>();
  holds<None<Misfits<Asked, PublishedArgs, Args>>>();
  holds<None<Misfits<Asked, Results, PublishedResults>>>();
  holds<None<Misfits<Asked, PublishedResults, Results>>>();
  holds<None<Misfits<Told, Data, PublishedData>>>();
  holds<None<Misfits<Told, PublishedData, Data>>>();
  holds<Fits<Frozen<ReadyData>, Frozen<published.ReadyData>>>();
  holds<Fits<Frozen<published.ReadyData>, Frozen<ReadyData>>>();
  defineOperation({
    summary: 'An operation with a schema of zod',
    args: () => schema,
    run: ({ id }) => id.length,
  });
  defineOperation({
    summary: 'One that asks for what its schema does not give',
    args: () => schema,
    // @ts-expect-error there is no name
    run: ({ name }) => name,
  });
}
