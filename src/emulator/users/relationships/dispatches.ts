import { type Dispatched, defineDispatch, type GatewayListener } from '../../api/dispatch.ts';
import type { Reading } from '../../api/world.ts';
import {
  bareGameRelationshipAnswer,
  bareGameRelationshipShape,
  bareRelationshipAnswer,
  bareRelationshipShape,
  gameRelationshipAnswer,
  gameRelationshipShape,
  relationshipAnswer,
  relationshipShape,
} from './answers.ts';
import { type GameRelationship, type Relationship, relationshipTypes } from './records.ts';

/** Scope with which a game receives relationships. */
const SCOPE = 'relationships.read';

/** Audience of an event: sessions of a user through games with the scope. `application` limits it to one game. */
function toUser(user: string, application?: string): (listener: GatewayListener) => boolean {
  return (listener) =>
    listener.kind === 'bearer' &&
    listener.user === user &&
    listener.scopes.includes(SCOPE) &&
    (application === undefined || listener.application.id === application);
}

/** Relationships that games receive, which excludes implicit ones. */
function listed(rows: readonly Relationship[]): readonly Relationship[] {
  return rows.filter(({ type }) => type !== relationshipTypes.implicit);
}

function* whole(tables: Reading, rows: readonly Relationship[]): Generator<Dispatched> {
  for (const row of listed(rows)) {
    // A deleted account has no user object, so only the removal of the relationship is sent.
    if (!tables.users.has(row.user)) continue;
    yield { canSee: toUser(row.of), data: () => relationshipAnswer(tables, row) };
  }
}

function* partly(rows: readonly Relationship[]): Generator<Dispatched> {
  for (const row of listed(rows)) {
    yield { canSee: toUser(row.of), data: () => bareRelationshipAnswer(row) };
  }
}

const isKnown = ({ users }: Reading, { user }: GameRelationship): boolean => users.has(user);

/** Gateway events of relationships. */
export const relationshipDispatches = [
  defineDispatch({
    event: 'RELATIONSHIP_ADD',
    summary: 'A user became a friend, sent or received a request, or was blocked.',
    intents: [],
    tables: ['relationships'],
    ours: 'A user receives it in sessions with the scope relationships.read.',
    shape: relationshipShape,
    derive: (commit, { world: { tables } }) => {
      const { created, updated } = commit.of('relationships');
      const became = updated.filter(({ before, after }) => before.type !== after.type);
      return whole(tables, [...created, ...became.map(({ after }) => after)]);
    },
  }),
  defineDispatch({
    event: 'RELATIONSHIP_UPDATE',
    summary: 'Other fields of a relationship changed.',
    intents: [],
    tables: ['relationships'],
    shape: bareRelationshipShape,
    derive: (commit) => {
      const stayed = commit
        .of('relationships')
        .updated.filter(({ before, after }) => before.type === after.type && before.since !== after.since);
      return partly(stayed.map(({ after }) => after));
    },
  }),
  defineDispatch({
    event: 'RELATIONSHIP_REMOVE',
    summary: 'A relationship with a user ended.',
    intents: [],
    tables: ['relationships'],
    shape: bareRelationshipShape,
    derive: (commit) => partly(commit.of('relationships').removed),
  }),
  defineDispatch({
    event: 'GAME_RELATIONSHIP_ADD',
    summary: 'A user became a friend in the game, or sent or received a request.',
    intents: [],
    tables: ['game_relationships'],
    ours: 'Sent to users in that game, with the scope relationships.read.',
    shape: gameRelationshipShape,
    *derive(commit, { world: { tables } }) {
      const { created, updated } = commit.of('game_relationships');
      const became = updated.filter(({ before, after }) => before.type !== after.type);
      for (const row of [...created, ...became.map(({ after }) => after)]) {
        if (!isKnown(tables, row)) continue;
        yield {
          canSee: toUser(row.of, row.application),
          data: () => gameRelationshipAnswer(tables, row),
        };
      }
    },
  }),
  defineDispatch({
    event: 'GAME_RELATIONSHIP_REMOVE',
    summary: 'A relationship with a user in the game ended.',
    intents: [],
    tables: ['game_relationships'],
    shape: bareGameRelationshipShape,
    *derive(commit) {
      for (const row of commit.of('game_relationships').removed) {
        yield { canSee: toUser(row.of, row.application), data: () => bareGameRelationshipAnswer(row) };
      }
    },
  }),
];
