import { OAuth2Error, WithdrawnError } from '../../../emulator/accounts/oauth2/error.ts';
import type { Introspection } from '../../../emulator/api/caller.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import { expandScopes } from '../../../protocol/scope.ts';
import type { CoreHandlers, Peer } from '../../core.ts';
import { entranceText } from '../../entrance-text.ts';
import { rpcUser } from '../user/shapes.ts';

/** Token of a session after AUTHENTICATE. */
export interface HeldToken {
  readonly userId: string;
  /** Family of the token, by which a `tokens-revoked` signal may name it. */
  readonly family: string;
  /** Hash of the token, by which a `tokens-revoked` signal may name it as well. */
  readonly hash: string;
  readonly scopes: readonly string[];
  /** Time of expiry (ms since the Unix epoch). */
  readonly expires: number;
}

/**
 * Handlers of AUTHORIZE and AUTHENTICATE for one session; `authorized` is called before the answer with a code, and
 * `hold` receives the token that AUTHENTICATE accepted.
 */
export function authorizationHandlers(
  emulator: Emulator,
  peer: Peer,
  {
    describeProgram,
    authorized,
    hold,
  }: {
    readonly describeProgram: (pid: number) => string | undefined;
    readonly authorized: () => void;
    readonly hold: (token: HeldToken) => void;
  },
): Pick<CoreHandlers, 'AUTHORIZE' | 'AUTHENTICATE'> {
  const requester = () => {
    const pid = peer.credentials?.pid;
    const program = pid === undefined ? undefined : describeProgram(pid);
    const entrance = peer.entrance && entranceText(peer.entrance);
    return { pid, program, sessionId: peer.sessionId, transport: transportClass(peer), entrance };
  };
  return {
    async AUTHORIZE(args, { signal }) {
      if (args.redirect_uri) {
        throw new RpcError(
          ErrorCode.OAUTH2_ERROR,
          'invalid_request: redirect_uri has no meaning here; leave it out',
        );
      }
      const { code, state } = await asRpcError(
        emulator.oauth2.authorize({
          clientId: peer.clientId,
          scopes: withIdentify(args.scopes ?? args.scope ?? []),
          codeChallenge: args.code_challenge ?? undefined,
          codeChallengeMethod: args.code_challenge_method ?? undefined,
          state: args.state ?? undefined,
          nonce: args.nonce ?? undefined,
          integrationType: args.integration_type,
          guildId: args.guild_id,
          permissions: args.permissions,
          prompt: args.prompt,
          rpcToken: args.rpc_token ?? undefined,
          peer: requester(),
          signal,
        }),
      );
      authorized();
      return state === undefined ? { code } : { code, state };
    },

    async AUTHENTICATE({ access_token }, call) {
      const { signal } = call;
      // For an app that sends no token, the client obtains one (protocol 5.3).
      const token =
        access_token ||
        (await asRpcError(
          emulator.oauth2.identifyToken({ clientId: peer.clientId, peer: requester(), signal }),
        ));
      if (signal.aborted) throw invalidToken('the app has left');
      let found = checkToken(emulator, peer, token);
      if (found.deputy !== undefined) {
        call.waitsForConsent();
        await asRpcError(emulator.oauth2.confirm(token, { peer: requester(), signal }));
        if (signal.aborted) throw invalidToken('the app has left');
        // While the user decided, the token may have expired, or another user may have logged in.
        found = checkToken(emulator, peer, token);
      }
      const { userId, family, hash, effectiveScopes: scopes, expires } = found;
      hold({ userId, family, hash, scopes, expires: expires.getTime() });
      const { id, name, description, icon, rpc_origins } = found.application;
      const premium = scopes.includes('identify.premium');
      return {
        application: { id, name, description, icon, rpc_origins: [...rpc_origins] },
        user: { ...rpcUser(found.user, premium), public_flags: found.user.flags },
        scopes: [...found.scopes],
        expires: expires.toISOString(),
        access_token: token,
      };
    },
  };
}

/**
 * Returns user and grant of a token that is valid for this app and the logged-in user. @throws RpcError 4007 or 4009.
 */
function checkToken(emulator: Emulator, peer: Peer, token: string): Authenticated {
  const found = emulator.oauth2.introspect(token);
  if (found.state === 'invalid') throw invalidToken(`the access token is ${found.reason}`);
  if (found.clientId !== peer.clientId) {
    throw new RpcError(ErrorCode.INVALID_CLIENT_ID, 'access_token: belongs to another application');
  }
  const { user } = found;
  if (found.userId !== emulator.me().id) throw invalidToken('the access token belongs to another user');
  // Without `identify` the token names no user, so it cannot be compared with the logged-in user (protocol 5.3).
  if (user === null) throw invalidToken('the access token lacks the scope identify');
  return { ...found, user };
}

type Active = Extract<Introspection, { readonly state: 'active' }>;
type Authenticated = Active & { readonly user: NonNullable<Active['user']> };

/** Adds `identify`, which an authorization over RPC always grants: apps rely on it (protocol 5.3). */
function withIdentify(requested: readonly string[]): readonly string[] {
  return requested.length === 0 || expandScopes(requested).includes('identify')
    ? requested
    : [...requested, 'identify'];
}

/** Turns a refusal of the authorization server into ERROR 5000, and an abort before the answer into 1000. */
async function asRpcError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WithdrawnError) {
      throw new RpcError(ErrorCode.UNKNOWN_ERROR, error.description, { cause: error });
    }
    if (error instanceof OAuth2Error) {
      throw new RpcError(ErrorCode.OAUTH2_ERROR, error.message, { cause: error });
    }
    throw error;
  }
}

function invalidToken(message: string): RpcError {
  return new RpcError(ErrorCode.INVALID_TOKEN, message);
}

/**
 * Part of a grant's key: consent for a local app is not consent for a web page of the same application, nor for a
 * sandbox, in which any program can use the application's id.
 */
function transportClass(peer: Peer): string {
  if (peer.entrance !== undefined) return `${peer.transport} ${entranceText(peer.entrance)}`;
  return peer.origin === undefined ? peer.transport : `${peer.transport} ${peer.origin}`;
}
