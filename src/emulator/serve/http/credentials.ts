import type { IncomingHttpHeaders } from 'node:http';
import { OAuth2Error } from '../../accounts/oauth2/error.ts';
import type { ClientCredentials } from '../../api/caller.ts';

/**
 * Reads the client's credentials: HTTP Basic, or client_id and client_secret in the body. Any other Authorization scheme is
 * ignored, because two widespread libraries send a dummy one here.
 * @throws OAuth2Error `invalid_client`.
 */
export function credentialsOf(headers: IncomingHttpHeaders, body: unknown): ClientCredentials {
  const basic = /^Basic ([A-Za-z0-9+/_=-]+) *$/i.exec(headers.authorization ?? '')?.[1];
  const formId = textOf(body, 'client_id');
  if (basic === undefined) {
    if (formId === undefined) throw new OAuth2Error('invalid_client', 'No client id.');
    return { clientId: formId, clientSecret: textOf(body, 'client_secret') };
  }
  const decoded = Buffer.from(basic, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) throw new OAuth2Error('invalid_client', 'Malformed credentials.');
  // RFC 6749 section 2.3.1: id and secret are each form-encoded before they are joined.
  const clientId = formDecode(decoded.slice(0, colon));
  if (formId !== undefined && formId !== clientId) {
    throw new OAuth2Error('invalid_client', 'Two different client ids.');
  }
  return { clientId, clientSecret: formDecode(decoded.slice(colon + 1)) };
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
  const value = (body as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
