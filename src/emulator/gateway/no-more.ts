import { botIdOf, botTokenOf, isOfPerson } from '../applications/bot.ts';
import type { Change } from '../change.ts';
import type { Platform } from '../platform.ts';
import type { Transaction } from '../world.ts';
import type { Session } from './session.ts';

/** Calls back with what tells the sessions apart whose token, grant or account is no more. The returned function ends it. */
export function watchTokens(
  platform: Platform,
  ended: (isOver: (session: Session) => boolean) => void,
): () => void {
  const { world } = platform;
  /** Whether the token that it goes by is not good any more. */
  const isLost = ({ listener, owner }: Session): boolean => {
    if (listener.kind !== 'bot') return platform.oauth2.introspect(owner.token).state !== 'active';
    const record = platform.application(listener.application.id)?.record;
    if (record === undefined || isOfPerson(world, record)) return true;
    return botTokenOf(record) !== owner.token || botIdOf(record) !== listener.user;
  };
  const stops = [
    world.subscribe(
      (change) => {
        const isOver = overBy(change);
        if (isOver !== undefined) ended(isOver);
      },
      { name: 'the end of gateway sessions with their tokens', recover: () => ended(isLost) },
    ),
    world.subscribeRows(
      (transaction) => {
        const ids = applicationsIn(transaction);
        if (ids.size > 0)
          ended((session) => {
            const { kind, application } = session.listener;
            return kind === 'bot' && ids.has(application.id) && isLost(session);
          });
      },
      { name: 'the end of gateway sessions of bots', recover: () => ended(isLost) },
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Which sessions a change ends. */
function overBy(change: Change): ((session: Session) => boolean) | undefined {
  switch (change.type) {
    case 'tokens-revoked':
      return ({ listener, owner }) =>
        listener.kind === 'bearer' &&
        listener.user === change.userId &&
        listener.application.id === change.clientId &&
        (change.family === undefined || change.family === owner.family) &&
        (change.token === undefined || change.token === owner.hash);
    case 'user-removed':
      return ({ listener }) => listener.user === change.user.id;
    default:
      return undefined;
  }
}

function applicationsIn({ events }: Transaction): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) =>
      event.table !== 'applications' || event.kind === 'created' ? [] : [event.before.id],
    ),
  );
}
