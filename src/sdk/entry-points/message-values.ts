import { metadataOf, needText } from '../checks.ts';
import type { MessageHandle } from '../message-handle.ts';
import { type ClientResult, ValidationError } from '../result.ts';
import { callbackValues } from './row.ts';

/** Gets the message's id; 0 on failure. */
export type SendMessageCallback = (result: ClientResult, messageId: bigint) => void;
/** Gets messages, newest first; an empty list on failure. */
export type MessagesCallback = (result: ClientResult, messages: MessageHandle[]) => void;

/** Metadata of the game: texts by name. */
export type Texts = Readonly<Record<string, string>>;

/** Callback values of a sent message. */
export const MESSAGE = callbackValues({ messageId: 0n }, (call: SendMessageCallback, { result, messageId }) =>
  call(result, messageId),
);
/** Callback values of a list of messages. */
export const MESSAGES = callbackValues(
  { messages: [] as MessageHandle[] },
  (call: MessagesCallback, { result, messages }) => call(result, messages),
);

/** Maximum number of messages in one answer of the service. */
const MAX_MESSAGES = 200;

/** Request body of a new message. Throws ValidationError. */
export function messageBody(content: string, metadata: Texts): object {
  const texts = metadataOf('metadata', metadata);
  const body = { content: needText('content', content) };
  return Object.keys(texts).length > 0 ? { ...body, metadata: texts } : body;
}

/** Query value of a number of messages. Throws ValidationError. */
export function limitOf(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_MESSAGES) return limit;
  throw new ValidationError(`limit: must be a whole number from 1 to ${MAX_MESSAGES}`);
}
