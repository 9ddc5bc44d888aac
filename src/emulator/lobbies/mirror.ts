import type { StateRule, Writing } from '../api/world.ts';
import { MAX_RECORDS } from '../kernel/limits.ts';
import { MESSAGE_TYPES, type Message } from '../messages/records.ts';
import { writeLobbyMessage } from './messages.ts';
import { type LobbyMessage, rewritten } from './records.ts';

/** Message types of users and bots; system messages are not mirrored. */
const MIRRORED_TYPES: readonly number[] = [
  MESSAGE_TYPES.default,
  MESSAGE_TYPES.reply,
  MESSAGE_TYPES.command,
  MESSAGE_TYPES.contextMenu,
];

/** Mirrors messages of a linked channel into the lobby, with their edits and deletions. */
export const mirrorLinkedChannels: StateRule = (tables, commit, restoring) => {
  // A restored state already contains the lobby messages.
  if (restoring || !commit.touches('messages')) return;
  const { created, updated, removed } = commit.of('messages');
  for (const message of created) mirrorMessage(tables, message);
  for (const { after } of updated) change(tables, after);
  for (const message of removed) {
    // The lobby retains its copies when the whole channel is deleted.
    if (copyOf(tables, message) !== undefined && tables.channels.has(message.channel)) {
      tables.lobby_messages.remove(message.id);
    }
  }
};

/** The copy of a channel's message in a lobby. */
function copyOf({ lobby_messages }: Writing, { id, channel }: Message): LobbyMessage | undefined {
  const copy = lobby_messages.get(id);
  return copy?.channel === channel ? copy : undefined;
}

function mirrorMessage(tables: Writing, message: Message): void {
  const { lobbies, lobby_messages } = tables;
  const [lobby] = lobbies.by('linked_channel', message.channel);
  if (lobby === undefined || lobby_messages.has(message.id) || lobby_messages.size >= MAX_RECORDS) return;
  const { id, channel, author, webhook, content, timestamp, edited_timestamp, type, flags } = message;
  if (!MIRRORED_TYPES.includes(type ?? MESSAGE_TYPES.default)) return;
  const copy = {
    id,
    lobby: lobby.id,
    author,
    webhook,
    channel,
    content,
    timestamp,
    edited_timestamp,
    type,
    flags,
  };
  writeLobbyMessage(tables, copy);
}

function change(tables: Writing, message: Message): void {
  const copy = copyOf(tables, message);
  const { content, edited_timestamp } = message;
  if (copy === undefined || (copy.content === content && copy.edited_timestamp === edited_timestamp)) return;
  tables.lobby_messages.replace(rewritten(copy, { content, edited_timestamp }));
}
