import * as z from 'zod';
import { once } from '../../base/once.ts';
import { defineCommand } from '../command.ts';
import { ErrorCode } from '../error-code.ts';
import { RpcError } from '../errors.ts';
import { open } from '../scope.ts';
import { snowflake, user } from '../shapes/common.ts';

const scopeList = () =>
  z.union([
    z.array(z.string().check(z.maxLength(128))).check(z.maxLength(64)),
    z.pipe(
      z.string().check(z.maxLength(4096)),
      z.transform((text) => text.split(' ').filter(Boolean)),
    ),
  ]);

/** Asks the user to let this app act for them; answered after the user's decision. */
export const AUTHORIZE = defineCommand({
  scope: open,
  errors: [4002, 4007, 5000],
  args: () =>
    z.object({
      client_id: z.optional(z.string().check(z.maxLength(128))),
      scopes: z.optional(scopeList()),
      scope: z.optional(scopeList()),
      response_type: z.optional(z.string().check(z.maxLength(128))),
      redirect_uri: z.nullish(z.string().check(z.maxLength(2048))),
      code_challenge: z.nullish(z.string().check(z.maxLength(128))),
      code_challenge_method: z.nullish(z.string().check(z.maxLength(128))),
      state: z.nullish(z.string().check(z.maxLength(1024))),
      nonce: z.nullish(z.string().check(z.maxLength(1024))),
      prompt: z.optional(z.enum(['consent', 'none'])),
      permissions: z.optional(z.union([z.string().check(z.maxLength(128)), z.int()])),
      guild_id: z.optional(snowflake()),
      channel_id: z.optional(snowflake()),
      disable_guild_select: z.optional(z.boolean()),
      integration_type: z.optional(z.literal([0, 1])),
      pid: z.optional(z.int().check(z.gte(0))),
      rpc_token: z.nullish(z.string().check(z.maxLength(4096))),
      username: z.nullish(z.string().check(z.maxLength(128))),
    }),
  // `state` repeats the value of the request, if the request had one (RFC 6749, 4.1.2).
  result: () => z.looseObject({ code: z.string(), state: z.optional(z.string()) }),
  async handle(call, args) {
    if (!args.client_id) {
      throw new RpcError(ErrorCode.INVALID_CLIENT_ID, 'client_id: the id of the application is required');
    }
    if (args.client_id !== call.clientId) {
      throw new RpcError(ErrorCode.INVALID_CLIENT_ID, "client_id: is not this connection's application");
    }
    if (args.response_type !== undefined && args.response_type !== 'code') {
      throw new RpcError(ErrorCode.INVALID_COMMAND, 'response_type: only "code" is supported');
    }
    const result = await call.exclusively('authorizing', async () => call.forward(args));
    return result as { code: string };
  },
});

const authenticated = once(() =>
  z.looseObject({
    application: z.looseObject({ id: z.string(), name: z.string() }),
    user: z.optional(user().partial().catchall(z.unknown())),
    scopes: z.array(z.string()),
    expires: z.string(),
    access_token: z.string(),
  }),
);

/**
 * Presents an access token; on success, the session has the token's scopes. Over IPC, the token may be omitted: the
 * client then obtains one with the scope `identify`, and asks the user unless they have allowed the app before. The
 * client also asks the user about a token that was issued without the user.
 */
export const AUTHENTICATE = defineCommand({
  scope: open,
  errors: [4002, 4007, 4009, 5000],
  args: () => z.object({ access_token: z.nullish(z.string().check(z.maxLength(4096))) }),
  result: authenticated,
  async handle(call, args) {
    if (!args.access_token && call.transport !== 'ipc') throw tokenMissing();
    return call.exclusively('authenticating', async () => {
      const result = (await call.forward(args)) as z.output<ReturnType<typeof authenticated>>;
      const token = args.access_token || result.access_token;
      if (!token) throw tokenMissing();
      return { ...result, scopes: [...call.authenticated({ token, scopes: result.scopes })] };
    });
  },
});

function tokenMissing(): RpcError {
  return new RpcError(ErrorCode.INVALID_TOKEN, 'access_token: is required; AUTHORIZE gives a code for one');
}
