import * as z from 'zod';
import { ErrorCode } from '../../wire/codes.ts';
import { defineCommand, once } from '../command.ts';
import { RpcError } from '../errors.ts';
import { open } from '../scope.ts';
import { snowflake, user } from '../shapes/common.ts';

const scopeList = () =>
  z.union([z.array(z.string()).max(64), z.string().transform((text) => text.split(' ').filter(Boolean))]);

/** Asks the user to let this app act for them; answered once the user has decided. */
export const AUTHORIZE = defineCommand({
  scope: open,
  errors: [4002, 4007, 5000],
  args: () =>
    z.object({
      client_id: z.string().optional(),
      scopes: scopeList().optional(),
      scope: scopeList().optional(),
      response_type: z.string().optional(),
      redirect_uri: z.string().nullish(),
      code_challenge: z.string().max(128).nullish(),
      code_challenge_method: z.string().nullish(),
      state: z.string().max(1024).nullish(),
      nonce: z.string().max(1024).nullish(),
      prompt: z.enum(['consent', 'none']).optional(),
      permissions: z.union([z.string(), z.int()]).optional(),
      guild_id: snowflake().optional(),
      channel_id: snowflake().optional(),
      disable_guild_select: z.boolean().optional(),
      integration_type: z.literal([0, 1]).optional(),
      pid: z.int().min(0).optional(),
      rpc_token: z.string().nullish(),
      username: z.string().nullish(),
    }),
  result: () => z.looseObject({ code: z.string() }),
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
    const result = await call.exclusively('authorizing', () => call.forward(args));
    return result as { code: string };
  },
});

const authenticated = once(() =>
  z.looseObject({
    application: z.looseObject({ id: z.string(), name: z.string() }),
    user: user().partial().loose().optional(),
    scopes: z.array(z.string()),
    expires: z.string(),
    access_token: z.string(),
  }),
);

/** Presents an access token; on success the session holds the token's scopes. */
export const AUTHENTICATE = defineCommand({
  scope: open,
  errors: [4002, 4007, 4009],
  args: () => z.object({ access_token: z.string().max(4096).nullish() }),
  result: authenticated,
  async handle(call, args) {
    const token = args.access_token;
    // A token without a recorded decision of the user does not exist: no implicit grant here.
    if (!token)
      throw new RpcError(
        ErrorCode.INVALID_TOKEN,
        'access_token: is required; AUTHORIZE gives a code for one',
      );
    return call.exclusively('authenticating', async () => {
      const result = (await call.forward(args)) as z.output<ReturnType<typeof authenticated>>;
      call.authenticated({ token, scopes: result.scopes });
      return result;
    });
  },
});
