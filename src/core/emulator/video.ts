import type { Emulator } from '../../emulator/compose/emulator.ts';
import { isSameJson } from '../../emulator/kernel/same-json.ts';
import type { EventDataOf } from '../../protocol/registry.ts';
import type { Replays } from './replays.ts';
import { defineCommitEvents } from './rpc-event.ts';

/** Events for the camera and the screen share of the user. */
export const videoEvents = defineCommitEvents({
  events: ['VIDEO_STATE_UPDATE', 'SCREENSHARE_STATE_UPDATE'],
  tables: ['client'],
  *derive(commit, { emulator }) {
    for (const { before, after } of commit.of('client').updated) {
      const { video_active: active } = after;
      if (before.video_active !== active) yield { event: 'VIDEO_STATE_UPDATE', data: () => ({ active }) };
      if (isSameJson(before.screenshare, after.screenshare)) continue;
      yield { event: 'SCREENSHARE_STATE_UPDATE', data: () => screenshare(emulator) };
    }
  },
});

/** Current values at the start of a subscription. */
export function videoReplays(emulator: Emulator): Replays {
  return {
    SCREENSHARE_STATE_UPDATE: () => [screenshare(emulator)],
    VIDEO_STATE_UPDATE: () => [{ active: emulator.client.state.video_active }],
  };
}

/** State of the screen share: whether the user shares a screen, and which application. */
function screenshare(emulator: Emulator): EventDataOf<'SCREENSHARE_STATE_UPDATE'> {
  const { active, pid, application } = emulator.client.state.screenshare;
  if (!active) return { active, pid: null, application: null };
  return { active, pid, application: application === null ? null : { name: application } };
}
