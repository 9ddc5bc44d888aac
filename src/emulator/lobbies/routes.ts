import * as z from 'zod';
import { missingAccess, missingPermissions } from '../api/api-error.ts';
import { bearer, defineOperation, noContent, ok } from '../api/operation.ts';
import { lobbyAnswer, lobbyMemberAnswer } from './answers.ts';
import { comeIn, goOut, joinBySecret, newLobby, standingOf } from './members.ts';
import type { Lobby, LobbyMember } from './records.ts';
import { checkMetadata, lobbyOf } from './request-checks.ts';
import { bulkBody, joinBody, lobbyBody, memberBody } from './requests.ts';
import { lobbyMemberShape, lobbyShape } from './shapes.ts';

/** Public fields of a lobby that the emulator does not store. */
const NOT_OFFERED = ['override_event_webhooks_url'] as const;

/** Changed fields of a lobby. */
function changesOf(body: {
  readonly metadata?: Lobby['metadata'] | undefined;
  readonly idle_timeout_seconds?: number | undefined;
  readonly flags?: number | null | undefined;
}): Partial<Lobby> {
  const { metadata, idle_timeout_seconds, flags } = body;
  return {
    ...(metadata === undefined ? {} : { metadata }),
    ...(idle_timeout_seconds === undefined ? {} : { idle_timeout_seconds }),
    ...(flags === undefined ? {} : { flags: flags ?? 0 }),
  };
}

/** Routes of lobbies. */
export const lobbyOperations = [
  defineOperation({
    id: 'create_lobby',
    summary: 'Creates a lobby, with members.',
    route: 'POST /lobbies',
    body: lobbyBody,
    notOffered: NOT_OFFERED,
    communication: 'lobby-join',
    answers: { 201: lobbyShape },
    ours: 'Metadata is limited to 1000 characters, keys and values together, unless the fixture sets another limit. A member counts as connected: a lobby is idle while it has none.',
    handle: ({ caller, body }, platform) => {
      const { world } = platform;
      const { members = [] } = body;
      checkMetadata(
        world.tables,
        [body.metadata, 'metadata'],
        ...members.map(({ metadata }, index) => [metadata, 'members', index, 'metadata'] as const),
      );
      const lobby = world.transaction((tables) => {
        const made = tables.lobbies.insert(
          newLobby(platform, { application: caller.application.id, ...changesOf(body) }),
        );
        comeIn(tables, made, members);
        return made;
      });
      return { status: 201, body: lobbyAnswer(world.tables, lobby) };
    },
  }),
  defineOperation({
    id: 'create_or_join_lobby',
    summary: 'Adds the user to the lobby with a secret; a lobby that does not exist is created.',
    route: 'PUT /lobbies',
    who: [bearer('lobbies.write')],
    body: joinBody,
    communication: 'lobby-join',
    answers: { 200: lobbyShape },
    ours: 'A secret expires after 30 days; a later request with it creates another lobby. idle_timeout_seconds and flags change an existing lobby.',
    handle: ({ caller, body }, platform) => {
      const { tables } = platform.world;
      const { secret, lobby_metadata: metadata, member_metadata } = body;
      checkMetadata(tables, [metadata, 'lobby_metadata'], [member_metadata, 'member_metadata']);
      const lobby = joinBySecret(platform, {
        application: caller.clientId,
        secret,
        member: { id: caller.userId, metadata: member_metadata },
        changes: changesOf({ ...body, metadata }),
      });
      return ok(lobbyAnswer(tables, lobby));
    },
  }),
  defineOperation({
    id: 'get_lobby',
    summary: 'A lobby with its members.',
    route: 'GET /lobbies/{lobby_id}',
    answers: { 200: lobbyShape },
    ours: 'A lobby of another application is refused with 50001.',
    handle: ({ caller, params }, { world }) => {
      const lobby = lobbyOf(world.tables, caller.application.id, params.lobby_id);
      return ok(lobbyAnswer(world.tables, lobby));
    },
  }),
  defineOperation({
    id: 'edit_lobby',
    summary: 'Changes a lobby; a list of members removes all others.',
    route: 'PATCH /lobbies/{lobby_id}',
    body: lobbyBody,
    notOffered: NOT_OFFERED,
    communication: 'lobby-change',
    answers: { 200: lobbyShape },
    handle: ({ caller, params, body }, { world }) => {
      const lobby = lobbyOf(world.tables, caller.application.id, params.lobby_id);
      const { members } = body;
      checkMetadata(
        world.tables,
        [body.metadata, 'metadata'],
        ...(members ?? []).map(({ metadata }, index) => [metadata, 'members', index, 'metadata'] as const),
      );
      const changed = world.transaction((tables) => {
        const next = tables.lobbies.update(lobby.id, changesOf(body));
        if (members === undefined) return next;
        const stay = new Set(members.map(({ id }) => id));
        for (const { user } of [...tables.lobby_members.by('lobby', lobby.id)]) {
          if (!stay.has(user)) goOut(tables, lobby, user);
        }
        comeIn(tables, lobby, members);
        return next;
      });
      return ok(lobbyAnswer(world.tables, changed));
    },
  }),
  defineOperation({
    id: 'delete_lobby',
    summary: 'Deletes a lobby, if it exists.',
    route: 'DELETE /lobbies/{lobby_id}',
    answers: { 204: null },
    handle: ({ caller, params }, { world }) => {
      const lobby = world.tables.lobbies.get(params.lobby_id);
      if (lobby !== undefined && lobby.application !== caller.application.id) throw missingAccess();
      world.transaction(({ lobbies }) => lobbies.remove(params.lobby_id));
      return noContent();
    },
  }),
];

