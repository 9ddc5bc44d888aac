import { CloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import { type EncodedFrame, encodeFrame } from '../wire/frame.ts';
import { type Envelope, findEnvelope } from './envelope.ts';
import { ErrorCode } from './error-code.ts';
import { RpcError } from './errors.ts';
import { hasMoreValues, isObject, parseCounted, type Reading } from './json.ts';

/** Maximum length of a nonce, in UTF-16 units; clients use up to 36, or decimal times of 38. */
const MAX_NONCE_LENGTH = 1024;
const MAX_ECHOED_NAME = 128;
/** A core may pass on an error text of any length; the answer must still fit a frame. */
const MAX_MESSAGE_LENGTH = 1000;

/**
 * Values that one request may have, several times the count of the largest documented one: each costs time before
 * it is refused.
 */
const MAX_VALUES = 4096;

/** A request as it came in; only its envelope is checked. */
export interface Request {
  readonly cmd: string;
  /** A missing or null `args` is `{}`: several clients leave it out. */
  readonly args: unknown;
  readonly evt: string | undefined;
  readonly nonce: string;
}

/** The readable parts of a request whose envelope is wrong: enough to answer it. */
export interface RejectedRequest {
  readonly cmd: string | null;
  readonly nonce: string | null;
  readonly error: RpcError;
}

/** Outgoing envelope: always all four keys, because several clients index them unconditionally. */
export interface Payload {
  readonly cmd: string | null;
  readonly data: unknown;
  readonly evt: string | null;
  readonly nonce: string | null;
}

/**
 * Reads the envelope of a FRAME body. Throws {@link CloseError} 1003 when there is no object to answer
 * to; returns a {@link RejectedRequest} when there is one but `nonce`, `cmd` or `evt` is wrong, or the whole too large.
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

/** One FRAME with the four keys in their customary order; `memory` as {@link encodeFrame} has it. */
export function encodePayload(
  payload: Payload,
  memory: 'own' | 'brief' = 'own',
  print: Print = JSON.stringify,
): EncodedFrame {
  const { cmd, data, evt, nonce } = payload;
  return encodeFrame(Opcode.FRAME, print({ cmd, data: data ?? null, evt, nonce }), memory);
}

/** The same for a reply whose data is JSON already. */
export function encodeReplyText({ cmd, nonce }: Request, data: string): EncodedFrame {
  const text = `{"cmd":${JSON.stringify(cmd)},"data":${data},"evt":null,"nonce":${JSON.stringify(nonce)}}`;
  return encodeFrame(Opcode.FRAME, text, 'brief');
}

/** The ERROR answer to a request. */
export function errorPayload(cmd: string | null, nonce: string | null, error: RpcError): Payload {
  const message = error.message.slice(0, MAX_MESSAGE_LENGTH);
  return { cmd, data: { code: error.code, message }, evt: 'ERROR', nonce };
}
