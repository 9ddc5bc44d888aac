import { metadataOf, needText } from '../checks.ts';
import type { MessageHandle } from '../message-handle.ts';
import { type ClientResult, ValidationError } from '../result.ts';
import { callbackValues } from './row.ts';

/** Gets the message's id; 0 on failure. */
export type SendMessageCallback = (result: ClientResult, messageId: bigint) => void;
/** Gets messages, newest first; none on failure. */
export type MessagesCallback = (result: ClientResult, messages: MessageHandle[]) => void;

/** Texts of the game by name. */
export type Texts = Readonly<Record<string, string>>;

/** The id of the message that was made. */
export const MESSAGE = callbackValues({ messageId: 0n }, (call: SendMessageCallback, { result, messageId }) =>
  call(result, messageId),
);
/** Messages. */
export const MESSAGES = callbackValues(
  { messages: [] as MessageHandle[] },
  (call: MessagesCallback, { result, messages }) => call(result, messages),
);

/** Most messages that the service tells at once. */
const MAX_MESSAGES = 200;

/** A new message, as the service takes it. Throws ValidationError. */
export function messageBody(content: string, metadata: Texts): object {
  const texts = metadataOf('metadata', metadata);
  const body = { content: needText('content', content) };
  return Object.keys(texts).length > 0 ? { ...body, metadata: texts } : body;
}

/** How many messages are asked for. Throws ValidationError. */
export function limitOf(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_MESSAGES) return limit;
  throw new ValidationError(`limit: must be a whole number from 1 to ${MAX_MESSAGES}`);
}
