import type * as z from 'zod';
import type { Reading } from '../api/world.ts';
import { guildChannelAnswer } from '../guilds/channels/answers.ts';
import { authorAnswer } from '../messages/answers.ts';
import { gameMessage, timesOf } from '../messages/presenting.ts';
import { MESSAGE_FLAGS } from '../messages/records.ts';
import { userAnswer } from '../users/answers.ts';
import type { Lobby, LobbyMember, LobbyMessage, LobbyVoiceState } from './records.ts';
import type {
  gatewayLobbyShape,
  lobbyMemberShape,
  lobbyMessageShape,
  lobbyShape,
  lobbyVoiceStateShape,
  newLobbyMemberShape,
  newLobbyShape,
} from './shapes.ts';

/** Member of a lobby. */
export function lobbyMemberAnswer(member: LobbyMember): z.output<typeof lobbyMemberShape> {
  const { user, metadata: memberMetadata, flags, additional_name } = member;
  return {
    id: user,
    metadata: memberMetadata === null ? null : { ...memberMetadata },
    flags,
    ...(additional_name === null ? {} : { additional_name }),
  };
}

/** Member of a lobby with the user object, for recipients who may not know the user. */
export function newLobbyMember(
  { users }: Reading,
  member: LobbyMember,
): z.output<typeof newLobbyMemberShape> {
  const user = users.get(member.user);
  return { ...lobbyMemberAnswer(member), ...(user === undefined ? {} : { user: userAnswer(user) }) };
}

/** A lobby with its members. */
export function lobbyAnswer(tables: Reading, lobby: Lobby): z.output<typeof lobbyShape> {
  return lobbyWith(tables, lobby, lobbyMemberAnswer);
}

function lobbyWith<Member>(tables: Reading, lobby: Lobby, answer: (member: LobbyMember) => Member) {
  const channel = tables.channels.get(lobby.linked_channel ?? '');
  return {
    id: lobby.id,
    application_id: lobby.application,
    metadata: lobby.metadata === null ? null : { ...lobby.metadata },
    members: [...tables.lobby_members.by('lobby', lobby.id)].map(answer),
    ...(channel === undefined ? {} : { linked_channel: guildChannelAnswer(tables, channel) }),
    flags: lobby.flags,
  };
}

/** Voice state of a member in the call of a lobby. */
export function lobbyVoiceStateAnswer(state: LobbyVoiceState): z.output<typeof lobbyVoiceStateShape> {
  const { lobby, user, self_mute, self_deaf } = state;
  return {
    lobby_id: lobby,
    channel_id: lobby,
    user_id: user,
    session_id: `lobby.${lobby}.${user}`,
    deaf: false,
    mute: false,
    self_deaf,
    self_mute,
    self_video: false,
    suppress: false,
  };
}

/** A lobby as gateway events send it: with its voice states. */
export function gatewayLobby(tables: Reading, lobby: Lobby): z.output<typeof gatewayLobbyShape> {
  return { ...lobbyAnswer(tables, lobby), voice_states: callIn(tables, lobby) };
}

function callIn({ lobby_voice_states }: Reading, { id }: Lobby): z.output<typeof lobbyVoiceStateShape>[] {
  return [...lobby_voice_states.by('lobby', id)].map(lobbyVoiceStateAnswer);
}

/** A lobby with the user objects of its members, for a session that does not know the lobby. */
export function newLobby(tables: Reading, lobby: Lobby): z.output<typeof newLobbyShape> {
  const whole = lobbyWith(tables, lobby, (member) => newLobbyMember(tables, member));
  return { ...whole, voice_states: callIn(tables, lobby) };
}

/** Public view of a lobby message: without its moderation metadata. */
export function lobbyMessageAnswer(
  tables: Reading,
  message: LobbyMessage,
): z.output<typeof lobbyMessageShape> {
  const { lobby, channel, flags = 0, additional_name } = message;
  const application = tables.lobbies.get(lobby)?.application;
  const isOfGame = (flags & MESSAGE_FLAGS.sentByGame) !== 0;
  return {
    ...gameMessage(message),
    lobby_id: lobby,
    channel_id: channel ?? lobby,
    author: authorAnswer(tables, message),
    ...(additional_name === undefined ? {} : { lobby_member: { additional_name } }),
    ...(isOfGame && application !== undefined ? { application_id: application } : {}),
  };
}

/** The game's view of a lobby message, with the game's moderation metadata. */
export function moderatedAnswer(tables: Reading, message: LobbyMessage): z.output<typeof lobbyMessageShape> {
  const { moderation_metadata } = message;
  const answer = lobbyMessageAnswer(tables, message);
  return moderation_metadata === undefined
    ? answer
    : { ...answer, moderation_metadata: { ...moderation_metadata } };
}

/** Payload of an event for an edited message: the public view, with the times of creation and edit. */
export function editedAnswer(tables: Reading, message: LobbyMessage): object {
  return { ...lobbyMessageAnswer(tables, message), ...timesOf(message) };
}
