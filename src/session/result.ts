import type { Command } from '../protocol/command.ts';
import { isObject } from '../protocol/json.ts';
import {
  encodePayload,
  encodeReplyText,
  type Payload,
  type Print,
  type Request,
} from '../protocol/payload.ts';
import { maxSentBytes, tooLarge } from '../protocol/sent-size.ts';
import type { EncodedFrame } from '../wire/frame.ts';

/**
 * Encodes the reply to a request with its core's answer. With `vouched`, the core never changes an object that it
 * returns again.
 */
export function encodeAnswer(
  request: Request,
  { textOf }: Pick<Command, 'textOf'>,
  data: unknown,
  trusted: boolean,
): EncodedFrame {
  const { cmd, nonce } = request;
  if (trusted && textOf && isObject(data)) return bounded(cmd, encodeReplyText(request, textOf(data)));
  return encodeReply({ cmd, data, evt: null, nonce });
}

/**
 * Encodes a reply. Throws RpcError 1000 for a reply that is too large, because lists are not shortened and frames are
 * not split.
 */
export function encodeReply(payload: Payload, print?: Print): EncodedFrame {
  return bounded(payload.cmd, encodePayload(payload, 'brief', print));
}

function bounded(cmd: string | null, frame: EncodedFrame): EncodedFrame {
  const { byteLength } = frame.body;
  if (byteLength > maxSentBytes(cmd)) throw tooLarge(cmd, byteLength);
  if (cmd !== 'SET_ACTIVITY') return frame;
  const { opcode, bytes, body } = frame;
  return { opcode, bytes, body, newestOnly: true };
}
