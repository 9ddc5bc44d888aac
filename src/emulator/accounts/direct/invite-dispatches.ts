import * as z from 'zod';
import { type Dispatched, defineDispatch } from '../../api/dispatch.ts';
import type { Reading } from '../../api/world.ts';
import { userShape } from '../../users/shapes.ts';
import {
  type InviteMessage,
  inviteMessage,
  messageOfInvite,
  messageOfJoinRequest,
} from './invite-answers.ts';

/** Scope that a game needs to receive invites. */
const SCOPE = 'activities.invites.write';

function* dispatchesOf(tables: Reading, invite: InviteMessage): Generator<Dispatched> {
  const author = tables.users.get(invite.from);
  if (author === undefined) return;
  const { to, application } = invite;
  yield {
    canSee: (listener) =>
      listener.kind === 'bearer' &&
      listener.user === to &&
      listener.application.id === application &&
      listener.scopes.includes(SCOPE),
    data: () => inviteMessage(author, invite),
  };
}

/** Gateway events of invites to play. */
export const playInviteDispatches = [
  defineDispatch({
    event: 'MESSAGE_CREATE',
    summary:
      'Another user invites the user to their game (`activity.type` 1), or requests to join the user’s (5).',
    intents: [],
    tables: ['game_invites', 'join_requests'],
    ours:
      'Every session of the user through that game with the scope activities.invites.write receives it; ' +
      'none receives the secret.',
    shape: z.looseObject({
      id: z.string(),
      channel_id: z.string(),
      author: userShape,
      application_id: z.string(),
      activity: z.object({
        type: z.int(),
        party_id: z.optional(z.string()),
        session_id: z.optional(z.string()),
      }),
    }),
    *derive(commit, { world: { tables } }) {
      for (const invite of commit.of('game_invites').created)
        yield* dispatchesOf(tables, messageOfInvite(invite));
      for (const request of commit.of('join_requests').created)
        yield* dispatchesOf(tables, messageOfJoinRequest(request));
    },
  }),
];
