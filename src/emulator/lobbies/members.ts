import { ApiError, full, missingAccess } from '../api/api-error.ts';
import type { Base, Reading, Writing } from '../api/world.ts';
import { isRegularUser } from '../guilds/members/membership.ts';
import { MAX_RECORDS } from '../kernel/limits.ts';
import type { User } from '../users/records.ts';
import { IDLE_SECONDS, type Lobby, type LobbyMember, secretKey } from './records.ts';
import { refused } from './request-checks.ts';

/** Maximum number of members in a lobby. */
const MAX_MEMBERS = 1_000;
/** Maximum number of lobbies that a user has in one application. */
const MAX_LOBBIES = 100;

/** Desired state of a member. An absent field stays unchanged; for a new member it is empty. */
export interface Wish {
  /** Id of the user. */
  readonly id: string;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly flags?: number | null | undefined;
  readonly additional_name?: string | null | undefined;
}

/**
 * Standing of a user towards a lobby: a member, free to join, without an account for the game, or in too many lobbies.
 */
type Standing = 'in' | 'free' | 'stranger' | 'in-too-many';

/** Standing of a user towards a lobby. @throws ApiError 10013 for an unknown user. */
export function standingOf(tables: Reading, lobby: Lobby, userId: string): Standing {
  const user = tables.users.get(userId);
  if (user === undefined) throw new ApiError('UnknownUser');
  if (tables.lobby_members.has(lobby.id, userId)) return 'in';
  if (!mayPlay(tables, lobby.application, user)) return 'stranger';
  const others = [...tables.lobby_members.by('user', userId)].filter(
    (one) => tables.lobbies.get(one.lobby)?.application === lobby.application,
  );
  return others.length >= MAX_LOBBIES ? 'in-too-many' : 'free';
}

/** Whether an account is a user's own, or was created by this game or by its publisher. */
function mayPlay(tables: Reading, application: string, user: User): boolean {
  if (isRegularUser(tables, user)) return true;
  const parent = tables.applications.get(application)?.parent;
  return [...tables.external_identities.by('user', user.id)].some(
    (one) => one.application === application || one.application === parent,
  );
}

/**
 * Adds members to a lobby, and changes existing ones. @throws ApiError 10013 for an unknown user, 50001 for the account
 * of another game, 400 for too many lobbies or members.
 */
export function comeIn(tables: Writing, lobby: Lobby, wishes: readonly Wish[]): readonly LobbyMember[] {
  for (const { id } of wishes) {
    const standing = standingOf(tables, lobby, id);
    if (standing === 'stranger') throw missingAccess();
    if (standing === 'in-too-many') {
      throw refused(`Maximum number of lobbies of a user and an application reached (${MAX_LOBBIES})`);
    }
  }
  const members = wishes.map((wish) => tables.lobby_members.put(after(tables, lobby, wish)));
  if (tables.lobby_members.by('lobby', lobby.id).size > MAX_MEMBERS) {
    throw refused(`Maximum number of members of a lobby reached (${MAX_MEMBERS})`);
  }
  return members;
}

function after({ lobby_members }: Reading, { id: lobby }: Lobby, wish: Wish): LobbyMember {
  const before = lobby_members.get(lobby, wish.id);
  const { metadata, flags, additional_name } = wish;
  return {
    lobby,
    user: wish.id,
    metadata: metadata === undefined ? (before?.metadata ?? null) : metadata,
    flags: flags === undefined ? (before?.flags ?? 0) : (flags ?? 0),
    additional_name: additional_name === undefined ? (before?.additional_name ?? null) : additional_name,
  };
}

/** Removes a member; a user who is not in the lobby is ignored. */
export function goOut({ lobby_members }: Writing, { id }: Lobby, userId: string): void {
  lobby_members.remove(`${id} ${userId}`);
}

/** Lifetime of a secret: 30 days, in milliseconds. */
const SECRET_MS = 30 * 86_400_000;

/** A new lobby that is not stored yet. @throws ApiError 503 when the number of lobbies is at its maximum. */
export function newLobby({ world, clock }: Base, fields: Pick<Lobby, 'application'> & Partial<Lobby>): Lobby {
  const { lobbies } = world.tables;
  if (lobbies.size >= MAX_RECORDS) throw full('lobbies');
  return {
    id: world.ids.next(clock.now(), (id) => lobbies.has(id)),
    metadata: null,
    flags: 0,
    idle_timeout_seconds: IDLE_SECONDS.usual,
    made_by: 'server',
    secret: null,
    secret_expires_at: null,
    linked_channel: null,
    idle_since: null,
    ...fields,
  };
}

/** A join by secret, and the changes to the lobby and the member. */
interface Joining {
  readonly application: string;
  readonly secret: string;
  readonly member: Wish;
  readonly changes?: Partial<Lobby>;
}

/**
 * Adds a user to the lobby with a secret; creates the lobby when none has this secret. @throws ApiError for a user who
 * may not join.
 */
export function joinBySecret(platform: Base, { application, secret, member, changes = {} }: Joining): Lobby {
  const { world, clock } = platform;
  return world.transaction((tables) => {
    const found = lobbyBehind(platform, application, secret);
    const secret_expires_at = new Date(clock.now() + SECRET_MS).toISOString();
    const own = { application, made_by: 'client', secret, secret_expires_at } as const;
    const lobby =
      found === undefined
        ? tables.lobbies.insert(newLobby(platform, { ...own, ...changes }))
        : tables.lobbies.update(found.id, changes);
    comeIn(tables, lobby, [member]);
    return lobby;
  });
}

/** The lobby with a valid secret. An expired secret may be used for another lobby. */
function lobbyBehind({ world, clock }: Base, application: string, secret: string): Lobby | undefined {
  const [lobby] = world.tables.lobbies.by('secret', secretKey(application, secret));
  if (lobby === undefined || lobby.secret_expires_at === null) return lobby;
  if (clock.now() < Date.parse(lobby.secret_expires_at)) return lobby;
  world.transaction(({ lobbies }) => lobbies.update(lobby.id, { secret: null, secret_expires_at: null }));
  return undefined;
}
