import { printExact } from '../base/exact-json.ts';
import type { CoreSession, Ready } from '../core/core.ts';
import { isObject } from '../protocol/json.ts';
import { encodePayload, type Print } from '../protocol/payload.ts';
import { type EventName, findEvent } from '../protocol/registry.ts';
import { maxSentBytes } from '../protocol/sent-size.ts';
import { CloseError, isCloseError } from '../wire/close-error.ts';
import { CloseCode } from '../wire/codes.ts';
import type { EncodedFrame } from '../wire/frame.ts';
import { isLater } from './circuit-breaker.ts';

// Validates a client core's results before they reach an app: the core may be third-party code, and may relay data of a
// program at the far end of a socket.

/** Maximum length of the text of a CLOSE. */
const MAX_CLOSE_TEXT = 1000;
const closeCodes: readonly number[] = Object.values(CloseCode);

/** A CloseError that every transport can carry: WebSockets cannot be closed with just any number. */
export function sendable({ code, message, detail }: CloseError): CloseError {
  const text: unknown = message;
  return new CloseError(
    closeCodes.includes(code) ? code : CloseCode.ABNORMAL,
    typeof text === 'string' ? text.slice(0, MAX_CLOSE_TEXT) : '',
    detail === undefined ? {} : { detail },
  );
}

/** An event on its way to many sessions; encoded once. */
export interface Dispatch {
  readonly evt: EventName;
  readonly frame: EncodedFrame;
}

/** The CloseError for an error of a core's `open`; the peer learns nothing of a failure. */
export function refusalOf(error: unknown): CloseError {
  if (isCloseError(error)) return sendable(error);
  return new CloseError(CloseCode.ABNORMAL, 'The client cannot be reached');
}

/** Ends a core's side of a session. A core that fails at that must not take the process along: `report` has the error. */
export function closeCore(core: CoreSession, report: (error: unknown) => void): void {
  try {
    const done: unknown = core.close();
    if (isLater(done)) done.then(undefined, report);
  } catch (error) {
    report(error);
  }
}

/** Whether a core's `open` returned a valid session. */
export function isSession(value: unknown): value is CoreSession {
  if (!isObject(value) || typeof value.close !== 'function' || !('handlers' in value)) return false;
  // A getter is not called: it creates handlers for the first request, and a session that only rests never sends one.
  const own = Object.getOwnPropertyDescriptor(value, 'handlers');
  return own === undefined || own.get !== undefined || isObject(own.value);
}

/** READY frames of a core's sessions; one that many sessions share is checked and printed once. */
export class ReadyFrames {
  #known: { readonly ready: Ready; readonly frame: EncodedFrame | undefined } | undefined;

  /** READY as one frame; undefined when apps could not live with it. A relayed one is passed on as it came, if it fits. */
  of(core: CoreSession, withUser: boolean): EncodedFrame | undefined {
    const { ready } = core;
    if (!withUser) return encodeReady({ ...ready, user: undefined }, core.relay !== undefined);
    // A third-party core may change an object that it returned before.
    if (core.trusted !== true) return encodeReady(ready, core.relay !== undefined);
    if (this.#known?.ready !== ready) this.#known = { ready, frame: encodeReady(ready, false) };
    return this.#known.frame;
  }
}

function encodeReady(ready: Ready, relayed: boolean): EncodedFrame | undefined {
  if (relayed) return encodeEvent('READY', ready, printExact);
  return isReady(ready) ? encodeEvent('READY', ready) : undefined;
}

/** By hand, because a schema would cost an idle daemon memory. */
function isReady(data: unknown): boolean {
  const { v, config, user } = isObject(data) ? data : {};
  const fields = isObject(config) ? [config.cdn_host, config.api_endpoint, config.environment] : [undefined];
  if (isObject(user)) fields.push(user.id, user.username, user.discriminator);
  return v === 1 && fields.every((field) => typeof field === 'string');
}

/**
 * One DISPATCH frame, or undefined when it would exceed the size that clients survive. Throws for a value that is
 * no JSON.
 */
export function encodeEvent(evt: string, data: unknown, print?: Print): EncodedFrame | undefined {
  const frame = encodePayload({ cmd: 'DISPATCH', data, evt, nonce: null }, 'own', print);
  return frame.body.byteLength > maxSentBytes(evt) ? undefined : frame;
}

/** An event of its declared shape as a frame, or the reason why it cannot be one. */
export function checkedEvent(evt: EventName, data: unknown): EncodedFrame | string {
  try {
    const parsed = findEvent(evt)?.data().safeParse(data);
    if (!parsed?.success) return parsed ? 'its data has the wrong shape' : 'there is no such event';
    return encodeEvent(evt, parsed.data) ?? 'it is too large for a frame';
  } catch {
    return 'its data is no JSON';
  }
}
