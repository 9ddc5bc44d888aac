import { full } from '../api/api-error.ts';
import type { Base } from '../api/world.ts';
import { MAX_RECORDS } from '../kernel/limits.ts';
import { comeIn, type Wish } from './members.ts';
import { IDLE_SECONDS, type Lobby, secretKey } from './records.ts';

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
