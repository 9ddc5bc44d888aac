import type { Reading } from '../../api/world.ts';
import type { Activity } from './records.ts';

/** A running game that a guest can join. */
export interface JoinableGame {
  readonly session: string;
  readonly activity: Activity;
  readonly secret: string;
}

/** Flag of an activity that friends may join without an invite. */
const FOR_FRIENDS = 1 << 6;

/**
 * A user's game with a party and a join secret. Searches the named session first, then the user's newest session, and
 * for the logged-in user also the apps connected over RPC. Undefined when no game can be joined.
 */
export function joinableGame(
  tables: Reading,
  {
    user,
    application,
    session,
  }: { readonly user: string; readonly application: string; readonly session?: string | undefined },
): JoinableGame | undefined {
  const own = [...tables.session_presences.by('user', user)].toReversed();
  const named = own.filter((one) => one.session === session);
  for (const { session: id, activities, secret } of [...named, ...own]) {
    const activity = activities.find(
      (one) => one['application_id'] === application && partyId(one) !== undefined,
    );
    if (secret !== null && activity !== undefined)
      return { session: id, activity: { ...activity, application_id: application }, secret };
  }
  if (user !== tables.me.value) return undefined;
  for (const { session: id, activity } of tables.presences) {
    const secret = textIn(activity['secrets'], 'join');
    const isJoinable = activity.application_id === application && partyId(activity) !== undefined;
    if (secret !== undefined && isJoinable) return { session: id, activity, secret };
  }
  return undefined;
}

/** Id of an activity's party. */
export function partyId(activity: { readonly [key: string]: unknown }): string | undefined {
  return textIn(activity['party'], 'id');
}

/** Whether friends may join the game without an invite. */
export function isForFriends({ activity }: JoinableGame): boolean {
  const flags = activity['flags'];
  return typeof flags === 'number' && (flags & FOR_FRIENDS) !== 0;
}

function textIn(value: unknown, name: string): string | undefined {
  const found =
    typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)[name]
      : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Activity actions of an invite message: an invite to a game, and a request for such an invite. */
export const ACTIONS = { JOIN: 1, JOIN_REQUEST: 5 } as const;
