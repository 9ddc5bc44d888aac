import type { IncomingMessage } from 'node:http';
import { OAuth2Error } from '../oauth2/error.ts';
import { bodyOf } from './body.ts';

/**
 * Reads a form body: urlencoded, or multipart/form-data, which real clients send as well.
 * @throws BodyTooLarge before more than 64 KiB are held.
 * @throws OAuth2Error `invalid_request` for another content type, a broken body or a repeated parameter.
 */
export async function readForm(request: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  const contentType = request.headers['content-type'] ?? '';
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
  const body = await bodyOf(request);
  let fields: [string, string][] | undefined;
  if (mediaType === 'application/x-www-form-urlencoded') {
    fields = [...new URLSearchParams(body.toString('utf8'))];
  } else if (mediaType === 'multipart/form-data') {
    const { parseMultipart } = await import('./multipart.ts');
    fields = await parseMultipart(body, contentType);
    if (fields === undefined)
      throw new OAuth2Error('invalid_request', 'The multipart body is not well-formed.');
  } else {
    throw new OAuth2Error(
      'invalid_request',
      'The body must be application/x-www-form-urlencoded or multipart/form-data.',
    );
  }
  const form = new Map<string, string>();
  for (const [name, value] of fields) {
    // RFC 6749 section 3.2: parameters must not be repeated.
    if (form.has(name)) throw new OAuth2Error('invalid_request', 'A parameter is repeated.');
    form.set(name, value);
  }
  return form;
}
