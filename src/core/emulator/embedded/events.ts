import type { Change } from '../../../emulator/compose/change.ts';
import type { Shared } from '../app-session.ts';
import { participants } from './shapes.ts';

/** Turns a change of what surrounds an embedded app into events. */
export function tellEmbedded(change: Change, { emulator, host, sessions }: Shared): void {
  switch (change.type) {
    case 'participants-updated': {
      for (const session of sessions.values()) {
        if (session.clientId !== change.applicationId) continue;
        const data = participants(emulator, session);
        host.emit('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', data, { sessionId: session.id });
      }
      return;
    }
    case 'client-updated': {
      const { client, keys } = change;
      if (keys.includes('layout_mode')) {
        host.emit('ACTIVITY_LAYOUT_MODE_UPDATE', { layout_mode: client.layout_mode });
        host.emit('FRAME_LAYOUT_MODE_UPDATE', { layout_mode: client.layout_mode });
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
