import * as z from 'zod';
import { type Dispatched, defineDispatch, type GatewayListener } from '../api/dispatch.ts';
import type { Committed, Reading } from '../api/world.ts';
import { isSameJson } from '../kernel/same-json.ts';
import { timesOf } from '../messages/presenting.ts';
import { gatewayLobby, lobbyMemberAnswer, moderatedAnswer, newLobby, newLobbyMember } from './answers.ts';
import { toThose } from './gateway-audience.ts';
import type { Lobby, LobbyMember, LobbyMessage } from './records.ts';
import {
  gatewayLobbyShape,
  lobbyMemberShape,
  lobbyMessageShape,
  newLobbyMemberShape,
  newLobbyShape,
} from './shapes.ts';

const ours = 'Sent to users through the application of the lobby, with the scope lobbies.write.';
const withUser =
  'No documentation says how a game learns who the members of a lobby are: here from `user` of a member.';
const ofMember = z.object({ member: lobbyMemberShape, lobby_id: z.string(), application_id: z.string() });

/** Audience of an event: the members of a lobby. */
function toMembers({ lobby_members }: Reading, { id, application }: Lobby) {
  return toThose(application, (user) => lobby_members.has(id, user));
}

/**
 * Audience of an event: users who were members before the transaction and still are. A new member receives the whole
 * lobby instead.
 */
function toThoseWhoStay(commit: Committed, { lobby_members }: Reading, { id, application }: Lobby) {
  return toThose(
    application,
    (user) => lobby_members.has(id, user) && commit.was('lobby_members', `${id} ${user}`) !== undefined,
  );
}

function byLobby(members: readonly LobbyMember[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { lobby, user } of members) found.set(lobby, (found.get(lobby) ?? new Set()).add(user));
  return found;
}

/** Fields of a lobby whose changes cause an event. */
function lobbyFields({ metadata, flags, linked_channel }: Lobby): object {
  return { metadata, flags, linked_channel };
}

function* ofMembers(
  members: readonly LobbyMember[],
  tables: Reading,
  audienceOf: (lobby: Lobby) => (listener: GatewayListener) => boolean,
  answer: (member: LobbyMember) => object = lobbyMemberAnswer,
): Generator<Dispatched> {
  for (const member of members) {
    const lobby = tables.lobbies.get(member.lobby);
    if (lobby === undefined) continue;
    const { id, application } = lobby;
    yield {
      canSee: audienceOf(lobby),
      data: () => ({ member: answer(member), lobby_id: id, application_id: application }),
    };
  }
}

function* ofMessages(
  tables: Reading,
  messages: readonly LobbyMessage[],
  data: (message: LobbyMessage) => object,
): Generator<Dispatched> {
  for (const message of messages) {
    const lobby = tables.lobbies.get(message.lobby);
    if (lobby !== undefined) yield { canSee: toMembers(tables, lobby), data: () => data(message) };
  }
}

function moderatedFields({ content, edited_timestamp, moderation_metadata }: LobbyMessage): object {
  return { content, edited_timestamp, moderation_metadata };
}

const OF_MEMBERS = { intents: [], tables: ['lobby_members'], ours } as const;
const OF_MESSAGES = { intents: [], tables: ['lobby_messages'], ours } as const;

