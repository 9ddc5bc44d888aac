import * as z from 'zod';
import { missingPermissions } from '../api/api-error.ts';
import { bearer, defineOperation, noContent, ok } from '../api/operation.ts';
import { lobbyMemberAnswer } from './answers.ts';
import { comeIn, goOut, standingOf } from './members.ts';
import type { LobbyMember } from './records.ts';
import { checkMetadata, lobbyOf } from './request-checks.ts';
import { bulkBody, memberBody } from './requests.ts';
import { lobbyMemberShape } from './shapes.ts';

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
