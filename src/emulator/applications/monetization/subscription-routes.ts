import * as z from 'zod';
import { ApiError, notFound, requiredField } from '../../api/api-error.ts';
import type { BotCaller, TokenCaller } from '../../api/caller.ts';
import { queryInteger, snowflake } from '../../api/fields.ts';
import { bearer, bot, defineOperation, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { subscriptionAnswer } from './answers.ts';
import { subscriptionShape } from './shapes.ts';

/** Checks that the caller's application sells a SKU. @throws ApiError 10027 otherwise. */
function checkSku({ skus }: Reading, caller: BotCaller | TokenCaller, skuId: string): void {
  const application = caller.kind === 'bot' ? caller.application.id : caller.clientId;
  if (skus.get(skuId)?.application !== application) throw new ApiError('UnknownSKU');
}

/**
 * The user whose subscriptions are requested. A user's token has access only to that user's subscriptions. @throws
 * ApiError 50001 for those of another user.
 */
function userOf(caller: BotCaller | TokenCaller, userId: string | undefined): string | undefined {
  if (caller.kind === 'bot') return userId;
  if (userId !== undefined && userId !== caller.userId) throw new ApiError('MissingAccess');
  return caller.userId;
}

/** The routes of subscriptions. */
export const subscriptionOperations = [
  defineOperation({
    id: 'get_sku_subscriptions',
    summary: 'The subscriptions of a user to a SKU, in pages by id.',
    route: 'GET /skus/{sku_id}/subscriptions',
    who: [bot, bearer()],
    query: z.object({
      before: z.optional(snowflake()),
      after: z.optional(snowflake()),
      limit: z.optional(queryInteger(1, 100)),
      user_id: z.optional(snowflake()),
    }),
    answers: { 200: z.array(subscriptionShape) },
    handle: ({ caller, params, query }, { world }) => {
      checkSku(world.tables, caller, params.sku_id);
      const { before, after, limit = 50 } = query;
      const user = userOf(caller, query.user_id);
      if (user === undefined) throw requiredField('user_id');
      const found = [...world.tables.subscriptions.by('skus', params.sku_id)].filter(
        (one) =>
          one.user === user &&
          (before === undefined || BigInt(one.id) < BigInt(before)) &&
          (after === undefined || BigInt(one.id) > BigInt(after)),
      );
      const isLast = before !== undefined && after === undefined;
      return ok((isLast ? found.slice(-limit) : found.slice(0, limit)).map(subscriptionAnswer));
    },
  }),
  defineOperation({
    id: 'get_sku_subscription',
    summary: 'A subscription to a SKU.',
    route: 'GET /skus/{sku_id}/subscriptions/{subscription_id}',
    who: [bot, bearer()],
    query: z.object({ user_id: z.optional(snowflake()) }),
    answers: { 200: subscriptionShape },
    ours: 'An unknown subscription has no code of its own.',
    handle: ({ caller, params, query }, { world }) => {
      checkSku(world.tables, caller, params.sku_id);
      const user = userOf(caller, query.user_id);
      const found = world.tables.subscriptions.get(params.subscription_id);
      const isTheirs = user === undefined || found?.user === user;
      if (!found?.skus.includes(params.sku_id) || !isTheirs) throw notFound('Unknown Subscription');
      return ok(subscriptionAnswer(found));
    },
  }),
];
