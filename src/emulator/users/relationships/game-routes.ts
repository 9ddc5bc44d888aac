import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { HasAuthorizations, TokenCaller } from '../../api/caller.ts';
import { choice, maybe, text } from '../../api/fields.ts';
import { bearer, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { User } from '../records.ts';
import { gameRelationshipAnswer, gameRelationshipShape } from './answers.ts';
import { befriend, bondsOfGame, part } from './bonds.ts';
import { relationshipTypes } from './records.ts';
import { checkMayRequest, userCalled, userNamed } from './request-checks.ts';

/** Services of these routes. */
type Needs = Base & HasAuthorizations;

const defineOperation = operationsFor<Needs>();

/**
 * Requests or accepts a friendship in a game. @throws ApiError 80000 when the other user has not authorized the game,
 * and the errors of {@link checkMayRequest}.
 */
function requestFriend(
  platform: Needs,
  { userId, clientId }: TokenCaller,
  other: User,
  onlyAccept = false,
): void {
  checkMayRequest(platform, userId, other);
  if (!platform.oauth2.holds(other.id, clientId)) throw new ApiError('IncomingFriendRequestsDisabled');
  const now = new Date(platform.clock.now()).toISOString();
  platform.world.transaction((tables) =>
    befriend(bondsOfGame(tables, clientId, now), userId, other.id, onlyAccept),
  );
}

/** Routes of relationships in the game that the token belongs to. */
export const gameRelationshipOperations = [
  defineOperation({
    id: 'get_game_relationships',
    summary: "Friends and requests of the user in the token's game.",
    route: 'GET /users/@me/game-relationships',
    who: [bearer('relationships.read')],
    ours: 'dm_access_type, whose meaning is not published, is 0.',
    answers: { 200: z.array(gameRelationshipShape) },
    handle: ({ caller }, platform) => {
      const own = [...platform.world.tables.game_relationships.by('of', caller.userId)];
      return ok(
        own
          .filter(({ application }) => application === caller.clientId)
          .map((one) => gameRelationshipAnswer(platform.world.tables, one)),
      );
    },
  }),
  defineOperation({
    id: 'send_game_friend_request',
    summary: 'Sends a friend request in the game to a user, by name; accepts one of that user.',
    route: 'POST /users/@me/game-relationships',
    who: [bearer('relationships.write')],
    body: z.object({ username: text(1, 32) }),
    ours: 'A user who has not authorized the game cannot be a friend in it (80000).',
    answers: { 204: null },
    handle: ({ caller, body }, platform) => {
      requestFriend(platform, caller, userCalled(platform, body.username));
      return noContent();
    },
  }),
  defineOperation({
    id: 'create_game_relationship',
    summary: 'Sends a friend request in the game, or accepts one.',
    route: 'PUT /users/@me/game-relationships/{user_id}',
    who: [bearer('relationships.write')],
    body: z.object({ type: maybe(choice(-1, 1)) }),
    ours: 'As on the platform: -1 or an absent type requests or accepts, 1 only accepts.',
    answers: { 204: null },
    handle: ({ params, caller, body }, platform) => {
      requestFriend(
        platform,
        caller,
        userNamed(platform, params.user_id),
        body.type === relationshipTypes.friend,
      );
      return noContent();
    },
  }),
  defineOperation({
    id: 'remove_game_relationship',
    summary: 'Ends a friendship in the game, or cancels or rejects a request.',
    route: 'DELETE /users/@me/game-relationships/{user_id}',
    who: [bearer('relationships.write')],
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const other = userNamed(platform, params.user_id);
      platform.world.transaction((tables) =>
        part(bondsOfGame(tables, caller.clientId, ''), caller.userId, other.id),
      );
      return noContent();
    },
  }),
];
