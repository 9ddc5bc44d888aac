import type { Committed } from '../../../emulator/api/world.ts';
import { changedPresences, PRESENCE_TABLES } from '../../../emulator/users/presence/changed-presences.ts';
import type { Relationship } from '../../../emulator/users/relationships/records.ts';
import { defineCommitEvents, type FeedContext, type Outgoing } from '../rpc-event.ts';
import { rpcRelationship } from './shapes.ts';

type RelationshipUpdate = Iterable<Outgoing<'RELATIONSHIP_UPDATE'>>;

/**
 * Event for users that are added to, changed on or removed from the logged-in user's list, or whose presence changes.
 */
export const relationshipEvents = defineCommitEvents({
  events: ['RELATIONSHIP_UPDATE'],
  tables: PRESENCE_TABLES,
  *derive(commit, context) {
    // After a change of the account nothing is sent, because the new account has another list.
    if (commit.touches('me')) return;
    const changed = changedRelationships(commit, context);
    for (const relationship of changed) yield* toEach(relationship, context);
    const { tables } = context.emulator;
    const sent = new Set(changed.map(({ user }) => user));
    for (const user of changedPresences(commit, tables)) {
      if (!sent.has(user)) yield* relationshipWith(user, context);
    }
  },
});

/** Event for a user on the logged-in user's list; no event for any other user. */
export function* relationshipWith(userId: string, context: FeedContext): RelationshipUpdate {
  const relationship = context.emulator.accounts.relationship(userId);
  if (relationship !== undefined) yield* toEach(relationship, context);
}

/**
 * Changed relationships of the logged-in user; a relationship that was removed has type 0. Omits users that no longer
 * exist.
 */
function changedRelationships(commit: Committed, { emulator }: FeedContext): Relationship[] {
  const { me, users } = emulator.tables;
  const { created, updated, removed } = commit.of('relationships');
  const ended = removed.filter(({ user }) => users.has(user)).map((row) => ({ ...row, type: 0 }));
  const all = [...created, ...updated.map(({ after }) => after), ...ended];
  return all.filter(({ of }) => of === me.value);
}

/** Sends the event to each app on its own, because an app may see only the presence of its own application. */
function* toEach(relationship: Relationship, { emulator, subscribers }: FeedContext): RelationshipUpdate {
  for (const { id: sessionId, clientId } of subscribers.of('RELATIONSHIP_UPDATE')) {
    yield {
      event: 'RELATIONSHIP_UPDATE',
      data: () => rpcRelationship(emulator, relationship, clientId),
      to: { sessionId },
    };
  }
}
