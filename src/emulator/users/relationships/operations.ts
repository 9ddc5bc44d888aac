import * as z from 'zod';
import { nameArg, operatorOperationsFor, USER_ARG } from '../../api/operator.ts';
import type { Relationship } from './records.ts';

const operation = operatorOperationsFor<{
  readonly accounts: {
    befriend(userId: string, status: Relationship['status'], type?: number): Relationship;
    unfriend(userId: string): boolean;
  };
}>();

/** Relationship types by name, in the order of their numbers, which start at 1. */
const TYPES = ['friend', 'blocked', 'incoming', 'outgoing', 'implicit'] as const;
const STATUSES = ['online', 'idle', 'dnd', 'offline', 'none'] as const;

/** Operator operations for the relationships of the logged-in user. Users are named by id or name. */
export const relationshipOperations = [
  operation({
    name: 'relationship.set',
    summary: 'Make a user a friend with a presence, such as online; "none" ends the friendship',
    about: 'The result is the relationship as a fixture writes it, or whether one was removed.',
    args: () => z.object({ user: nameArg(), status: z.enum(STATUSES), type: z.optional(z.enum(TYPES)) }),
    result: () =>
      z.looseObject({
        user: z.string(),
        type: z.optional(z.number()),
        status: z.optional(z.string()),
        removed: z.optional(z.boolean()),
      }),
    command: {
      name: 'friend',
      summary: 'Make a user a friend of the logged-in user, or change their status',
      syntax: {
        user: USER_ARG,
        status: {
          name: 'STATUS',
          help: 'online, idle, dnd, offline; none ends the friendship',
          choices: STATUSES,
        },
        type: {
          option: 'type',
          name: 'TYPE',
          choices: TYPES,
          help: 'friend, blocked, incoming, outgoing or implicit; friend unless they are listed already',
        },
      },
      examples: [
        ['friend otter idle', 'A friend who is away'],
        ['friend otter online --type incoming', 'Somebody who asks to be a friend'],
        ['friend heron none', 'Friends no longer'],
      ],
      resultText: (_relationship, { user, status }) =>
        status === 'none' ? `${user} is no longer on the list.` : `${user} is ${status}.`,
    },
    run({ accounts, lookup }, { user, status, type }) {
      const { id } = lookup.user(user);
      if (status === 'none') return { user: id, removed: accounts.unfriend(id) };
      return accounts.befriend(id, status, type === undefined ? undefined : TYPES.indexOf(type) + 1);
    },
  }),
] as const;
