import type { Derive } from '../../api/world.ts';
import type { Relationship } from './records.ts';

/** What becomes different about the logged-in user's list; type 0 is somebody taken off it. */
export type RelationshipChange = {
  readonly type: 'relationship-updated';
  readonly relationship: Relationship;
};

/** Nothing when another account logs in: it has a list of its own. */
export const relationshipChanges: Derive<RelationshipChange> = (commit, { me, users }) => {
  if (commit.touches('me')) return [];
  const { created, updated, removed } = commit.of('relationships');
  // A user who is gone altogether cannot be shown any more.
  const ended = removed.filter(({ user }) => users.has(user)).map((gone) => ({ ...gone, type: 0 }));
  return [...created, ...updated.map(({ after }) => after), ...ended]
    .filter(({ of }) => of === me.value)
    .map((relationship) => ({ type: 'relationship-updated', relationship }));
};
