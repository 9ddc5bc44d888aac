import { ApiError } from '../api/api-error.ts';
import type { Base } from '../api/world.ts';
import { MESSAGE_TYPES, type Message } from './records.ts';

/**
 * Types of messages that nobody deletes: the changes of a private channel, and the first message of a thread. Source:
 * the platform's table of message types.
 */
const PERMANENT: readonly number[] = [1, 2, 3, 4, 5, MESSAGE_TYPES.threadStarter];

/** Deletes a message. @throws ApiError 50021 for a message that remains as long as its channel. */
export function deleteMessage(
  { world }: Pick<Base, 'world'>,
  { id, type = MESSAGE_TYPES.default }: Pick<Message, 'id' | 'type'>,
): void {
  if (PERMANENT.includes(type)) throw new ApiError('CannotExecuteActionOnSystemMessage');
  world.transaction(({ messages }) => messages.remove(id));
}

/** Deletes an answer of an application, public or ephemeral. */
export function deleteAnswer({ world }: Pick<Base, 'world'>, { id }: Message): void {
  world.transaction(({ messages, ephemeral_messages, ephemeral_attachments }) => {
    messages.remove(id);
    if (!ephemeral_messages.remove(id)) return;
    for (const file of [...ephemeral_attachments.by('message', id)]) ephemeral_attachments.remove(file.id);
  });
}
