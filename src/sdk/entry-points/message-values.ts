import { metadataOf, needText } from '../checks.ts';
import type { MessageHandle } from '../message-handle.ts';
import { type ClientResult, ValidationError } from '../result.ts';
import { callbackValues } from './row.ts';

/** Receives the id of the message; 0 on failure. */
export type SendMessageCallback = (result: ClientResult, messageId: bigint) => void;
/** Receives messages, newest first; an empty list on failure. */
export type MessagesCallback = (result: ClientResult, messages: MessageHandle[]) => void;

/** Metadata of the game: texts by name. */
export type Texts = Readonly<Record<string, string>>;

/** Values that the callback of a sent message receives. */
export const MESSAGE = callbackValues({ messageId: 0n }, (call: SendMessageCallback, { result, messageId }) =>
  call(result, messageId),
);
/** Values that the callback of a list of messages receives. */
export const MESSAGES = callbackValues(
  { messages: [] as MessageHandle[] },
  (call: MessagesCallback, { result, messages }) => call(result, messages),
);

/** Maximum number of messages in one answer of the service. */
const MAX_MESSAGES = 200;

/** Returns the request body of a new message. Throws ValidationError for invalid content or metadata. */
export function messageBody(content: string, metadata: Texts): object {
  const texts = metadataOf('metadata', metadata);
  const body = { content: needText('content', content) };
  return Object.keys(texts).length > 0 ? { ...body, metadata: texts } : body;
}

/** Returns the number of messages for the query. Throws ValidationError for a number outside 1 … 200. */
export function limitOf(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_MESSAGES) return limit;
  throw new ValidationError(`limit: must be a whole number from 1 to ${MAX_MESSAGES}`);
}
