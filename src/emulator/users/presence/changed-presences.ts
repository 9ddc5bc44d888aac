import type { Committed, Reading } from '../../api/world.ts';
import { isSameJson } from '../../kernel/same-json.ts';

/** Tables from which public presences are derived. */
export const PRESENCE_TABLES = [
  'user_presences',
  'session_presences',
  'presences',
  'relationships',
  'client',
  'me',
] as const;

/** Ids of the users whose presence changed. */
export function changedPresences(commit: Committed, tables: Reading): Set<string> {
  const { me, users } = tables;
  const found = new Set<string>();
  for (const name of ['user_presences', 'session_presences'] as const) {
    const { created, updated, removed } = commit.of(name);
    for (const { user } of [...created, ...removed]) found.add(user);
    for (const { after } of updated) found.add(after.user);
  }
  if (commit.touches('presences')) found.add(me.value);
  const before = commit.was('me');
  if (before !== undefined && before !== me.value) {
    found.add(before).add(me.value);
    // The presence of friends may come from the friend list of the logged-in user, which has changed.
    for (const of of [before, me.value]) {
      for (const { user } of tables.relationships.by('of', of)) found.add(user);
    }
  }
  for (const one of commit.of('client').updated) {
    if (one.before.logged_in !== one.after.logged_in) found.add(me.value);
  }
  // Friends without a row in `user_presences` have their presence in the friend list.
  const friends = commit.of('relationships');
  const seen = [...friends.created, ...friends.removed].filter(({ status }) => status !== 'offline');
  const moved = friends.updated.filter(
    (one) => one.before.status !== one.after.status || !isSameJson(one.before.activity, one.after.activity),
  );
  for (const { of, user } of [...seen, ...moved.map(({ after }) => after)]) {
    if (of === me.value && !tables.user_presences.has(user)) found.add(user);
  }
  return new Set([...found].filter((user) => users.has(user)));
}
