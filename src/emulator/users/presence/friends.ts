import type { GatewayListener } from '../../api/dispatch.ts';
import type { Reading } from '../../api/world.ts';
import { relationshipTypes } from '../relationships/records.ts';
import { type Presence, presenceOf } from './statuses.ts';

/** What a token has to allow for a game to be told of the presence of friends. */
const SCOPES = ['relationships.read', 'presences.read'];

/** Whether a person's game is told what their friends show. */
export function mayKnowPresences({ kind, scopes }: Pick<GatewayListener, 'kind' | 'scopes'>): boolean {
  return kind === 'bearer' && SCOPES.some((scope) => scopes.includes(scope));
}

/** The people whose friend somebody is, with the games in which they are that; of the whole platform, none is named. */
export function* friendsOf({ relationships, game_relationships }: Reading, user: string) {
  for (const { of, type } of relationships.by('user', user)) {
    if (type === relationshipTypes.friend) yield { of, application: undefined };
  }
  for (const { of, type, application } of game_relationships.by('user', user)) {
    if (type === relationshipTypes.friend) yield { of, application };
  }
}

/** What the friends of a person show who are there; undefined for whoever may not know. */
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
