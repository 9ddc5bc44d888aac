import type { Change } from '../../emulator/compose/change.ts';
import type { Emulator } from '../../emulator/compose/emulator.ts';
import type { EventDataOf } from '../../protocol/registry.ts';
import type { Shared } from './app-session.ts';
import type { Replays } from './replays.ts';

/** Turns a change of the user's camera and screen share into events. */
export function tellVideo(change: Change, { emulator, host }: Shared): void {
  if (change.type !== 'client-updated') return;
  const { client, keys } = change;
  if (keys.includes('video_active')) host.emit('VIDEO_STATE_UPDATE', { active: client.video_active });
  if (keys.includes('screenshare')) host.emit('SCREENSHARE_STATE_UPDATE', screenshare(emulator));
}

/** The current values that a subscription begins with. */
export function videoReplays(emulator: Emulator): Replays {
  return {
    SCREENSHARE_STATE_UPDATE: () => [screenshare(emulator)],
    VIDEO_STATE_UPDATE: () => [{ active: emulator.client.state.video_active }],
  };
}

/** Whether the user shares a screen, and of what. */
function screenshare(emulator: Emulator): EventDataOf<'SCREENSHARE_STATE_UPDATE'> {
  const { active, pid, application } = emulator.client.state.screenshare;
  if (!active) return { active, pid: null, application: null };
  return { active, pid, application: application === null ? null : { name: application } };
}
