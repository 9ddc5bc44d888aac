import type { IncomingMessage } from 'node:http';
import { readBody } from '../../loopback/body.ts';
import { type ApiError, invalidForm } from '../api/api-error.ts';
import { OAuth2Error } from '../oauth2/error.ts';
import type { BodyKind, Operation } from '../operation.ts';

/** Largest body in bytes, unless the operation says otherwise. */
const LARGEST = 65_536;

/** A body that is larger than the limit; the connection is closed after the answer. */
export class BodyTooLarge extends Error {}

/**
 * Reads a body as its content type says, when the operation takes that kind. A form becomes an object of texts.
 * @throws BodyTooLarge before more than the limit is held, OAuth2Error or ApiError for one that is broken.
 */
export async function bodyOf(
  request: IncomingMessage,
  { body: declared, errors }: Pick<Operation, 'body' | 'errors'>,
): Promise<unknown> {
  if (declared === undefined) return undefined;
  const bytes = await readBody(request, declared.most ?? LARGEST);
  if (bytes === 'too-large') throw new BodyTooLarge();
  const broken = errors === 'oauth2' ? brokenOAuth2 : brokenForm;
  if (bytes === 'gone') throw broken('The body is incomplete.');
  const contentType = request.headers['content-type'] ?? '';
  const kind = kindOf(contentType, declared.kinds);
  switch (kind) {
    case 'json':
      // A request without one is an empty object.
      return bytes.length === 0 && contentType === '' ? {} : json(bytes, broken);
    case 'form':
      return fields([...new URLSearchParams(bytes.toString('utf8'))], broken);
    case 'multipart': {
      const { parseMultipart } = await import('./multipart.ts');
      const found = await parseMultipart(bytes, contentType);
      if (found === undefined) throw broken('The multipart body is not well-formed.');
      return fields(found, broken);
    }
    case undefined:
      throw broken(`The body must be ${declared.kinds.map((one) => MEDIA_TYPES[one]).join(' or ')}.`);
  }
}

const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  any: 'application/json',
} as const satisfies Record<BodyKind, string>;

function kindOf(contentType: string, kinds: readonly BodyKind[]): Exclude<BodyKind, 'any'> | undefined {
  // Several programs send JSON as text/plain, as `fetch` does by itself.
  if (kinds.includes('any')) return 'json';
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
  if (mediaType === '' && kinds.includes('json')) return 'json';
  return kinds.find((one): one is Exclude<BodyKind, 'any'> => MEDIA_TYPES[one] === mediaType);
}

type Broken = (why: string) => Error;

function brokenOAuth2(why: string): OAuth2Error {
  return new OAuth2Error('invalid_request', why);
}

function brokenForm(why: string): ApiError {
  return invalidForm([{ path: [], code: 'BASE_TYPE_INVALID', message: why }]);
}

function json(bytes: Buffer, broken: Broken): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw broken('The body is not JSON.');
  }
  return value;
}

function fields(pairs: readonly (readonly [name: string, value: string])[], broken: Broken): unknown {
  const form = new Map<string, string>();
  for (const [name, value] of pairs) {
    // RFC 6749 section 3.2: parameters must not be repeated.
    if (form.has(name)) throw broken('A parameter is repeated.');
    form.set(name, value);
  }
  return Object.fromEntries(form);
}
