import type { Emulator } from '../../../emulator/emulator.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { participants } from './shapes.ts';

/** The commands of embedded apps, as a desktop without their surface answers them. */
export function embeddedHandlers(emulator: Emulator, session: AppSession): CoreHandlers {
  return {
    CAPTURE_LOG: () => null,
    SEND_ANALYTICS_EVENT: () => null,
    GET_PLATFORM_BEHAVIORS: () => ({}),
    // Asked for or not, there is none.
    SET_CONFIG: () => ({ use_interactive_pip: false }),
    GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: () => participants(emulator, session),
  };
}
