import type { Change } from '../../../emulator/compose/change.ts';
import { CloseCode } from '../../../wire/codes.ts';
import type { Shared } from '../app-session.ts';

/** Ends the sessions whose token was revoked. */
export function tellRevoked(change: Change, { sessions, host }: Shared): void {
  if (change.type !== 'tokens-revoked') return;
  for (const { id, clientId, token } of sessions.values()) {
    if (clientId !== change.clientId || token?.userId !== change.userId) continue;
    if (change.family !== undefined && change.family !== token.family) continue;
    if (change.token !== undefined && change.token !== token.hash) continue;
    host.closeSessions({ sessionId: id }, CloseCode.TOKEN_REVOKED, 'Token revoked');
  }
}
