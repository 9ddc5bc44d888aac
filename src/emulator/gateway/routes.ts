import * as z from 'zod';
import { ok } from '../api/reply.ts';
import { anybody, bot, defineOperation } from '../operation.ts';

/** Where the gateway will be: beside the API, as `ws:`. */
function gatewayUrl(base: string): string {
  return `${base.replace(/^http/, 'ws').replace(/\/api$/, '')}/gateway`;
}

/** The routes that tell where the gateway is. */
export const gatewayOperations = [
  defineOperation({
    id: 'get_gateway',
    summary: 'Address of the gateway.',
    method: 'GET',
    path: '/gateway',
    who: [anybody],
    answers: { 200: z.object({ url: z.string() }) },
    handle: ({ base }) => ok({ url: gatewayUrl(base) }),
  }),
  defineOperation({
    id: 'get_bot_gateway',
    summary: 'Address of the gateway, with how many sessions a bot may start.',
    method: 'GET',
    path: '/gateway/bot',
    who: [bot],
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
    ours: 'Starts of sessions are not counted: `remaining` stays what `total` is.',
    handle: ({ base, caller }) =>
      ok({
        url: gatewayUrl(base),
        shards: caller.application.max_concurrency,
        session_start_limit: {
          total: 1000,
          remaining: 1000,
          reset_after: 0,
          max_concurrency: caller.application.max_concurrency,
        },
      }),
  }),
];
