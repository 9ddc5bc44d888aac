import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { OAuth2Error } from '../../accounts/oauth2/error.ts';
import type { Reply } from '../../api/operation.ts';

/** The reply to an OAuth2 error. RFC 6749 section 5.2 requires 401 when client authentication fails. */
export function oauth2Refusal({ error, description }: OAuth2Error, headers: IncomingHttpHeaders): Reply {
  switch (error) {
    case 'invalid_client': {
      const isChallenged = headers.authorization?.toLowerCase().startsWith('basic ') === true;
      return {
        status: 401,
        body: { error },
        ...(isChallenged ? { headers: { 'WWW-Authenticate': 'Basic realm="oauth2"' } } : {}),
      };
    }
    case 'temporarily_unavailable':
      return { status: 503, body: { error, error_description: description } };
    case 'access_denied':
    case 'authorization_pending':
    case 'expired_token':
    case 'slow_down':
    case 'invalid_grant':
    case 'invalid_request':
    case 'invalid_scope':
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      return { status: 400, body: { error, error_description: description } };
  }
}

/** Parses a value by its schema. @throws OAuth2Error `invalid_request` that names the first missing or invalid field. */
export function readOAuth2<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? '');
  if (name === '') throw new OAuth2Error('invalid_request', 'The body is not an object of fields.');
  const fieldValue = Object.hasOwn(Object(value), name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
  const isMissing = fieldValue === undefined || fieldValue === '';
  throw new OAuth2Error('invalid_request', `${isMissing ? 'Missing' : 'Invalid'} "${name}" in request.`);
}
