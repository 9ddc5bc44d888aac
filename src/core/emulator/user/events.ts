import type { Change } from '../../../emulator/compose/change.ts';
import { CloseCode } from '../../../wire/codes.ts';
import type { Shared } from '../app-session.ts';
import { rpcUser } from './shapes.ts';

/** Turns a change of the logged-in user into events, or into the end of every session. */
export function tellUser(change: Change, { emulator, host, sessions }: Shared): void {
  switch (change.type) {
    case 'me-changed':
    case 'logged-out':
      host.closeSessions({}, CloseCode.NORMAL, 'User logout');
      return;
    case 'user-updated':
      if (change.user.id !== emulator.me().id) return;
      for (const { id, seesPremium } of sessions.values()) {
        host.emit('CURRENT_USER_UPDATE', rpcUser(change.user, seesPremium), { sessionId: id });
      }
      return;
    default:
      return;
  }
}
