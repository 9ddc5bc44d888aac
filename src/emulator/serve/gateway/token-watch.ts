import type { HasOAuth2 } from '../../accounts/oauth2/oauth2.ts';
import type { Signal } from '../../api/signals.ts';
import type { Base, Transaction } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { botIdOf, botTokenOf, isUserId } from '../../applications/bot.ts';
import type { Session } from './session.ts';

/** Services for this. */
type Needs = Base & HasApplications & HasOAuth2;

/**
 * Calls back with a predicate that selects the sessions whose token, grant or account has ended. The returned function
 * stops the watch.
 */
export function watchTokens(
  platform: Needs,
  ended: (isOver: (session: Session) => boolean) => void,
): () => void {
  const { world } = platform;
  /** Whether the session's token is no longer valid. */
  const isLost = ({ listener, owner }: Session): boolean => {
    if (listener.kind !== 'bot') return platform.oauth2.introspect(owner.token).state !== 'active';
    const record = platform.application(listener.application.id)?.record;
    if (record === undefined || isUserId(world, record)) return true;
    return botTokenOf(record) !== owner.token || botIdOf(record) !== listener.user;
  };
  const stops = [
    world.subscribeSignals(
      (signal) => {
        if (signal.type === 'tokens-revoked') ended((session) => isRevoked(session, signal));
      },
      { name: 'the end of gateway sessions with their tokens', recover: () => ended(isLost) },
    ),
    world.subscribeRows(
      (transaction) => {
        const users = removedUsers(transaction);
        if (users.size > 0) ended(({ listener }) => users.has(listener.user));
        const ids = applicationsIn(transaction);
        if (ids.size > 0)
          ended((session) => {
            const { kind, application } = session.listener;
            return kind === 'bot' && ids.has(application.id) && isLost(session);
          });
      },
      { name: 'the end of gateway sessions of bots and of users who are gone', recover: () => ended(isLost) },
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Whether a signal revokes the token of a session. */
function isRevoked(
  { listener, owner }: Session,
  { userId, clientId, family, token }: Extract<Signal, { readonly type: 'tokens-revoked' }>,
): boolean {
  return (
    listener.kind === 'bearer' &&
    listener.user === userId &&
    listener.application.id === clientId &&
    (family === undefined || family === owner.family) &&
    (token === undefined || token === owner.hash)
  );
}

function removedUsers({ events }: Transaction): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) => (event.table === 'users' && event.kind === 'removed' ? [event.before.id] : [])),
  );
}

function applicationsIn({ events }: Transaction): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) =>
      event.table !== 'applications' || event.kind === 'created' ? [] : [event.before.id],
    ),
  );
}
