import * as z from 'zod';
import { findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));

/** What a person can do to subscriptions. Users are given by id or name, all else by id. */
export function storeOperations({ store: { subscriptions }, tables }: Emulator): {
  readonly [name: string]: AdminOperation;
} {
  return {
    'subscription.start': defineOperation({
      summary: 'Have a user subscribe to something that an application sells, for themselves or for a guild',
      args: () => z.object({ user: name(), sku: name(), guild: z.optional(name()) }),
      run: ({ user, sku, guild }) => subscriptions.start(findPerson(tables, user).id, sku, guild ?? null),
    }),
    'subscription.set': defineOperation({
      summary: 'Give a subscription another status, whichever it has',
      args: () => z.object({ id: name(), status: z.enum(['active', 'ending', 'inactive']) }),
      run: ({ id, status }) => subscriptions.set(id, status),
    }),
    'subscription.renew': defineOperation({
      summary: 'Have a subscription paid for another period',
      args: () => z.object({ id: name() }),
      run: ({ id }) => subscriptions.renew(id),
    }),
    'subscription.refund': defineOperation({
      summary: 'Pay a subscription back: it is inactive, and what came with it is taken back',
      args: () => z.object({ id: name() }),
      run: ({ id }) => subscriptions.refund(id),
    }),
  };
}
