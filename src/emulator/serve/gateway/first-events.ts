import type { GatewayListener } from '../../api/dispatch.ts';
import type { Base } from '../../api/world.ts';
import { newLobby } from '../../lobbies/answers.ts';
import { mayKnowLobbies } from '../../lobbies/gateway-audience.ts';
import { presencesOfFriends } from '../../users/presence/friends.ts';
import type { NamedPayload } from './session.ts';

/** Capability of a session to receive its lobbies in READY instead of one event per lobby. */
const AUTO_LOBBY_CONNECT = 1 << 16;

/** The lobbies of a user in the game that the session belongs to. */
function lobbiesOf({ world: { tables } }: Base, listener: GatewayListener): object[] {
  if (!mayKnowLobbies(listener)) return [];
  return [...tables.lobby_members.by('user', listener.user)].flatMap(({ lobby: id }) => {
    const lobby = tables.lobbies.get(id);
    return lobby?.application === listener.application.id ? [newLobby(tables, lobby)] : [];
  });
}

/** Additional fields of READY for users. */
export function readyOfUser(
  platform: Base,
  listener: GatewayListener,
): { readonly lobbies?: object[]; readonly presences?: object[] } {
  if (listener.kind !== 'bearer') return {};
  const hasAutoLobbies = (listener.capabilities & AUTO_LOBBY_CONNECT) !== 0;
  const presences = presencesOfFriends(platform.world.tables, listener);
  return {
    ...(hasAutoLobbies ? { lobbies: lobbiesOf(platform, listener) } : {}),
    ...(presences ? { presences } : {}),
  };
}

/** Events for users after READY. */
export function firstEvents(platform: Base, listener: GatewayListener): readonly NamedPayload[] {
  if (listener.kind !== 'bearer' || (listener.capabilities & AUTO_LOBBY_CONNECT) !== 0) return [];
  return lobbiesOf(platform, listener).map((lobby) => ['LOBBY_CREATE', JSON.stringify(lobby)] as const);
}
