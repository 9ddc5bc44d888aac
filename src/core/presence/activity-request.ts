import type { Awaitable } from '../../base/later.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { CoreCall, CoreSession } from '../core.ts';

/** Context of a request; the bridge's own requests have one of {@link ownCall}. */
export type ActivityCall = Pick<CoreCall, 'signal'> & Partial<CoreCall>;

/** Context of a request that no app makes. */
export function ownCall(signal: AbortSignal, rawArgs: unknown): CoreCall {
  return { signal, rawArgs, scopes: new Set(), waitsForConsent: () => {} };
}

/**
 * Sends SET_ACTIVITY to a session, whichever way it takes requests. `only` has the names of the clients that may show the
 * activity, for a core with several. Returns undefined for a core that shows no activities.
 */
export function requestActivity(
  session: CoreSession,
  args: JsonObject,
  only: readonly string[] | undefined,
  call: ActivityCall,
): Awaitable<unknown> {
  if (session.present) return session.present(args, only, call);
  if (session.relay) return session.relay({ cmd: 'SET_ACTIVITY', args, evt: undefined }, call);
  const { handlers } = session;
  return handlers.SET_ACTIVITY?.call(handlers, args as never, call as CoreCall);
}
