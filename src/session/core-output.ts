import { printExact } from '../base/exact-json.ts';
import { isLater } from '../base/later.ts';
import type { CoreSession, Ready } from '../core/core.ts';
import { isObject } from '../protocol/json.ts';
import { encodePayload, type Print } from '../protocol/payload.ts';
import { type EventName, findEvent } from '../protocol/registry.ts';
import { maxSentBytes } from '../protocol/sent-size.ts';
import { CloseError, isCloseError } from '../wire/close-error.ts';
import { CloseCode } from '../wire/codes.ts';
import type { EncodedFrame } from '../wire/frame.ts';
import { STREAM_OFFER } from '../wire/streams.ts';

// Functions that validate a client core's results before they reach an app. The core may be third-party code, and may
// relay data of a program at the other end of a socket.

/** Maximum length of the text of a CLOSE. */
const MAX_CLOSE_TEXT = 1000;
const closeCodes: readonly number[] = Object.values(CloseCode);

/** Returns a CloseError that every transport can carry: a WebSocket accepts only certain close codes. */
export function sendable({ code, message, detail }: CloseError): CloseError {
  const text: unknown = message;
  return new CloseError(
    closeCodes.includes(code) ? code : CloseCode.ABNORMAL,
    typeof text === 'string' ? text.slice(0, MAX_CLOSE_TEXT) : '',
    detail === undefined ? {} : { detail },
  );
}

/** An event for one or many sessions, which is encoded once. */
export interface Dispatch {
  readonly evt: EventName;
  readonly frame: EncodedFrame;
}

/**
 * Returns the CloseError for an error of a core's `open`. When the error is no CloseError, the peer receives no details
 * of it.
 */
export function refusalOf(error: unknown): CloseError {
  if (isCloseError(error)) return sendable(error);
  return new CloseError(CloseCode.ABNORMAL, 'The client cannot be reached');
}

/** Closes a core's side of a session. An error of the core goes to `report`, so that it cannot end the process. */
export function closeCore(core: CoreSession, report: (error: unknown) => void): void {
  try {
    const done: unknown = core.close();
    if (isLater(done)) done.then(undefined, report);
  } catch (error) {
    report(error);
  }
}

/** Variant of READY: whether it has the user, and whether the connection is paced until its peer says that it reads streams. */
export interface ReadyOptions {
  readonly withUser: boolean;
  readonly isPaced: boolean;
}

/**
 * Encodes the READY frames of a core's sessions. A READY object that many sessions of a trusted core share is checked
 * and encoded once.
 */
export class ReadyFrames {
  #known: (ReadyOptions & { readonly ready: Ready; readonly frame: EncodedFrame | undefined }) | undefined;

  /**
   * Returns READY as one frame; undefined when it is invalid or too large for apps. READY of a relay is not validated,
   * only its size is checked.
   */
  of(core: CoreSession, options: ReadyOptions): EncodedFrame | undefined {
    const { ready } = core;
    const { withUser, isPaced } = options;
    // A third-party core may change an object after it has returned it, so the frame is not reused.
    if (core.trusted !== true) return encodeReady(ready, options, core.relay !== undefined);
    const known = this.#known;
    if (known?.ready === ready && known.withUser === withUser && known.isPaced === isPaced)
      return known.frame;
    this.#known = { ready, withUser, isPaced, frame: encodeReady(ready, options, false) };
    return this.#known.frame;
  }
}

function encodeReady(
  ready: Ready,
  { withUser, isPaced }: ReadyOptions,
  relayed: boolean,
): EncodedFrame | undefined {
  if (relayed ? !isObject(ready) : !isReady(ready)) return undefined;
  // The chat client behind us may be a bridge that offers streams, too: its offer is not ours.
  const data = { ...ready, ...(withUser ? {} : { user: undefined }), footbridge: undefined };
  return encodeEvent(
    'READY',
    isPaced ? { ...data, ...STREAM_OFFER } : data,
    relayed ? printExact : undefined,
  );
}

/** Validates READY without a schema, because a schema would cost an idle daemon memory. */
function isReady(data: unknown): boolean {
  const { v, config, user } = isObject(data) ? data : {};
  const fields = isObject(config) ? [config.cdn_host, config.api_endpoint, config.environment] : [undefined];
  if (isObject(user)) fields.push(user.id, user.username, user.discriminator);
  return v === 1 && fields.every((field) => typeof field === 'string');
}

/**
 * Returns one DISPATCH frame; undefined when the frame would exceed the size that clients can read. Throws for a value
 * that is not JSON.
 */
export function encodeEvent(evt: string, data: unknown, print?: Print): EncodedFrame | undefined {
  const frame = encodePayload({ cmd: 'DISPATCH', data, evt, nonce: null }, 'own', print);
  return frame.body.byteLength > maxSentBytes(evt) ? undefined : frame;
}

/** Validates an event's data and returns its frame, or the reason why there is none. */
export function checkedEvent(evt: EventName, data: unknown): EncodedFrame | string {
  try {
    const parsed = findEvent(evt)?.data().safeParse(data);
    if (!parsed?.success) return parsed ? 'its data has the wrong shape' : 'there is no such event';
    return encodeEvent(evt, parsed.data) ?? 'it is too large for a frame';
  } catch {
    return 'its data is no JSON';
  }
}
