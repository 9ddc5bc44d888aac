import { withoutSecrets } from '../../public-activity.ts';
import type { Shared } from '../app-session.ts';

/**
 * State of the emulator for an operator: the fixture, and state that ends with the daemon. `activities` is the public
 * presence of each app.
 */
export function viewState({ emulator, sessions }: Shared) {
  const published = new Map(emulator.presences.visible().map(({ key, activity }) => [key, activity]));
  return {
    ...emulator.toFixture(),
    activities: [...sessions.values()].map(({ id, clientId }) => {
      const activity = published.get(id);
      return { session: id, clientId, activity: activity === undefined ? null : withoutSecrets(activity) };
    }),
    certified_devices: [...sessions.values()].flatMap(({ id, clientId, certifiedDevices }) =>
      certifiedDevices.length === 0 ? [] : [{ session: id, clientId, devices: certifiedDevices }],
    ),
    voice_connection: emulator.voiceConnection.status,
    invitations: emulator.invitations.list(),
    channel_invites: emulator.channelInvites.list(),
  };
}
