import * as z from 'zod';
import { ApiError, missingAccess, notFound } from '../../api/api-error.ts';
import { maybe, snowflake } from '../../api/fields.ts';
import { bearer, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import { areFriends } from '../relationships/bonds.ts';
import type { HasInvitations } from './invitations.ts';
import { ACTIONS, isForFriends, joinableGame } from './joinable-games.ts';

const defineOperation = operationsFor<Base & HasInvitations>();

/** Route that returns the join secret of an invite to its guest. */
export const activitySecretOperations = [
  defineOperation({
    id: 'get_activity_secret',
    summary:
      'Join secret of a game, for a user who was invited, or who is a friend of the host where friends may join.',
    route: 'GET /users/{user_id}/sessions/{session}/activities/{application_id}/{action_type}',
    who: [bearer('activities.read')],
    query: z.object({ channel_id: maybe(snowflake()), message_id: maybe(snowflake()) }),
    ours:
      'An invite is valid for six hours, as long as the session in it has the same secret; the secret may be requested again. ' +
      'Any other is unknown (10008). Without one, friends may join a game with the flag PARTY_PRIVACY_FRIENDS; 50001 otherwise. The only action type is JOIN, 1.',
    answers: { 200: z.object({ secret: z.string() }) },
    handle: ({ params, query, caller }, { world, invitations }) => {
      if (params.action_type !== String(ACTIONS.JOIN)) throw notFound();
      const { user_id: user, application_id: application, session } = params;
      if (query.message_id !== undefined) {
        const invite = invitations.secretFor(caller.userId, query.message_id);
        const isIt =
          invite?.sender === user &&
          invite.application === application &&
          invite.session === session &&
          invite.channel === (query.channel_id ?? invite.channel);
        if (!isIt) throw new ApiError('UnknownMessage');
        return ok({ secret: invite.secret });
      }
      const game = joinableGame(world.tables, { user, application, session });
      const isOpen =
        game?.session === session &&
        isForFriends(game) &&
        areFriends(world.tables, application, caller.userId, user);
      if (!isOpen) throw missingAccess();
      return ok({ secret: game.secret });
    },
  }),
];
