import type { Command, Trim } from '../protocol/command.ts';
import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';
import {
  encodePayload,
  encodeReplyText,
  MAX_SENT_BYTES,
  type Payload,
  type Request,
} from '../protocol/payload.ts';
import type { EncodedFrame } from '../wire/frame.ts';

/** The reply to a request with what its core answered. `vouched`: an object that the core gives again is what it was. */
export function encodeAnswer(
  request: Request,
  { textOf, trim }: Pick<Command, 'textOf' | 'trim'>,
  data: unknown,
  vouched: boolean,
): EncodedFrame {
  if (vouched && textOf && isObject(data)) {
    const frame = encodeReplyText(request, textOf(data));
    if (frame.body.byteLength <= MAX_SENT_BYTES) return frame;
  }
  const { cmd, nonce } = request;
  return encodeReply({ cmd, data, evt: null, nonce }, trim);
}

/**
 * Encodes a reply within {@link MAX_SENT_BYTES}. A result that is too large loses entries of the list that
 * its command declares as trimmable; one that cannot be trimmed throws RpcError 1000. Frames are never split.
 */
export function encodeReply(payload: Payload, trim: Trim | undefined): EncodedFrame {
  let frame = encodePayload(payload, 'brief');
  const list = trim && isObject(payload.data) ? payload.data[trim.list] : undefined;
  if (trim && Array.isArray(list)) {
    for (let count = list.length; frame.body.byteLength > MAX_SENT_BYTES && count > 0; ) {
      count = Math.min(count - 1, Math.floor((count * MAX_SENT_BYTES) / frame.body.byteLength));
      const kept = trim.keep === 'last' ? list.slice(list.length - count) : list.slice(0, count);
      frame = encodePayload({ ...payload, data: { ...(payload.data as object), [trim.list]: kept } });
    }
  }
  if (frame.body.byteLength <= MAX_SENT_BYTES) return frame;
  throw new RpcError(
    ErrorCode.UNKNOWN_ERROR,
    `The answer exceeds the ${MAX_SENT_BYTES} bytes a frame may have`,
  );
}
