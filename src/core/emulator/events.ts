import type { Change } from '../../emulator/change.ts';
import { CloseCode } from '../../wire/codes.ts';
import type { Shared } from './app-session.ts';
import { tellPeople } from './events-people.ts';
import { tellVoice } from './events-voice.ts';
import { partialChannel, partialGuild, participants, rpcEntitlement } from './shapes.ts';
import { rpcMessage } from './shapes-channel.ts';
import { screenshare } from './subscriptions.ts';

/** Turns a change of the emulator into events and closed sessions. */
export function tellSessions(change: Change, shared: Shared): void {
  tellAccount(change, shared);
  tellGuilds(change, shared);
  tellClient(change, shared);
  tellVoice(change, shared);
  tellPeople(change, shared);
}

function tellAccount(change: Change, { sessions, host }: Shared): void {
  switch (change.type) {
    case 'me-changed':
    case 'logged-out':
      host.closeSessions({}, CloseCode.NORMAL, 'User logout');
      return;
    case 'tokens-revoked':
      for (const { id, token } of sessions.values()) {
        if (token === undefined || !change.tokenIds.includes(token.tokenId)) continue;
        host.closeSessions({ sessionId: id }, CloseCode.TOKEN_REVOKED, 'Token revoked');
      }
      return;
    default:
      return;
  }
}

function tellGuilds(change: Change, { emulator, host }: Shared): void {
  switch (change.type) {
    case 'guild-created':
      host.emit('GUILD_CREATE', { id: change.guild.id, name: change.guild.name });
      return;
    case 'guild-updated':
      host.emit(
        'GUILD_STATUS',
        { guild: partialGuild(change.guild), online: 0 },
        { filter: { guild_id: change.guild.id } },
      );
      return;
    case 'channel-created':
      host.emit('CHANNEL_CREATE', partialChannel(change.channel));
      return;
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

function tellClient(change: Change, { emulator, host }: Shared): void {
  switch (change.type) {
    case 'entitlement-created':
    case 'entitlement-removed': {
      const evt = change.type === 'entitlement-created' ? 'ENTITLEMENT_CREATE' : 'ENTITLEMENT_DELETE';
      const entitlement = rpcEntitlement(change.entitlement);
      host.emit(evt, { entitlement }, { clientId: change.entitlement.application });
      return;
    }
    case 'participants-updated': {
      const { applicationId: clientId } = change;
      host.emit('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', participants(emulator, clientId), { clientId });
      return;
    }
    case 'overlay-updated': {
      const { pid, enabled, locked } = change.overlay;
      host.emit('OVERLAY_UPDATE', { enabled, locked }, { filter: { pid } });
      return;
    }
    case 'client-updated': {
      const { client, keys } = change;
      if (keys.includes('video_active')) host.emit('VIDEO_STATE_UPDATE', { active: client.video_active });
      if (keys.includes('screenshare')) host.emit('SCREENSHARE_STATE_UPDATE', screenshare(emulator));
      if (keys.includes('layout_mode')) {
        host.emit('ACTIVITY_LAYOUT_MODE_UPDATE', { layout_mode: client.layout_mode });
      }
      if (keys.includes('pip_mode')) host.emit('ACTIVITY_PIP_MODE_UPDATE', { is_pip_mode: client.pip_mode });
      if (keys.includes('thermal_state')) {
        host.emit('THERMAL_STATE_UPDATE', { thermal_state: client.thermal_state });
      }
      if (keys.includes('screen_orientation')) {
        host.emit('ORIENTATION_UPDATE', { screen_orientation: client.screen_orientation });
      }
      return;
    }
    default:
      return;
  }
}
