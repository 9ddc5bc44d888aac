import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { AppSession } from '../app-session.ts';
import type { Replays } from '../replays.ts';
import { rpcUser } from './shapes.ts';

/** Current value at the start of a subscription. */
export function userReplays(emulator: Emulator, session: AppSession): Replays {
  return { CURRENT_USER_UPDATE: () => [rpcUser(emulator.me(), session.canSeePremium)] };
}
