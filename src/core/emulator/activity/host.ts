import type { Activity } from '../../../emulator/users/presence/records.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';
import type { AppSession, Shared } from '../app-session.ts';

/** A connected app that others can join. */
export interface Host {
  readonly session: AppSession;
  readonly activity: Activity;
  readonly secret: string;
}

/** First app of an application whose activity has a party and a join secret; `first` is tried before the others. */
export function findHost(shared: Shared, clientId: string, first?: AppSession): Host | undefined {
  const candidates = [...shared.sessions.values()].filter((session) => session.clientId === clientId);
  for (const session of first ? [first, ...candidates] : candidates) {
    const activity = shared.emulator.presences.current(session.id);
    const secret = secretOf(activity, 'join');
    if (activity !== null && secret !== undefined && isObject(activity['party']) && activity['party']['id']) {
      return { session, activity, secret };
    }
  }
  return undefined;
}

/** @throws RpcError 5006 */
export function requireHost(shared: Shared, session: AppSession): Host {
  const host = findHost(shared, session.clientId, session);
  if (host !== undefined) return host;
  throw new RpcError(
    ErrorCode.NO_ELIGIBLE_ACTIVITY,
    'The application has no activity to join: SET_ACTIVITY with a party id and a join secret first',
  );
}

/** The secret that an application's own activity has set. Throws an Error with a plain message if there is none. */
export function ownSecret(
  { sessions, emulator }: Shared,
  clientId: string,
  kind: 'join' | 'spectate',
): string {
  for (const session of sessions.values()) {
    const activity = session.clientId === clientId ? emulator.presences.current(session.id) : null;
    const secret = secretOf(activity, kind);
    if (secret !== undefined) return secret;
  }
  throw new Error(`The application has set no activity with a ${kind} secret; give a secret`);
}

function secretOf(activity: Activity | null, kind: 'join' | 'spectate'): string | undefined {
  const secrets = activity?.['secrets'];
  const secret = isObject(secrets) ? secrets[kind] : undefined;
  return typeof secret === 'string' ? secret : undefined;
}
