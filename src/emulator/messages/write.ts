import { full } from '../api/api-error.ts';
import { present } from '../api/present.ts';
import type { Reading, World, Writing } from '../api/world.ts';
import { withArchived } from '../guilds/threads/rules.ts';
import { MOST_RECORDS } from '../kernel/limits.ts';
import type { AttachmentRecord } from './attachments/records.ts';
import { isEphemeral, type Message } from './records.ts';

// The one place where messages and their files are put among the others, whoever writes them and by whatever way.

/** A file of a message that is being written. */
export type NewFile = Omit<AttachmentRecord, 'message'>;

/** What is known of a new message; what is left out is as most messages have it. */
export type MessageFields = Pick<Message, 'channel' | 'author'> & Partial<Message>;

/** A message that nobody has written yet, with its files and what moderation does about it once it is there. */
export interface ComposedMessage {
  readonly message: Message;
  readonly files?: readonly NewFile[];
  readonly moderate?: (messageId: string) => void;
}

/** Makes ids for messages: what an id names already is neither a message, a file, nor the thread that bears the id of a message. */
export function messageIds({ ids, tables }: Pick<World, 'ids' | 'tables'>, now: number): () => string {
  const { messages, attachments, lobby_messages, channels } = tables;
  const { ephemeral_messages, ephemeral_attachments } = tables;
  const known = [messages, attachments, lobby_messages, channels, ephemeral_messages, ephemeral_attachments];
  return () => ids.next(now, (id) => known.some((table) => table.has(id)));
}

/** A message of the moment `now` (ms) that is nowhere yet. */
export function newMessage(
  world: Pick<World, 'ids' | 'tables'>,
  now: number,
  { id, ...fields }: MessageFields,
): Message {
  return present({
    id: id ?? messageIds(world, now)(),
    content: '',
    timestamp: new Date(now).toISOString(),
    edited_timestamp: null,
    tts: false,
    pinned: false,
    ...fields,
  }) as Message;
}

/** Whether there is room for one more message. */
export function hasRoomForMessage({ messages }: Pick<Reading, 'messages'>): boolean {
  return messages.size < MOST_RECORDS;
}

/**
 * Puts a message and its files there, in this transaction; one for a single person lies apart, and does nothing else.
 * @throws ApiError 503 when there is no room.
 */
export function writeMessage(tables: Writing, { message, files, moderate }: ComposedMessage): Message {
  const isApart = isEphemeral(message);
  const place = isApart ? apart(tables) : tables;
  if (!hasRoomForMessage(place)) throw full('messages');
  if (!isApart) unarchive(tables, message);
  place.messages.insert(message);
  for (const file of files ?? []) addFile(place, message, file);
  if (!isApart) moderate?.(message.id);
  return message;
}

/** Has a channel say that something happened there, in this transaction. @throws ApiError 503 when there is no room. */
export function writeNotice(
  world: Pick<World, 'ids' | 'tables'>,
  tables: Writing,
  now: number,
  fields: MessageFields,
): Message {
  return writeMessage(tables, { message: newMessage(world, now, fields) });
}

/** Gives a message a file besides those that it has, in this transaction. */
export function addFile(
  { attachments }: Writing,
  { id: message }: Pick<Message, 'id'>,
  file: NewFile,
): AttachmentRecord {
  return attachments.insert({ ...file, message });
}

/** The tables with the messages for single persons, and their files, in the place of the others. */
export function apart<Tables extends Reading | Writing>(tables: Tables): Tables {
  const { ephemeral_messages: messages, ephemeral_attachments: attachments } = tables;
  return Object.assign(Object.create(tables) as Tables, { messages, attachments });
}

/** A message opens an archived thread. */
function unarchive({ channels }: Writing, { channel, timestamp }: Message): void {
  const thread = channels.get(channel)?.thread;
  if (thread?.archived) {
    channels.update(channel, { thread: withArchived(thread, false, Date.parse(timestamp)) });
  }
}
