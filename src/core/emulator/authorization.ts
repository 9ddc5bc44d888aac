import type { Emulator } from '../../emulator/emulator.ts';
import { OAuth2Error } from '../../emulator/oauth2/error.ts';
import { RpcError } from '../../protocol/errors.ts';
import { ErrorCode } from '../../wire/codes.ts';
import type { CoreHandlers, Peer } from '../core.ts';
import { rpcUser } from './shapes.ts';

/** What one session holds after AUTHENTICATE. */
export interface HeldToken {
  /** Names the token in `tokens-revoked`; not the token itself. */
  readonly tokenId: string;
  readonly scopes: readonly string[];
}

/** AUTHORIZE and AUTHENTICATE of one session; `hold` is told what AUTHENTICATE established. */
export function authorizationHandlers(
  emulator: Emulator,
  peer: Peer,
  describeProgram: (pid: number) => string | undefined,
  hold: (token: HeldToken) => void,
): Pick<CoreHandlers, 'AUTHORIZE' | 'AUTHENTICATE'> {
  return {
    async AUTHORIZE(args, { signal }) {
      if (args.redirect_uri) {
        throw new RpcError(
          ErrorCode.OAUTH2_ERROR,
          'invalid_request: redirect_uri has no meaning here; leave it out',
        );
      }
      const pid = peer.credentials?.pid;
      const program = pid === undefined ? undefined : describeProgram(pid);
      try {
        const { code, state } = await emulator.oauth2.authorize({
          clientId: peer.clientId,
          scopes: args.scopes ?? args.scope ?? [],
          codeChallenge: args.code_challenge ?? undefined,
          codeChallengeMethod: args.code_challenge_method ?? undefined,
          state: args.state ?? undefined,
          nonce: args.nonce ?? undefined,
          integrationType: args.integration_type,
          prompt: args.prompt,
          peer: { pid, program, sessionId: peer.sessionId, transport: transportClass(peer) },
          signal,
        });
        return state === undefined ? { code } : { code, state };
      } catch (error) {
        if (error instanceof OAuth2Error)
          throw new RpcError(ErrorCode.OAUTH2_ERROR, error.message, { cause: error });
        throw error;
      }
    },

    AUTHENTICATE(args) {
      const token = args.access_token ?? '';
      const found = emulator.oauth2.introspect(token);
      if (found.state === 'invalid') throw invalidToken(`the access token is ${found.reason}`);
      if (found.clientId !== peer.clientId) {
        throw new RpcError(ErrorCode.INVALID_CLIENT_ID, 'access_token: belongs to another application');
      }
      if (found.userId !== emulator.me().id) throw invalidToken('the access token belongs to another user');
      // Without `identify` the token names no user, so nobody can say that it is this one (protocol 5.3).
      if (found.user === null) throw invalidToken('the access token lacks the scope identify');
      hold({ tokenId: found.tokenId, scopes: found.effectiveScopes });
      const { id, name, description, icon, rpc_origins } = found.application;
      const premium = found.effectiveScopes.includes('identify.premium');
      return {
        application: { id, name, description, icon, rpc_origins: [...rpc_origins] },
        user: { ...rpcUser(found.user, premium), public_flags: found.user.flags },
        scopes: [...found.scopes],
        expires: found.expires.toISOString(),
        access_token: token,
      };
    },
  };
}

function invalidToken(message: string): RpcError {
  return new RpcError(ErrorCode.INVALID_TOKEN, message);
}

/** Part of a grant's key: consent given to a local app says nothing about a web page of the same application. */
function transportClass(peer: Peer): string {
  return peer.origin === undefined ? peer.transport : `${peer.transport} ${peer.origin}`;
}
