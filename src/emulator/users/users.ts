import type { Derive } from '../api/world.ts';
import type { User } from './records.ts';

/** What becomes different about users and about which of them is logged in. */
export type UserChange =
  | { readonly type: 'user-created'; readonly user: User }
  | { readonly type: 'user-updated'; readonly user: User }
  | { readonly type: 'user-removed'; readonly user: User }
  /** Another account is logged in; `previous` is the id of the one before. */
  | { readonly type: 'me-changed'; readonly user: User; readonly previous: string }
  | { readonly type: 'logged-in'; readonly user: User }
  | { readonly type: 'logged-out'; readonly user: User };

/** Those who come come before the account that may be one of them, and those who go after it. */
export const userChanges: Derive<UserChange> = (commit, tables) => {
  const { created, updated, removed } = commit.of('users');
  return [
    ...created.map((user) => ({ type: 'user-created', user }) as const),
    ...updated.map(({ after }) => ({ type: 'user-updated', user: after }) as const),
    ...accountChanges(commit, tables),
    ...removed.map((user) => ({ type: 'user-removed', user }) as const),
  ];
};

const accountChanges: Derive<UserChange> = (commit, { me, users, client }) => {
  const user = users.get(me.value) as User;
  const [switched] = commit.of('me').updated;
  if (switched !== undefined) return [{ type: 'me-changed', user, previous: switched.before }];
  const [changed] = commit.of('client').updated;
  if (changed === undefined || changed.before.logged_in === changed.after.logged_in) return [];
  return [{ type: client.value.logged_in ? 'logged-in' : 'logged-out', user }];
};
