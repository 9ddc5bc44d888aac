import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { readBody } from '../../../loopback/body.ts';
import { OAuth2Error } from '../../accounts/oauth2/error.ts';
import { ApiError, invalidField, invalidForm } from '../../api/api-error.ts';
import type { UploadedFile } from '../../api/file.ts';
import type { Body, BodyKind, Operation } from '../../api/operation.ts';
import { readJson } from '../../api/read-json.ts';
import { BodyTooLarge, MultipartError } from './body-fault.ts';
import { formOf, PAYLOAD_FIELD, pairsOf, textsOf } from './texts.ts';
import type { Held } from './upload-room.ts';

/** Default maximum size of a body in bytes. */
const MAX_BODY_BYTES = 65_536;

/** The body of a request. */
export interface ReadBody {
  readonly value: unknown;
  readonly files: readonly UploadedFile[];
}

/** How an operation reads its body. */
interface Reading {
  readonly declared: Body;
  readonly errors: Operation['errors'];
  /** Memory for files. */
  readonly held: Held;
}

/**
 * Parses a body according to its content type, if the operation accepts that type. A form of OAuth 2.0 becomes an object of
 * texts, any other form is converted by the schema.
 * @throws BodyTooLarge before more than the limit is in memory, OAuth2Error or ApiError for an invalid body.
 */
export async function bodyOf(
  request: IncomingMessage,
  { declared, errors, held }: Reading,
): Promise<ReadBody> {
  const broken = errors === 'oauth2' ? brokenOAuth2 : brokenForm;
  const contentType = request.headers['content-type'] ?? '';
  const kind = kindOf(contentType, declared.kinds);
  if (kind === 'multipart') return multipart(request, contentType, { declared, errors, held });
  const bytes = await readBody(request, declared.maxBytes ?? MAX_BODY_BYTES);
  if (bytes === 'too-large') throw new BodyTooLarge();
  if (bytes === 'gone') throw broken('The body is incomplete.');
  if (bytes.length === 0 && isLeftOut(request, kind)) return { value: {}, files: [] };
  switch (kind) {
    case 'json':
      return { value: json(bytes, declared.schema, errors), files: [] };
    case 'form':
      return { value: formValue(pairsOf(bytes.toString('utf8')), declared.schema, errors), files: [] };
    case undefined:
      throw broken(`The body must be ${declared.kinds.map((one) => MEDIA_TYPES[one]).join(' or ')}.`);
  }
}

/**
 * Whether an empty body counts as an empty object. A request that declares an accepted type, such as JSON, may omit its
 * body only with PUT or DELETE. Other declared types do not matter, because libraries declare them even without a body.
 */
function isLeftOut({ method, headers }: IncomingMessage, kind: BodyKind | undefined): boolean {
  if (kind === undefined || (headers['content-type'] ?? '') === '') return true;
  return method === 'PUT' || method === 'DELETE';
}

const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  any: 'application/json',
} as const satisfies Record<BodyKind, string>;

function kindOf(contentType: string, kinds: readonly BodyKind[]): Exclude<BodyKind, 'any'> | undefined {
  // Several programs send JSON as text/plain, which is the default of `fetch` for text.
  if (kinds.includes('any')) return 'json';
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
  if (mediaType === '' && kinds.includes('json')) return 'json';
  return kinds.find((one): one is Exclude<BodyKind, 'any'> => MEDIA_TYPES[one] === mediaType);
}

async function multipart(
  request: IncomingMessage,
  contentType: string,
  { declared: { files: allowed, maxBytes = MAX_BODY_BYTES, schema }, errors, held }: Reading,
): Promise<ReadBody> {
  const limit = allowed?.request ?? maxBytes;
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    request.resume();
    throw new BodyTooLarge();
  }
  const { readMultipart } = await import('./multipart.ts');
  const read = readMultipart(request, contentType, {
    maxBytes: limit,
    field: maxBytes,
    files: allowed,
    held,
  });
  const { fields: pairs, files } = await read.catch((error: unknown) => {
    if (!(error instanceof MultipartError)) throw error;
    throw errors === 'oauth2' ? brokenOAuth2(error.message) : brokenForm(error.message);
  });
  return { value: formValue(pairs, schema, errors), files };
}

/** Fields of a form, in order. */
type Pairs = readonly (readonly [name: string, value: string])[];

/** The value of a form in either encoding. pycord sends `payload_json` in a URL-encoded form, too. */
function formValue(pairs: Pairs, schema: z.ZodType, errors: Operation['errors']): unknown {
  if (errors === 'oauth2') return fields(pairs);
  const payload = pairs.find(([name, text]) => name === PAYLOAD_FIELD && text !== '');
  return payload === undefined ? formOf(schema, textsOf(pairs)) : payloadOf(payload[1], pairs, schema);
}

function payloadOf(text: string, pairs: Pairs, schema: z.ZodType): unknown {
  const filled = pairs.filter(([, value]) => value !== '');
  const others = filled.filter(([name]) => name !== PAYLOAD_FIELD);
  if (others.length > 0 || filled.length > 1) {
    throw invalidForm(
      (others[0] === undefined ? [[PAYLOAD_FIELD]] : others).map(([name = '']) => ({
        path: [name.slice(0, 64)],
        code: 'BASE_TYPE_UNKNOWN_KEY',
        message: `Only files may stand beside ${PAYLOAD_FIELD}.`,
      })),
    );
  }
  try {
    return readJson(text, schema);
  } catch {
    throw new ApiError('RequestBodyContainsInvalidJSON');
  }
}

function brokenOAuth2(why: string): OAuth2Error {
  return new OAuth2Error('invalid_request', why);
}

function brokenForm(why: string): ApiError {
  return invalidField([], 'BASE_TYPE_INVALID', why);
}

function json(bytes: Buffer, schema: z.ZodType, errors: Operation['errors']): unknown {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), schema);
  } catch {
    throw errors === 'oauth2'
      ? brokenOAuth2('The body is not JSON.')
      : new ApiError('RequestBodyContainsInvalidJSON');
  }
}

function fields(pairs: Pairs): unknown {
  const texts = textsOf(pairs);
  // RFC 6749 section 3.2: parameters must not be repeated.
  if (texts.size < pairs.length) throw brokenOAuth2('A parameter is repeated.');
  // RFC 6749 section 3.2: a parameter without a value counts as omitted.
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
