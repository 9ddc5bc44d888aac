import type { Change } from '../../../emulator/compose/change.ts';
import type { Shared } from '../app-session.ts';
import { rpcMessage } from './message.ts';

/** Turns a change of messages into events. */
export function tellMessages(change: Change, { emulator, host }: Shared): void {
  switch (change.type) {
    case 'message-created':
    case 'message-updated': {
      const { channel } = change.message;
      const evt = change.type === 'message-created' ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE';
      const message = rpcMessage(emulator, change.message);
      host.emit(evt, { channel_id: channel, message }, { filter: { channel_id: channel } });
      return;
    }
    case 'message-removed': {
      const { channel, id } = change.message;
      host.emit(
        'MESSAGE_DELETE',
        { channel_id: channel, message: { id } },
        { filter: { channel_id: channel } },
      );
      return;
    }
    case 'notification-created': {
      const message = rpcMessage(emulator, change.message);
      const found = emulator.channel(change.message.channel);
      const where = found.kind === 'found' ? ` (#${found.channel.name})` : '';
      host.emit('NOTIFICATION_CREATE', {
        channel_id: change.message.channel,
        message,
        icon_url: null,
        title: `${message.nick}${where}`,
        body: message.content,
      });
      return;
    }
    default:
      return;
  }
}
