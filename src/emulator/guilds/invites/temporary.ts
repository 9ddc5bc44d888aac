import type { Committed, Reading, StateRule } from '../../api/world.ts';
import { leave } from '../members/membership.ts';

/**
 * State rule that ends a temporary membership when the user disconnects, unless the user has a role. The logged-in user
 * disconnects by logging out, another user when the status becomes offline.
 */
export const endTemporaryMembership: StateRule = (tables, commit, restoring) => {
  for (const { after } of commit.of('members').updated) {
    if (after.temporary && after.roles.length > 0) {
      tables.members.update(`${after.guild} ${after.user}`, { temporary: false });
    }
  }
  if (restoring) return;
  for (const user of disconnected(commit, tables)) {
    for (const { guild, temporary } of [...tables.members.by('user', user)]) {
      const from = tables.guilds.get(guild);
      if (temporary && from !== undefined) leave(tables, from, user);
    }
  }
};

function isThere({ status }: { readonly status: string }): boolean {
  return status !== 'offline' && status !== 'invisible';
}

/** Users who disconnected in this transaction. */
function disconnected(commit: Committed, { me, client }: Reading): Set<string> {
  const users = new Set<string>();
  const previous = commit.was('me');
  if (previous !== undefined && previous !== me.value) users.add(previous);
  const [changed] = commit.of('client').updated;
  if (changed?.before.logged_in === true && !client.value.logged_in) users.add(me.value);
  for (const { before, after } of commit.of('relationships').updated) {
    if (before.status !== 'offline' && after.status === 'offline' && after.user !== me.value)
      users.add(after.user);
  }
  for (const { before, after } of commit.of('user_presences').updated) {
    if (isThere(before) && !isThere(after) && after.user !== me.value) users.add(after.user);
  }
  return users;
}
