import type { GatewayListener } from '../../api/dispatch.ts';
import type { Reading } from '../../api/world.ts';
import { relationshipTypes } from '../relationships/records.ts';
import { type Presence, presenceOf } from './statuses.ts';

/** Scopes with which a game receives the presence of friends; one of them is enough. */
const SCOPES = ['relationships.read', 'presences.read'];

/** Whether a user's game receives the presence of their friends. */
export function mayKnowPresences({ kind, scopes }: Pick<GatewayListener, 'kind' | 'scopes'>): boolean {
  return kind === 'bearer' && SCOPES.some((scope) => scopes.includes(scope));
}

/**
 * Users who have `user` as a friend. `application` is the game of the friendship, or undefined for a friendship on the
 * whole platform.
 */
export function* friendsOf({ relationships, game_relationships }: Reading, user: string) {
  for (const { of, type } of relationships.by('user', user)) {
    if (type === relationshipTypes.friend) yield { of, application: undefined };
  }
  for (const { of, type, application } of game_relationships.by('user', user)) {
    if (type === relationshipTypes.friend) yield { of, application };
  }
}

/** Presences of a user's friends who are online; undefined for a session without the scope. */
export function presencesOfFriends(
  tables: Reading,
  listener: Pick<GatewayListener, 'kind' | 'scopes' | 'user' | 'application'>,
): (Presence & { readonly user: { readonly id: string } })[] | undefined {
  if (!mayKnowPresences(listener)) return undefined;
  const { relationships, game_relationships } = tables;
  const { user: of, application } = listener;
  const friends = [
    ...[...relationships.by('of', of)].filter(({ type }) => type === relationshipTypes.friend),
    ...[...game_relationships.by('of', of)].filter(
      (one) => one.type === relationshipTypes.friend && one.application === application.id,
    ),
  ];
  return [...new Set(friends.map(({ user }) => user))]
    .map((user) => ({ user: { id: user }, ...presenceOf(tables, user) }))
    .filter(({ status }) => status !== 'offline');
}
