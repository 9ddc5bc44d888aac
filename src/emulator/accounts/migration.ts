import type { Writing } from '../api/world.ts';
import { DIRECT } from '../guilds/channels/private-records.ts';
import { newUser, PROVISIONAL_FLAG, type User } from '../users/records.ts';

const FRIEND = 1;
const BLOCKED = 2;

/** A new account of a game, with a generated name unlike that of any user. */
export function provisionalUser(id: string, globalName: string | null): User {
  return newUser(id, `provisional_${id}`, { global_name: globalName, flags: PROVISIONAL_FLAG });
}

/**
 * Copies the user's data in the game to a new account after an unmerge: friends who use the game, users who block the
 * user, and the user's lobbies. The old account is unchanged.
 */
export function copyAccount(
  tables: Writing,
  {
    application,
    before,
    after,
    plays,
  }: { application: string; before: string; after: string; plays: (userId: string) => boolean },
): void {
  const { relationships, game_relationships, lobbies, lobby_members } = tables;
  for (const { user: friend, type, status } of [...relationships.by('of', before)]) {
    if (type !== FRIEND || !plays(friend)) continue;
    relationships.put({ of: after, user: friend, type, status, activity: null });
    relationships.put({ of: friend, user: after, type, status: 'offline', activity: null });
  }
  for (const { of: blocker, type, status } of [...relationships.by('user', before)]) {
    if (type === BLOCKED) relationships.put({ of: blocker, user: after, type, status, activity: null });
  }
  for (const member of [...lobby_members.by('user', before)]) {
    if (lobbies.get(member.lobby)?.application === application) lobby_members.put({ ...member, user: after });
  }
  for (const row of [...game_relationships.by('of', before)]) {
    if (row.application !== application) continue;
    game_relationships.put({ ...row, of: after });
    const back = game_relationships.get(row.user, before, application);
    if (back !== undefined) game_relationships.put({ ...back, user: after });
  }
}

/**
 * Moves the data of a provisional account to another account, and then removes the provisional one. Where both accounts
 * have an entry, the entry of the other account stays.
 */
export function moveAccount(tables: Writing, before: string, after: string): void {
  movePrivateChannels(tables, before, after);
  const { relationships, game_relationships, messages, lobby_members, lobby_messages, entitlements } = tables;
  const { subscriptions, guilds, channels, me, users } = tables;
  const known = (of: string, user: string) => of === user || relationships.has(of, user);
  for (const row of [...relationships.by('of', before)]) {
    if (!known(after, row.user)) relationships.put({ ...row, of: after });
  }
  for (const row of [...relationships.by('user', before)]) {
    if (!known(row.of, after)) relationships.put({ ...row, user: after });
  }
  const knownIn = (of: string, user: string, application: string) =>
    of === user || game_relationships.has(of, user, application);
  for (const row of [...game_relationships.by('of', before)]) {
    if (!knownIn(after, row.user, row.application)) game_relationships.put({ ...row, of: after });
  }
  for (const row of [...game_relationships.by('user', before)]) {
    if (!knownIn(row.of, after, row.application)) game_relationships.put({ ...row, user: after });
  }
  for (const { id } of [...messages.by('author', before)]) messages.update(id, { author: after });
  for (const member of [...lobby_members.by('user', before)]) {
    if (!lobby_members.has(member.lobby, after)) lobby_members.put({ ...member, user: after });
  }
  for (const { id } of [...lobby_messages.by('author', before)]) lobby_messages.update(id, { author: after });
  for (const { id } of [...entitlements.by('user', before)]) entitlements.update(id, { user: after });
  for (const { id } of [...subscriptions.by('user', before)]) subscriptions.update(id, { user: after });
  // A guild that still refers to the account would prevent its removal.
  for (const { id } of [...guilds.by('owner', before)]) guilds.update(id, { owner: after });
  for (const { id, deny } of [...channels.by('deny', before)]) {
    channels.update(id, { deny: [...new Set(deny.map((one) => (one === before ? after : one)))] });
  }
  if (me.value === before) me.set(after);
  users.remove(before);
}

/** Moves private messages, into an existing channel of the two users if there is one. */
function movePrivateChannels(
  { private_channels: channels, messages }: Writing,
  before: string,
  after: string,
): void {
  for (const { id, type, recipients, owner } of [...channels.by('recipients', before)]) {
    const others = recipients.filter((one) => one !== before && one !== after);
    const known = [...channels.by('recipients', after)].find(
      (one) => type === DIRECT && one.type === DIRECT && one.recipients.includes(others[0] ?? ''),
    );
    if (known !== undefined) {
      for (const message of [...messages.by('channel', id)])
        messages.update(message.id, { channel: known.id });
    }
    // A user has no direct channel with themselves.
    if (known !== undefined || (type === DIRECT && others.length === 0)) channels.remove(id);
    else channels.update(id, { recipients: [...others, after], owner: owner === before ? after : owner });
  }
}
