import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { participants } from './shapes.ts';

/** Commands of embedded apps, as answered by a desktop client that does not display such apps. */
export function embeddedHandlers(emulator: Emulator, session: AppSession): CoreHandlers {
  return {
    CAPTURE_LOG: () => null,
    SEND_ANALYTICS_EVENT: () => null,
    GET_PLATFORM_BEHAVIORS: () => ({}),
    // The desktop has no interactive picture-in-picture.
    SET_CONFIG: () => ({ use_interactive_pip: false }),
    GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: () => participants(emulator, session),
    ...ofInstance(emulator, session),
  };
}

/**
 * Commands that differ inside an activity frame: the channel is that of the instance, whether or not the instance's
 * user is in the call of that channel.
 */
function ofInstance(emulator: Emulator, { clientId, instance: id }: AppSession): CoreHandlers {
  const instance = id === undefined ? undefined : emulator.activities.instance(clientId, id);
  if (instance === undefined || instance.guild === null) return {};
  return {
    GET_CHANNEL_PERMISSIONS: () => ({ permissions: String(emulator.permissions(instance.channel)) }),
  };
}
