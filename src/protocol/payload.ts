import { CloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import { type EncodedFrame, encodeFrame } from '../wire/frame.ts';
import { type Envelope, findEnvelope } from './envelope.ts';
import { ErrorCode } from './error-code.ts';
import { RpcError } from './errors.ts';
import { hasMoreValues, isObject, parseCounted, type Reading } from './json.ts';

/**
 * Maximum length of a nonce, and of a name that an error repeats (UTF-16 units). Clients use nonces of up to 36 units,
 * or decimal times of 38.
 */
const MAX_NONCE_LENGTH = 1024;
const MAX_ECHOED_NAME = 128;
/**
 * Maximum length of an error message (UTF-16 units). A core may pass on a text of any length, but the answer must fit
 * into a frame.
 */
const MAX_MESSAGE_LENGTH = 1000;

/**
 * Maximum number of values in a request, several times as many as in the largest documented request. Each value costs
 * time before a request can be refused.
 */
const MAX_VALUES = 4096;

/** A request as received; only its envelope was checked. */
export interface Request {
  readonly cmd: string;
  /** Arguments; a missing or null `args` becomes `{}`, because several clients omit it. */
  readonly args: unknown;
  readonly evt: string | undefined;
  readonly nonce: string;
}

/** The readable parts of a request with an invalid envelope, which are sufficient to answer it. */
export interface RejectedRequest {
  readonly cmd: string | null;
  readonly nonce: string | null;
  readonly error: RpcError;
}

/**
 * Envelope of an outgoing payload. It always has all four keys, because several clients access them unconditionally.
 */
export interface Payload {
  readonly cmd: string | null;
  readonly data: unknown;
  readonly evt: string | null;
  readonly nonce: string | null;
}

/**
 * Reads the envelope of a FRAME body. Throws {@link CloseError} 1003 when the body contains no object that could be
 * answered. Returns a {@link RejectedRequest} when `nonce`, `cmd` or `evt` is invalid, or the request has too many
 * values.
 */
export function readRequest(body: Uint8Array, reading?: Reading): Request | RejectedRequest {
  if (hasMoreValues(body, MAX_VALUES)) {
    const message = `args: at most ${MAX_VALUES} values are allowed`;
    return rejected(findEnvelope(body), ErrorCode.INVALID_PAYLOAD, message);
  }
  const value = parseCounted(body, reading);
  if (!isObject(value)) throw new CloseError(CloseCode.UNSUPPORTED, 'A payload must be a JSON object');
  const cmd = typeof value.cmd === 'string' ? value.cmd : null;
  const nonce = typeof value.nonce === 'string' && value.nonce !== '' ? value.nonce : null;
  const reject = (code: ErrorCode, message: string): RejectedRequest =>
    rejected({ cmd, nonce }, code, message);
  if (nonce === null) return reject(ErrorCode.INVALID_PAYLOAD, 'nonce: a non-empty string is required');
  if (nonce.length > MAX_NONCE_LENGTH) {
    return reject(ErrorCode.INVALID_PAYLOAD, `nonce: at most ${MAX_NONCE_LENGTH} characters are allowed`);
  }
  if (cmd === null) return reject(ErrorCode.INVALID_PAYLOAD, 'cmd: a string is required');
  if (cmd.length > MAX_ECHOED_NAME) return reject(ErrorCode.INVALID_COMMAND, 'Unknown command');
  const { evt } = value;
  if (evt !== undefined && evt !== null && (typeof evt !== 'string' || evt.length > MAX_ECHOED_NAME)) {
    return reject(ErrorCode.INVALID_EVENT, 'evt: the name of an event is required');
  }
  return { cmd, args: value.args ?? {}, evt: typeof evt === 'string' ? evt : undefined, nonce };
}

function rejected({ cmd, nonce }: Envelope, code: ErrorCode, message: string): RejectedRequest {
  return {
    cmd: cmd === null ? null : cmd.slice(0, MAX_ECHOED_NAME),
    nonce: nonce === null || nonce === '' || nonce.length > MAX_NONCE_LENGTH ? null : nonce,
    error: new RpcError(code, message),
  };
}

/** Prints a value as JSON. */
export type Print = (value: unknown) => string;

/** Encodes a FRAME with the four keys in their customary order; `memory` is the same as for {@link encodeFrame}. */
export function encodePayload(
  payload: Payload,
  memory: 'own' | 'brief' = 'own',
  print: Print = JSON.stringify,
): EncodedFrame {
  const { cmd, data, evt, nonce } = payload;
  return encodeFrame(Opcode.FRAME, print({ cmd, data: data ?? null, evt, nonce }), memory);
}

/** Encodes a reply whose data is already JSON text. */
export function encodeReplyText({ cmd, nonce }: Request, data: string): EncodedFrame {
  const text = `{"cmd":${JSON.stringify(cmd)},"data":${data},"evt":null,"nonce":${JSON.stringify(nonce)}}`;
  return encodeFrame(Opcode.FRAME, text, 'brief');
}

/** The ERROR answer to a request. */
export function errorPayload(cmd: string | null, nonce: string | null, error: RpcError): Payload {
  const message = error.message.slice(0, MAX_MESSAGE_LENGTH);
  return { cmd, data: { code: error.code, message }, evt: 'ERROR', nonce };
}
