import * as z from 'zod';
import { anybody, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import { gatewayUrl } from './address.ts';
import type { HasGateway } from './gateway.ts';

const defineOperation = operationsFor<Base & HasGateway>();

/** The routes that return the address of the gateway. */
export const gatewayOperations = [
  defineOperation({
    id: 'get_gateway',
    summary: 'Address of the gateway.',
    route: 'GET /gateway',
    who: [anybody],
    answers: { 200: z.object({ url: z.string() }) },
    handle: ({ base }) => ok({ url: gatewayUrl(base) }),
  }),
  defineOperation({
    id: 'get_bot_gateway',
    summary: 'Address of the gateway, with how many sessions a bot may start.',
    route: 'GET /gateway/bot',
    answers: {
      200: z.object({
        url: z.string(),
        shards: z.int(),
        session_start_limit: z.object({
          total: z.int(),
          remaining: z.int(),
          reset_after: z.int(),
          max_concurrency: z.int(),
        }),
      }),
    },
    ours: 'Sessions may start as often and as fast as they like unless `rate_limits` is "enforced"; they are counted all the same.',
    handle: ({ base, caller: { application } }, { gateway }) =>
      ok({
        url: gatewayUrl(base),
        shards: application.max_concurrency,
        session_start_limit: gateway.starts.limitOf(application.id, application.max_concurrency),
      }),
  }),
];
