import { full } from '../api/api-error.ts';
import { present } from '../api/present.ts';
import type { Reading, World, Writing } from '../api/world.ts';
import { withArchived } from '../guilds/threads/rules.ts';
import { MAX_RECORDS } from '../kernel/limits.ts';
import type { AttachmentRecord } from './attachments/records.ts';
import { isEphemeral, type Message } from './records.ts';

// Only this module inserts messages and their files, for all authors and interfaces.

/** A file of a new message. */
export type NewFile = Omit<AttachmentRecord, 'message'>;

/** Fields of a new message; absent fields have defaults. */
export type MessageFields = Pick<Message, 'channel' | 'author'> & Partial<Message>;

/** A message before its insertion, with its files and the moderation that must run after the insertion. */
export interface ComposedMessage {
  readonly message: Message;
  readonly files?: readonly NewFile[];
  readonly moderate?: (messageId: string) => void;
}

/** Returns a function that generates ids which no message, file or thread uses. */
export function messageIds({ ids, tables }: Pick<World, 'ids' | 'tables'>, now: number): () => string {
  const { messages, attachments, lobby_messages, channels } = tables;
  const { ephemeral_messages, ephemeral_attachments } = tables;
  const known = [messages, attachments, lobby_messages, channels, ephemeral_messages, ephemeral_attachments];
  return () => ids.next(now, (id) => known.some((table) => table.has(id)));
}

/** A message with the time `now` (ms), not inserted yet. */
export function newMessage(
  world: Pick<World, 'ids' | 'tables'>,
  now: number,
  { id, ...fields }: MessageFields,
): Message {
  const message = {
    id: id ?? messageIds(world, now)(),
    content: '',
    timestamp: new Date(now).toISOString(),
    edited_timestamp: null,
    tts: false,
    pinned: false,
  };
  return Object.assign(message, present(fields)) as Message;
}

/** Whether there is room for another message. */
export function hasRoomForMessage({ messages }: Pick<Reading, 'messages'>): boolean {
  return messages.size < MAX_RECORDS;
}

/**
 * Inserts a message and its files, in this transaction; an ephemeral one goes to its own tables, without other effects.
 * @throws ApiError 503 when there is no room.
 */
export function writeMessage(tables: Writing, { message, files, moderate }: ComposedMessage): Message {
  const isApart = isEphemeral(message);
  const target = isApart ? apart(tables) : tables;
  if (!hasRoomForMessage(target)) throw full('messages');
  if (!isApart) unarchive(tables, message);
  target.messages.insert(message);
  for (const file of files ?? []) addFile(target, message, file);
  if (!isApart) moderate?.(message.id);
  return message;
}

/**
 * Inserts a system message, within the current transaction. @throws ApiError 503 when the number of messages is at its
 * maximum.
 */
export function writeNotice(
  world: Pick<World, 'ids' | 'tables'>,
  tables: Writing,
  now: number,
  fields: MessageFields,
): Message {
  return writeMessage(tables, { message: newMessage(world, now, fields) });
}

/** Adds a file to a message, within the current transaction. */
export function addFile(
  { attachments }: Writing,
  { id: message }: Pick<Message, 'id'>,
  file: NewFile,
): AttachmentRecord {
  return attachments.insert({ ...file, message });
}

/** The same tables, but with the tables of ephemeral messages and their files instead of the public ones. */
export function apart<Tables extends Reading | Writing>(tables: Tables): Tables {
  const { ephemeral_messages: messages, ephemeral_attachments: attachments } = tables;
  return Object.assign(Object.create(tables) as Tables, { messages, attachments });
}

/** The tables that have a message: the public ones, or those of ephemeral messages. */
export function tablesOf(tables: Reading, { id }: Pick<Message, 'id'>): Reading {
  return tables.ephemeral_messages.has(id) ? apart(tables) : tables;
}

/** Reopens an archived thread when a message is written in it. */
function unarchive({ channels }: Writing, { channel, timestamp }: Message): void {
  const thread = channels.get(channel)?.thread;
  if (thread?.archived) {
    channels.update(channel, { thread: withArchived(thread, false, Date.parse(timestamp)) });
  }
}
