import type { User } from '../users/records.ts';
import type { Writing } from '../world.ts';

/** `flags` of an account that only one game knows. */
export const PROVISIONAL_FLAG = 1 << 23;

const FRIEND = 1;
const BLOCKED = 2;

/** A new account of a game. The platform makes up a name for it, which is unlike that of any person. */
export function provisionalUser(id: string, globalName: string | null): User {
  return {
    id,
    username: `provisional_${id}`,
    discriminator: '0',
    global_name: globalName,
    avatar: null,
    bot: false,
    flags: PROVISIONAL_FLAG,
    premium_type: 0,
    email: null,
    locale: 'en-US',
    primary_guild: null,
  };
}

/**
 * Gives a new account what an unmerge leaves a person in the game: friends who play it, and those who blocked them. Nothing
 * is taken from the old one.
 */
export function copyAccount(
  tables: Writing,
  { before, after, plays }: { before: string; after: string; plays: (userId: string) => boolean },
): void {
  const { relationships } = tables;
  for (const { user: friend, type, status } of [...relationships.by('of', before)]) {
    if (type !== FRIEND || !plays(friend)) continue;
    relationships.put({ of: after, user: friend, type, status, activity: null });
    relationships.put({ of: friend, user: after, type, status: 'offline', activity: null });
  }
  for (const { of: blocker, type, status } of [...relationships.by('user', before)]) {
    if (type === BLOCKED) relationships.put({ of: blocker, user: after, type, status, activity: null });
  }
}

/**
 * Moves what a provisional account has to the account that it is merged into, and takes it away. What both have stays as
 * the person had it.
 */
export function moveAccount(tables: Writing, before: string, after: string): void {
  const { relationships, messages, entitlements, guilds, channels, me, users } = tables;
  const known = (of: string, user: string) => of === user || relationships.has(of, user);
  for (const row of [...relationships.by('of', before)]) {
    if (!known(after, row.user)) relationships.put({ ...row, of: after });
  }
  for (const row of [...relationships.by('user', before)]) {
    if (!known(row.of, after)) relationships.put({ ...row, user: after });
  }
  for (const { id } of [...messages.by('author', before)]) messages.update(id, { author: after });
  for (const { id } of [...entitlements.by('user', before)]) entitlements.update(id, { user: after });
  // Nothing may stand in the way of its end.
  for (const { id } of [...guilds.by('owner', before)]) guilds.update(id, { owner: after });
  for (const { id, deny } of [...channels.by('deny', before)]) {
    channels.update(id, { deny: [...new Set(deny.map((one) => (one === before ? after : one)))] });
  }
  if (me.value === before) me.set(after);
  users.remove(before);
}
