import type { IncomingMessage } from 'node:http';
import { OAuth2Error } from '../oauth2/error.ts';
import type { ClientCredentials, OAuth2 } from '../oauth2/oauth2.ts';
import { readJson } from './body.ts';
import { readForm } from './form.ts';
import { oauthError, type Reply } from './reply.ts';

type Form = ReadonlyMap<string, string>;

function required(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined || value === '') {
    throw new OAuth2Error('invalid_request', `Missing "${name}" in request.`);
  }
  return value;
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * Reads the client's credentials: HTTP Basic, or client_id and client_secret in the form. Any other
 * Authorization scheme is ignored, because two widespread libraries send a dummy one here.
 * @throws OAuth2Error `invalid_client`.
 */
function credentialsOf(request: IncomingMessage, form: Form): ClientCredentials {
  const basic = /^Basic ([A-Za-z0-9+/_=-]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const formId = form.get('client_id');
  if (basic === undefined) {
    if (formId === undefined) throw new OAuth2Error('invalid_client', 'No client id.');
    return { clientId: formId, clientSecret: form.get('client_secret') };
  }
  const decoded = Buffer.from(basic, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) throw new OAuth2Error('invalid_client', 'Malformed credentials.');
  // RFC 6749 section 2.3.1: both halves are form-encoded before they are joined.
  const clientId = formDecode(decoded.slice(0, colon));
  if (formId !== undefined && formId !== clientId) {
    throw new OAuth2Error('invalid_client', 'Two different client ids.');
  }
  return { clientId, clientSecret: formDecode(decoded.slice(colon + 1)) };
}

async function grant(oauth2: OAuth2, request: IncomingMessage, form: Form, issuer: string): Promise<unknown> {
  const grantType = required(form, 'grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuth2Error(
      'unsupported_grant_type',
      'Only authorization_code and refresh_token are supported.',
    );
  }
  const client = credentialsOf(request, form);
  return grantType === 'authorization_code'
    ? oauth2.exchangeCode(client, {
        code: required(form, 'code'),
        redirectUri: form.get('redirect_uri'),
        codeVerifier: form.get('code_verifier'),
        issuer,
      })
    : oauth2.refresh(client, { refreshToken: required(form, 'refresh_token') });
}

/** Turns a refusal into its answer; RFC 6749 section 5.2 asks for 401 when the client is not who it says. */
function refuse(error: unknown, request: IncomingMessage): Reply {
  if (!(error instanceof OAuth2Error)) throw error;
  switch (error.error) {
    case 'invalid_client': {
      const challenged = request.headers.authorization?.toLowerCase().startsWith('basic ') === true;
      return {
        ...oauthError(401, error.error),
        ...(challenged ? { headers: { 'WWW-Authenticate': 'Basic realm="oauth2"' } } : {}),
      };
    }
    case 'temporarily_unavailable':
      return oauthError(503, error.error, error.description);
    case 'access_denied':
    case 'invalid_grant':
    case 'invalid_request':
    case 'invalid_scope':
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      return oauthError(400, error.error, error.description);
  }
}

/** POST /oauth2/token. `issuer` is the base address of this endpoint. */
export async function token(oauth2: OAuth2, request: IncomingMessage, issuer: string): Promise<Reply> {
  try {
    return { status: 200, body: await grant(oauth2, request, await readForm(request), issuer) };
  } catch (error) {
    return refuse(error, request);
  }
}

/** POST /overlay/token: `{code}` of the stream-kit overlay for `{access_token}`, as that overlay's web site answers. */
export async function overlayToken(oauth2: OAuth2, request: IncomingMessage, issuer: string): Promise<Reply> {
  try {
    const { code } = await readJson(request);
    if (typeof code !== 'string' || code === '') {
      throw new OAuth2Error('invalid_request', 'Missing "code" in request.');
    }
    return { status: 200, body: await oauth2.exchangeOverlayCode({ code, issuer }) };
  } catch (error) {
    return refuse(error, request);
  }
}

/** POST /oauth2/token/revoke: 200 with an empty object, whether the token was alive or not (RFC 7009). */
export async function revoke(oauth2: OAuth2, request: IncomingMessage): Promise<Reply> {
  try {
    const form = await readForm(request);
    await oauth2.revoke(credentialsOf(request, form), required(form, 'token'));
    return { status: 200, body: {} };
  } catch (error) {
    return refuse(error, request);
  }
}
