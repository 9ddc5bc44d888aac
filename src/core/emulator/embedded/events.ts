import { isSameJson } from '../../../emulator/kernel/same-json.ts';
import { defineCommitEvents } from '../rpc-event.ts';
import { participants } from './shapes.ts';

/** Event for the participants of an application's activity, in any instance: one event per application. */
export const participantsEvents = defineCommitEvents({
  events: ['ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE'],
  tables: ['participants', 'activity_users'],
  *derive(commit, { emulator, subscribers }) {
    const named = commit.of('participants');
    const came = commit.of('activity_users');
    const instanceOf = (id: string) => emulator.tables.activity_instances.get(id)?.application;
    const applications = new Set([
      ...[...named.created, ...named.removed].map(({ application }) => application),
      ...[...came.created, ...came.removed].flatMap(({ instance }) => instanceOf(instance) ?? []),
    ]);
    for (const application of applications) {
      for (const session of subscribers.of('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE')) {
        if (session.clientId !== application) continue;
        yield {
          event: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE',
          data: () => participants(emulator, session),
          to: { sessionId: session.id },
        };
      }
    }
  },
});

/** Events for the surroundings of an embedded app: layout, picture-in-picture, orientation, thermal state. */
export const clientEvents = defineCommitEvents({
  events: [
    'ACTIVITY_LAYOUT_MODE_UPDATE',
    'FRAME_LAYOUT_MODE_UPDATE',
    'ACTIVITY_PIP_MODE_UPDATE',
    'THERMAL_STATE_UPDATE',
    'ORIENTATION_UPDATE',
  ],
  tables: ['client'],
  *derive(commit) {
    for (const { before, after } of commit.of('client').updated) {
      const { layout_mode, pip_mode: is_pip_mode, thermal_state, screen_orientation } = after;
      if (before.layout_mode !== layout_mode) {
        yield { event: 'ACTIVITY_LAYOUT_MODE_UPDATE', data: () => ({ layout_mode }) };
        yield { event: 'FRAME_LAYOUT_MODE_UPDATE', data: () => ({ layout_mode }) };
      }
      if (before.pip_mode !== is_pip_mode) {
        yield { event: 'ACTIVITY_PIP_MODE_UPDATE', data: () => ({ is_pip_mode }) };
      }
      if (before.thermal_state !== thermal_state) {
        yield { event: 'THERMAL_STATE_UPDATE', data: () => ({ thermal_state }) };
      }
      if (!isSameJson(before.screen_orientation, screen_orientation)) {
        yield { event: 'ORIENTATION_UPDATE', data: () => ({ screen_orientation }) };
      }
    }
  },
});
