import type { Reading, StateRule } from '../../api/world.ts';
import { isSameJson } from '../../kernel/same-json.ts';

/** Id of the newest message that a channel has had, which may be deleted; null for none. */
export function lastMessageOf({ messages, deleted_messages }: Reading, channelId: string): string | null {
  const [last] = messages.by('channel', channelId).last(1);
  const deleted = deleted_messages.get(channelId)?.newest;
  return last === undefined ? (deleted ?? null) : newer(last.id, deleted);
}

/** Number of messages that a channel has had, deleted ones included. */
export function messagesSent({ messages, deleted_messages }: Reading, channelId: string): number {
  return messages.by('channel', channelId).size + (deleted_messages.get(channelId)?.count ?? 0);
}

/** Notes the messages that a transaction deletes. */
export const noteDeletedMessages: StateRule = (tables, commit, restoring) => {
  const { deleted_messages, channels, private_channels } = tables;
  if (restoring) {
    for (const { channel } of [...deleted_messages]) deleted_messages.remove(channel);
    return;
  }
  const byChannel = new Map<string, { newest: string; count: number }>();
  for (const { id, channel } of commit.of('messages').removed) {
    // A rule may run again for the same transaction, so the count begins with that before it.
    const known = byChannel.get(channel) ?? commit.was('deleted_messages', channel);
    byChannel.set(channel, { newest: newer(id, known?.newest), count: (known?.count ?? 0) + 1 });
  }
  for (const [channel, deleted] of byChannel) {
    if (!channels.has(channel) && !private_channels.has(channel)) continue;
    const row = { channel, ...deleted };
    if (!isSameJson(deleted_messages.get(channel), row)) deleted_messages.put(row);
  }
};

/** The newer of an id and another that may be absent. */
function newer(id: string, other: string | undefined): string {
  return other === undefined || BigInt(id) > BigInt(other) ? id : other;
}
