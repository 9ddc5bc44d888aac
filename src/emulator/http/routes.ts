import type { IncomingMessage } from 'node:http';
import type { OAuth2 } from '../oauth2/oauth2.ts';
import { notFound, plainError, type Reply } from './reply.ts';
import { overlayToken, revoke, token } from './token.ts';
import { authorizationInfo, currentUser, signingKeys, userInfo } from './user.ts';

interface Route {
  readonly method: 'GET' | 'POST';
  readonly handle: (oauth2: OAuth2, request: IncomingMessage, issuer: string) => Reply | Promise<Reply>;
}

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/oauth2/token', { method: 'POST', handle: token }],
  ['/oauth2/token/revoke', { method: 'POST', handle: revoke }],
  ['/oauth2/@me', { method: 'GET', handle: authorizationInfo }],
  ['/oauth2/keys', { method: 'GET', handle: signingKeys }],
  ['/oauth2/userinfo', { method: 'GET', handle: userInfo }],
  ['/users/@me', { method: 'GET', handle: currentUser }],
]);

/** Beside `/api`, where the overlay's web site has it. */
const overlay: Route = { method: 'POST', handle: overlayToken };

/** The route of a path below `/api`, with or without a version from v6 to v10: all are answered alike. */
function routeOf(path: string): Route | undefined {
  if (path === '/overlay/token') return overlay;
  const [, rest] = /^\/api(?:\/v(?:6|7|8|9|10))?(\/[a-z0-9@/]+)$/.exec(path) ?? [];
  return rest === undefined ? undefined : routes.get(rest);
}

/** Answers one request. `issuer` is the base address of the endpoint, for the id_token. */
export async function route(oauth2: OAuth2, request: IncomingMessage, issuer: string): Promise<Reply> {
  const path = (request.url ?? '').split('?')[0]?.replaceAll('%40', '@') ?? '';
  const found = routeOf(path);
  if (found === undefined) return notFound();
  if (request.method !== found.method) {
    return { ...plainError(405, '405: Method Not Allowed'), headers: { Allow: found.method } };
  }
  return found.handle(oauth2, request, issuer);
}