const MEMBER = '/lobbies/{lobby_id}/members/{user_id}';

/** Routes of lobby members. */
export const lobbyMemberOperations = [
  defineOperation({
    id: 'add_lobby_member',
    summary: 'Adds a user to a lobby, or changes a member.',
    route: `PUT ${MEMBER}`,
    body: memberBody,
    communication: 'lobby-change',
    answers: { 200: lobbyMemberShape },
    ours: 'Accounts of other games and bots are refused with 50001, one user too many with 400.',
    handle: ({ caller, params, body }, { world }) => {
      const lobby = lobbyOf(world.tables, caller.application.id, params.lobby_id);
      checkMetadata(world.tables, [body.metadata, 'metadata']);
      const [member] = world.transaction((tables) =>
        comeIn(tables, lobby, [{ ...body, id: params.user_id }]),
      );
      return ok(lobbyMemberAnswer(member as LobbyMember));
    },
  }),
  defineOperation({
    id: 'bulk_update_lobby_members',
    summary: 'Adds, changes or removes up to 25 members of a lobby; returns the remaining ones of them.',
    route: 'POST /lobbies/{lobby_id}/members/bulk',
    body: bulkBody,
    communication: 'lobby-change',
    answers: { 200: z.array(lobbyMemberShape) },
    ours: 'For a user who is named twice the last entry counts.',
    handle: ({ caller, params, body }, { world }) => {
      const lobby = lobbyOf(world.tables, caller.application.id, params.lobby_id);
      checkMetadata(
        world.tables,
        ...body.map(({ metadata }, index) => [metadata, index, 'metadata'] as const),
      );
      const wishes = [...new Map(body.map((wish) => [wish.id, wish])).values()];
      const members = world.transaction((tables) => {
        // The standing of users to remove is computed too, because an unknown user is an error.
        const standings = new Map(wishes.map(({ id }) => [id, standingOf(tables, lobby, id)]));
        for (const { id, remove_member } of wishes) if (remove_member === true) goOut(tables, lobby, id);
        const staying = wishes.filter(({ id, remove_member }) => {
          const standing = standings.get(id);
          // A user who may not join is skipped.
          return remove_member !== true && (standing === 'in' || standing === 'free');
        });
        return comeIn(tables, lobby, staying);
      });
      return ok(members.map(lobbyMemberAnswer));
    },
  }),
  defineOperation({
    id: 'leave_lobby',
    summary: 'Removes the user from a lobby.',
    route: 'DELETE /lobbies/{lobby_id}/members/@me',
    who: [bearer('lobbies.write')],
    answers: { 204: null },
    ours: 'Users cannot leave a lobby that the application’s server created: 50013.',
    handle: ({ caller, params }, { world }) => {
      const lobby = lobbyOf(world.tables, caller.clientId, params.lobby_id);
      if (lobby.made_by === 'server') throw missingPermissions();
      world.transaction((tables) => goOut(tables, lobby, caller.userId));
      return noContent();
    },
  }),
  defineOperation({
    id: 'delete_lobby_member',
    summary: 'Removes a user from a lobby, if they are in it.',
    route: `DELETE ${MEMBER}`,
    communication: 'lobby-change',
    answers: { 204: null },
    handle: ({ caller, params }, { world }) => {
      const lobby = lobbyOf(world.tables, caller.application.id, params.lobby_id);
      world.transaction((tables) => goOut(tables, lobby, params.user_id));
      return noContent();
    },
  }),
];
