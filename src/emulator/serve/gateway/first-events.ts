import type { GatewayListener } from '../../api/dispatch.ts';
import type { Base } from '../../api/world.ts';
import { newLobby } from '../../lobbies/answers.ts';
import { mayKnowLobbies } from '../../lobbies/listening.ts';
import { presencesOfFriends } from '../../users/presence/friends.ts';
import type { Told } from './session.ts';

/** Capability of a session to be told its lobbies with READY, and not each by itself. */
const AUTO_LOBBY_CONNECT = 1 << 16;

/** The lobbies of a person in the game of their session. */
function lobbiesOf({ world: { tables } }: Base, listener: GatewayListener): object[] {
  if (!mayKnowLobbies(listener)) return [];
  return [...tables.lobby_members.by('user', listener.user)].flatMap(({ lobby: id }) => {
    const lobby = tables.lobbies.get(id);
    return lobby?.application === listener.application.id ? [newLobby(tables, lobby)] : [];
  });
}

/** What READY tells a person besides. */
export function readyOfPerson(
  platform: Base,
  listener: GatewayListener,
): { readonly lobbies?: object[]; readonly presences?: object[] } {
  if (listener.kind !== 'bearer') return {};
  const isTold = (listener.capabilities & AUTO_LOBBY_CONNECT) !== 0;
  const presences = presencesOfFriends(platform.world.tables, listener);
  return {
    ...(isTold ? { lobbies: lobbiesOf(platform, listener) } : {}),
    ...(presences ? { presences } : {}),
  };
}

/** What a person is told behind READY. */
export function firstEvents(platform: Base, listener: GatewayListener): readonly Told[] {
  if (listener.kind !== 'bearer' || (listener.capabilities & AUTO_LOBBY_CONNECT) !== 0) return [];
  return lobbiesOf(platform, listener).map((lobby) => ['LOBBY_CREATE', JSON.stringify(lobby)] as const);
}
