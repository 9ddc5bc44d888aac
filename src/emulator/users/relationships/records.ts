import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Relationship type numbers by the names a fixture may use. */
export const relationshipTypes = { friend: 1, blocked: 2, incoming: 3, outgoing: 4, implicit: 5 } as const;

/** Types of relationships in a game. A user cannot be blocked only in a game, so there is no type for it. */
const gameRelationshipTypes = { friend: 1, incoming: 3, outgoing: 4 } as const;

/** Relationship of `of` to `user`. */
export const relationships = defineRecord({
  name: 'relationships',
  noun: 'relationship',
  about:
    'relationships: `type` is friend, blocked, incoming, outgoing or implicit; `of` names whose list it is, `me` unless written',
  key: ['of', 'user'],
  references: {
    of: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
    user: { to: 'users', onRemoval: 'remove' },
  },
  check: ({ of, user }) => (of === user ? { path: ['user'], reason: 'is the same user' } : undefined),
  schema: (parts: SchemaParts) => {
    const { table, userOrMe, text, or, orNull, optional, moment, numberOrName, choice, snowflake } = parts;
    return table({
      /** Owner of the list; the default is the logged-in user. */
      of: userOrMe(),
      user: text(64),
      /** 1 friend, 2 blocked, 3 incoming request, 4 outgoing request, 5 implicit. */
      type: or(numberOrName(relationshipTypes), relationshipTypes.friend),
      /** Date of the request, if it is known. */
      since: optional(moment()),
      /** Status of the friend. */
      status: or(choice('online', 'idle', 'dnd', 'offline'), 'offline'),
      /** The friend's activity in an application. */
      activity: orNull(
        table({
          application: snowflake(),
          name: orNull(text(128)),
          details: orNull(text(128)),
          state: orNull(text(128)),
        }),
      ),
    });
  },
});

/** Relationship of a user to another. */
export type Relationship = RowOf<typeof relationships>;

/** Relationship of `of` to `user` in one game only. */
export const gameRelationships = defineRecord({
  name: 'game_relationships',
  noun: 'game relationship',
  about: 'the same in one game: `type` is friend, incoming or outgoing',
  key: ['of', 'user', 'application'],
  references: {
    of: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
    user: { to: 'users', onRemoval: 'remove' },
  },
  check: ({ of, user }) => (of === user ? { path: ['user'], reason: 'is the same user' } : undefined),
  schema: ({ table, userOrMe, text, or, numberOrName, snowflake, optional, moment }: SchemaParts) =>
    table({
      /** Owner of the list; the default is the logged-in user. */
      of: userOrMe(),
      user: text(64),
      /** Id of the game. */
      application: snowflake(),
      /** 1 friend, 3 incoming request, 4 outgoing request. */
      type: or(numberOrName(gameRelationshipTypes), gameRelationshipTypes.friend),
      since: optional(moment()),
    }),
});

/** Relationship of a user to another in a game. */
export type GameRelationship = RowOf<typeof gameRelationships>;
