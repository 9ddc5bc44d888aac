import type { Reading } from '../../api/world.ts';
import type { Activity } from './records.ts';

/** Where somebody plays what a guest can come into. */
export interface PlayedGame {
  readonly session: string;
  readonly activity: Activity;
  readonly secret: string;
}

/** Activities of which the secret is for friends without an invite. */
const FOR_FRIENDS = 1 << 6;

/**
 * Where somebody plays a game that shows a party and a join secret: a session of theirs, the one that is named before
 * the newest, else what an app of the logged-in user shows over RPC. Undefined where nobody can come in.
 */
export function playedGame(
  tables: Reading,
  {
    user,
    application,
    session,
  }: { readonly user: string; readonly application: string; readonly session?: string | undefined },
): PlayedGame | undefined {
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

/** The party of an activity. */
export function partyId(activity: { readonly [key: string]: unknown }): string | undefined {
  return textIn(activity['party'], 'id');
}

/** Whether friends may come in uninvited. */
export function isForFriends({ activity }: PlayedGame): boolean {
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

/** Kinds of what a message asks that invites to play: to come, and to be let in. */
export const ACTIONS = { JOIN: 1, JOIN_REQUEST: 5 } as const;
