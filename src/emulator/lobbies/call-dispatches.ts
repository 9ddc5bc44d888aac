import * as z from 'zod';
import { type Dispatched, defineDispatch, type GatewayListener } from '../api/dispatch.ts';
import type { Committed, Reading } from '../api/world.ts';
import { lobbyMemberAnswer, lobbyVoiceStateAnswer } from './answers.ts';
import { toThose } from './gateway-audience.ts';
import type { Lobby, LobbyVoiceState } from './records.ts';
import { lobbyMemberShape, lobbyVoiceStateShape } from './shapes.ts';

const ours =
  'How a game joins the call of a lobby is not published: here with opcode 4 and the id of the lobby as `channel_id`, with `guild_id` null or absent, in a session with lobbies.write; null as `channel_id` leaves. A user is in one call of a game at a time, in the session of the last update, and leaves it when that session ends for good. The operations lobby.join-call and lobby.leave-call start and end a call without a session.';
const ofMember = z.object({ member: lobbyMemberShape, lobby_id: z.string() });

/** Voice states that joined, changed or left, each with its lobby. States of removed lobbies are omitted. */
function of(commit: Committed, { lobbies }: Reading) {
  const { created, updated, removed } = commit.of('lobby_voice_states');
  const withLobby = (states: readonly LobbyVoiceState[]) =>
    states.flatMap((state) => {
      const lobby = lobbies.get(state.lobby);
      return lobby === undefined ? [] : [{ state, lobby }];
    });
  return {
    came: withLobby(created),
    changed: withLobby(updated.map(({ after }) => after)),
    /** States of users who continue the call in another session. */
    moved: withLobby(
      updated.flatMap(({ before, after }) => (before.session === after.session ? [] : [after])),
    ),
    left: withLobby(removed),
  };
}

function toMembers(
  { lobby_members }: Reading,
  { id, application }: Lobby,
): (listener: GatewayListener) => boolean {
  return toThose(application, (user) => lobby_members.has(id, user));
}

function* members(
  commit: Committed,
  tables: Reading,
  states: readonly { readonly state: LobbyVoiceState; readonly lobby: Lobby }[],
): Generator<Dispatched> {
  for (const { state, lobby } of states) {
    const key = `${state.lobby} ${state.user}`;
    const member = tables.lobby_members.get(state.lobby, state.user) ?? commit.was('lobby_members', key);
    if (member === undefined) continue;
    yield {
      canSee: toMembers(tables, lobby),
      data: () => ({ member: lobbyMemberAnswer(member), lobby_id: lobby.id }),
    };
  }
}

const OF_CALLS = { intents: [], tables: ['lobby_voice_states'], ours } as const;

/** Gateway events of calls in lobbies. */
export const lobbyCallDispatches = [
  defineDispatch({
    event: 'LOBBY_MEMBER_CONNECT',
    summary: 'A user joined the call of a lobby.',
    ...OF_CALLS,
    shape: ofMember,
    derive: (commit, { world: { tables } }) => members(commit, tables, of(commit, tables).came),
  }),
  defineDispatch({
    event: 'LOBBY_MEMBER_DISCONNECT',
    summary: 'A user left the call of a lobby.',
    ...OF_CALLS,
    shape: ofMember,
    derive: (commit, { world: { tables } }) => members(commit, tables, of(commit, tables).left),
  }),
  defineDispatch({
    event: 'LOBBY_VOICE_STATE_UPDATE',
    summary: 'A user joined or left the call of a lobby, or their voice state changed.',
    ...OF_CALLS,
    ours: 'After a user left, `channel_id` is null; otherwise it is the id of the lobby.',
    shape: lobbyVoiceStateShape,
    *derive(commit, { world: { tables } }) {
      const { came, changed, left } = of(commit, tables);
      for (const { state, lobby } of [...came, ...changed]) {
        yield { canSee: toMembers(tables, lobby), data: () => lobbyVoiceStateAnswer(state) };
      }
      for (const { state, lobby } of left) {
        const data = { ...lobbyVoiceStateAnswer(state), channel_id: null };
        yield { canSee: toMembers(tables, lobby), data: () => data };
      }
    },
  }),
  defineDispatch({
    event: 'LOBBY_VOICE_SERVER_UPDATE',
    summary: 'Voice server for the call that the user joined; also in another session.',
    ...OF_CALLS,
    ours: 'No voice is carried here: `endpoint` is null, which on the platform means that no server is allocated.',
    shape: z.object({ token: z.string(), lobby_id: z.string(), endpoint: z.null() }),
    *derive(commit, { world: { tables } }) {
      const { came, moved } = of(commit, tables);
      for (const { state, lobby } of [...came, ...moved]) {
        const data = { token: `emulator.voice.${state.user}`, lobby_id: lobby.id, endpoint: null };
        yield { canSee: toThose(lobby.application, (user) => user === state.user), data: () => data };
      }
    },
  }),
];
