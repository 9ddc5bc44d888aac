import type { IncomingMessage } from 'node:http';
import { readBody } from '../../loopback/body.ts';
import { OAuth2Error } from '../oauth2/error.ts';

/** Largest request body in bytes. */
const largestBody = 65_536;

/** A body that is larger than the limit; the connection is closed after the answer. */
export class BodyTooLarge extends Error {}

/** Reads a whole body. @throws BodyTooLarge before more than 64 KiB are held, OAuth2Error when the peer leaves. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request, largestBody);
  if (body === 'too-large') throw new BodyTooLarge();
  if (body === 'gone') throw new OAuth2Error('invalid_request', 'The body is incomplete.');
  return body;
}

/**
 * Reads a JSON object, whatever the content type says: several programs send it as text/plain, as `fetch` does by itself.
 * @throws BodyTooLarge, or OAuth2Error `invalid_request` for anything else.
 */
export async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const text = (await bodyOf(request)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OAuth2Error('invalid_request', 'The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OAuth2Error('invalid_request', 'The body is not a JSON object.');
  }
  return value as Readonly<Record<string, unknown>>;
}
