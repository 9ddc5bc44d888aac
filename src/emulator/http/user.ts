import type { IncomingMessage } from 'node:http';
import type { Introspection, OAuth2 } from '../oauth2/oauth2.ts';
import type { User } from '../users/records.ts';
import { plainError, type Reply, unauthorized } from './reply.ts';

type Active = Extract<Introspection, { state: 'active' }>;

function bearer(oauth2: OAuth2, request: IncomingMessage): Active | undefined {
  const token = /^Bearer ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const found = oauth2.introspect(token);
  return found.state === 'active' ? found : undefined;
}

/** ISO 8601 with microseconds and an offset, the form of every timestamp in an answer. */
function timestamp(date: Date): string {
  return date.toISOString().replace('Z', '000+00:00');
}

function userBody(user: User, scopes: readonly string[]): Record<string, unknown> {
  const { id, username, discriminator, global_name, avatar, bot, flags, premium_type, email, locale } = user;
  return {
    id,
    username,
    discriminator,
    global_name,
    avatar,
    ...(bot ? { bot } : {}),
    flags,
    public_flags: flags,
    premium_type,
    locale,
    ...(scopes.includes('email') ? { email, verified: email !== null } : {}),
  };
}

function missingScope(): Reply {
  return plainError(403, 'Missing required OAuth2 scope', 50026);
}

/** GET /oauth2/@me: what the token stands for; the user only with `identify`. */
export function authorizationInfo(oauth2: OAuth2, request: IncomingMessage): Reply {
  const found = bearer(oauth2, request);
  if (found === undefined) return unauthorized();
  const { application, scopes, effectiveScopes, expires, user } = found;
  const { id, name, icon, description } = application;
  return {
    status: 200,
    body: {
      application: { id, name, icon, description },
      scopes,
      expires: timestamp(expires),
      ...(user === null ? {} : { user: userBody(user, effectiveScopes) }),
    },
  };
}

/** GET /users/@me: the user of the token; needs `identify`. */
export function currentUser(oauth2: OAuth2, request: IncomingMessage): Reply {
  const found = bearer(oauth2, request);
  if (found === undefined) return unauthorized();
  if (found.user === null) return missingScope();
  return { status: 200, body: userBody(found.user, found.effectiveScopes) };
}

/** GET /oauth2/userinfo: OpenID Connect claims; needs `openid`, and more claims come with more scopes. */
export function userInfo(oauth2: OAuth2, request: IncomingMessage): Reply {
  const found = bearer(oauth2, request);
  if (found === undefined) return unauthorized();
  if (!found.effectiveScopes.includes('openid')) return missingScope();
  const { user, userId, effectiveScopes } = found;
  const profile =
    user === null
      ? {}
      : {
          preferred_username: user.username,
          nickname: user.global_name ?? user.username,
          locale: user.locale,
          ...(effectiveScopes.includes('email') && user.email !== null
            ? { email: user.email, email_verified: true }
            : {}),
        };
  return { status: 200, body: { sub: userId, ...profile } };
}

/** GET /oauth2/keys: the public keys that id_tokens are signed with. */
export async function signingKeys(oauth2: OAuth2): Promise<Reply> {
  return { status: 200, body: await oauth2.jwks() };
}