/** Gateway events of lobbies. */
export const lobbyDispatches = [
  defineDispatch({
    event: 'LOBBY_CREATE',
    summary: 'The user is in a lobby, which they or others created.',
    ...OF_MEMBERS,
    ours: `${ours} Other members receive LOBBY_MEMBER_ADD instead. No region is named: no voice is carried here. ${withUser}`,
    shape: newLobbyShape,
    *derive(commit, { world: { tables } }) {
      for (const [id, users] of byLobby(commit.of('lobby_members').created)) {
        const lobby = tables.lobbies.get(id);
        if (lobby === undefined) continue;
        const canSee = toThose(lobby.application, (user) => users.has(user));
        yield { canSee, data: () => newLobby(tables, lobby) };
      }
    },
  }),
  defineDispatch({
    event: 'LOBBY_UPDATE',
    summary: 'The metadata, the flags or the linked channel of a lobby changed.',
    intents: [],
    tables: ['lobbies'],
    ours,
    shape: gatewayLobbyShape,
    *derive(commit, { world: { tables } }) {
      for (const { before, after } of commit.of('lobbies').updated) {
        if (isSameJson(lobbyFields(before), lobbyFields(after))) continue;
        yield {
          canSee: toThoseWhoStay(commit, tables, after),
          data: () => gatewayLobby(tables, after),
        };
      }
    },
  }),
  defineDispatch({
    event: 'LOBBY_MEMBER_ADD',
    summary: 'A user joined a lobby.',
    ...OF_MEMBERS,
    ours: `${ours} ${withUser}`,
    shape: ofMember.extend({ member: newLobbyMemberShape }),
    derive: (commit, { world: { tables } }) =>
      ofMembers(
        commit.of('lobby_members').created,
        tables,
        (lobby) => toThoseWhoStay(commit, tables, lobby),
        (member) => newLobbyMember(tables, member),
      ),
  }),
  defineDispatch({
    event: 'LOBBY_MEMBER_UPDATE',
    summary: 'A member of a lobby changed.',
    ...OF_MEMBERS,
    shape: ofMember,
    derive: (commit, { world: { tables } }) =>
      ofMembers(
        commit.of('lobby_members').updated.map(({ after }) => after),
        tables,
        (lobby) => toThoseWhoStay(commit, tables, lobby),
      ),
  }),
  defineDispatch({
    event: 'LOBBY_MEMBER_REMOVE',
    summary: 'A user left a lobby, or was removed.',
    ...OF_MEMBERS,
    shape: ofMember,
    derive: (commit, { world: { tables } }) =>
      ofMembers(commit.of('lobby_members').removed, tables, (lobby) => toThoseWhoStay(commit, tables, lobby)),
  }),
  defineDispatch({
    event: 'LOBBY_DELETE',
    summary: 'A lobby was deleted (`deleted`), or the user left it (`removed`).',
    ...OF_MEMBERS,
    shape: z.object({ id: z.string(), reason: z.enum(['deleted', 'removed']) }),
    *derive(commit, { world: { tables } }) {
      for (const [id, users] of byLobby(commit.of('lobby_members').removed)) {
        const application = commit.was('lobbies', id)?.application;
        if (application === undefined) continue;
        const reason = tables.lobbies.has(id) ? 'removed' : 'deleted';
        const canSee = toThose(application, (user) => users.has(user));
        yield { canSee, data: () => ({ id, reason }) };
      }
    },
  }),
  defineDispatch({
    event: 'LOBBY_MESSAGE_CREATE',
    summary: 'A message was written in a lobby, or in the channel that it is linked to.',
    ...OF_MESSAGES,
    shape: lobbyMessageShape,
    derive: (commit, { world: { tables } }) =>
      ofMessages(tables, commit.of('lobby_messages').created, (message) => moderatedAnswer(tables, message)),
  }),
  defineDispatch({
    event: 'LOBBY_MESSAGE_UPDATE',
    summary: 'A message of a lobby, or its moderation metadata, changed.',
    ...OF_MESSAGES,
    shape: lobbyMessageShape.extend({ edited_timestamp: z.nullable(z.string()), timestamp: z.string() }),
    derive: (commit, { world: { tables } }) =>
      ofMessages(
        tables,
        commit
          .of('lobby_messages')
          .updated.filter(({ before, after }) => !isSameJson(moderatedFields(before), moderatedFields(after)))
          .map(({ after }) => after),
        (message) => ({ ...moderatedAnswer(tables, message), ...timesOf(message) }),
      ),
  }),
  defineDispatch({
    event: 'LOBBY_MESSAGE_DELETE',
    summary: 'A message of a lobby was deleted; not sent when the whole lobby is deleted.',
    ...OF_MESSAGES,
    shape: z.object({ id: z.string(), lobby_id: z.string() }),
    derive: (commit, { world: { tables } }) =>
      ofMessages(tables, commit.of('lobby_messages').removed, ({ id, lobby }) => ({ id, lobby_id: lobby })),
  }),
];
