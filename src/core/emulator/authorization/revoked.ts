import type { Signal } from '../../../emulator/api/signals.ts';
import { CloseCode } from '../../../wire/codes.ts';
import type { Shared } from '../app-session.ts';

/** Ends the sessions whose token was revoked. */
export function endRevoked(
  revoked: Extract<Signal, { readonly type: 'tokens-revoked' }>,
  { sessions, host }: Shared,
): void {
  for (const { id, clientId, token } of sessions.values()) {
    if (clientId !== revoked.clientId || token?.userId !== revoked.userId) continue;
    if (revoked.family !== undefined && revoked.family !== token.family) continue;
    if (revoked.token !== undefined && revoked.token !== token.hash) continue;
    host.closeSessions({ sessionId: id }, CloseCode.TOKEN_REVOKED, 'Token revoked');
  }
}
