import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { KnowsProvisional, TokenCaller } from '../../api/caller.ts';
import { choice, flagText, maybe, text } from '../../api/fields.ts';
import { bearer, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { User } from '../records.ts';
import { relationshipAnswer, relationshipShape } from './answers.ts';
import { befriend, block, part, platformBonds } from './bonds.ts';
import { relationshipTypes } from './records.ts';
import { checkMayRequest, userCalled, userNamed } from './request-checks.ts';

/** Services of these routes. */
type Needs = Base & KnowsProvisional;

const defineOperation = operationsFor<Needs>();

/**
 * Checks that both accounts are permanent, because provisional accounts cannot have friends on the whole platform.
 * @throws ApiError 50229
 */
function checkLasting({ external }: Needs, who: string, other: User): void {
  if (external.isProvisional(who) || external.isProvisional(other.id)) throw new ApiError('InvalidUserType');
}

function requestFriend(platform: Needs, { userId }: TokenCaller, other: User, onlyAccept = false): void {
  checkMayRequest(platform, userId, other);
  checkLasting(platform, userId, other);
  const now = new Date(platform.clock.now()).toISOString();
  platform.world.transaction((tables) => {
    const bonds = platformBonds(tables, now);
    // A request to a user whom the requester blocks ends the block.
    if (bonds.type(userId, other.id) === relationshipTypes.blocked) part(bonds, userId, other.id);
    befriend(bonds, userId, other.id, onlyAccept);
  });
}

const PROVISIONAL =
  'A provisional account has friends in its game alone: it can neither send nor receive requests (50229), but can block and be blocked.';

/** Routes of friends, requests and blocked users. */
export const relationshipOperations = [
  defineOperation({
    id: 'get_relationships',
    summary: 'Friends, requests and blocked users of the user.',
    route: 'GET /users/@me/relationships',
    who: [bearer('relationships.read')],
    query: z.object({ with_implicit: z.optional(flagText()) }),
    answers: { 200: z.array(relationshipShape) },
    handle: ({ caller, query }, platform) => {
      const { implicit } = relationshipTypes;
      const own = [...platform.world.tables.relationships.by('of', caller.userId)];
      const visible = own.filter(({ type }) => type !== implicit || query.with_implicit === true);
      return ok(visible.map((one) => relationshipAnswer(platform.world.tables, one)));
    },
  }),
  defineOperation({
    id: 'send_friend_request',
    summary: 'Sends a friend request to a user, by name; accepts one of that user.',
    route: 'POST /users/@me/relationships',
    who: [bearer('relationships.write')],
    body: z.object({ username: text(1, 32), discriminator: maybe(z.union([z.string(), z.int()])) }),
    ours: PROVISIONAL,
    answers: { 204: null },
    handle: ({ caller, body }, platform) => {
      requestFriend(platform, caller, userCalled(platform, body.username));
      return noContent();
    },
  }),
  defineOperation({
    id: 'create_relationship',
    summary: 'Sends a friend request, accepts one, or blocks a user.',
    route: 'PUT /users/@me/relationships/{user_id}',
    who: [bearer('relationships.write')],
    body: z.object({ type: maybe(choice(-1, 1, 2)) }),
    ours: `-1 or an absent type requests or accepts, 1 only accepts, 2 blocks, in every game too. ${PROVISIONAL}`,
    answers: { 204: null },
    handle: ({ params, caller, body }, platform) => {
      const other = userNamed(platform, params.user_id);
      const { type = -1 } = body;
      if (type !== relationshipTypes.blocked) {
        requestFriend(platform, caller, other, type === relationshipTypes.friend);
        return noContent();
      }
      if (other.id === caller.userId) throw new ApiError('CannotSendFriendRequestsToSelf');
      const now = new Date(platform.clock.now()).toISOString();
      platform.world.transaction((tables) => block(tables, caller.userId, other.id, now));
      return noContent();
    },
  }),
  defineOperation({
    id: 'remove_relationship',
    summary: 'Ends a friendship, cancels or rejects a request, or unblocks a user.',
    route: 'DELETE /users/@me/relationships/{user_id}',
    who: [bearer('relationships.write')],
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const other = userNamed(platform, params.user_id);
      platform.world.transaction((tables) => part(platformBonds(tables, ''), caller.userId, other.id));
      return noContent();
    },
  }),
];
