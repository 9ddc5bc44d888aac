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
  const stops = [
    world.subscribe((change) => {
      const isOver = overBy(change);
      if (isOver !== undefined) ended(isOver);
    }),
    world.subscribeRows((transaction) => {
      const ids = applicationsIn(transaction);
      if (ids.size === 0) return;
      ended(({ listener, owner }) => {
        if (listener.kind !== 'bot' || !ids.has(listener.application.id)) return false;
        const record = platform.application(listener.application.id)?.record;
        if (record === undefined || isOfPerson(world, record)) return true;
        return botTokenOf(record) !== owner.token || botIdOf(record) !== listener.user;
      });
    }),
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
