import { isReadable } from '../../../emulator/guilds/channels/channels.ts';
import { notifies } from '../../../emulator/messages/mentions.ts';
import type { Message } from '../../../emulator/messages/records.ts';
import { defineCommitEvents } from '../rpc-event.ts';
import { rpcMessage } from './message.ts';

/** Events for messages that the logged-in user may read; a notification follows the creation of the same message. */
export const messageEvents = defineCommitEvents({
  events: ['MESSAGE_DELETE', 'MESSAGE_UPDATE', 'MESSAGE_CREATE', 'NOTIFICATION_CREATE'],
  tables: ['messages'],
  *derive(commit, { emulator }) {
    const { tables } = emulator;
    const { created, updated, removed } = commit.of('messages');
    const readable = ({ channel }: Message): boolean => isReadable(tables, channel);
    const of = (message: Message) => ({
      data: () => ({ channel_id: message.channel, message: rpcMessage(emulator, message) }),
      to: { filter: { channel_id: message.channel } },
    });
    for (const { id, channel: channel_id } of removed.filter(readable)) {
      yield {
        event: 'MESSAGE_DELETE',
        data: () => ({ channel_id, message: { id } }),
        to: { filter: { channel_id } },
      };
    }
    for (const { after } of updated) if (readable(after)) yield { event: 'MESSAGE_UPDATE', ...of(after) };
    for (const message of created) {
      const isVisible = readable(message);
      if (isVisible) yield { event: 'MESSAGE_CREATE', ...of(message) };
      // Of private channels, RPC apps receive only the notification.
      if (!isVisible && !tables.private_channels.has(message.channel)) continue;
      if (!notifies(tables, message)) continue;
      yield {
        event: 'NOTIFICATION_CREATE',
        data: () => {
          const payload = rpcMessage(emulator, message);
          const found = emulator.channel(message.channel);
          const where = found.kind === 'found' ? ` (#${found.channel.name})` : '';
          const title = `${payload.nick}${where}`;
          return {
            channel_id: message.channel,
            message: payload,
            icon_url: null,
            title,
            body: message.content,
          };
        },
      };
    }
  },
});
