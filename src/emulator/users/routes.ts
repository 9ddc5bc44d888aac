import { notFound } from '../http/api-error.ts';
import { bearer, bot, defineOperation } from '../http/operation.ts';
import { ok } from '../http/reply.ts';
import { ownUserAnswer, ownUserShape, userAnswer, userShape } from './answers.ts';

const UNKNOWN_USER = 10013;

/** The routes of accounts. */
export const userOperations = [
  defineOperation({
    id: 'get_my_user',
    summary: 'The user of the token, or the user of the bot.',
    method: 'GET',
    path: '/users/@me',
    who: [bot, bearer('identify')],
    answers: { 200: ownUserShape },
    handle: ({ caller }) =>
      // A token with `identify` shows its user, as far as its scopes allow.
      caller.kind === 'bot'
        ? ok(ownUserAnswer(caller.user, []))
        : ok(caller.user && ownUserAnswer(caller.user, caller.effectiveScopes)),
  }),
  defineOperation({
    id: 'get_user',
    summary: 'A user by id.',
    method: 'GET',
    path: '/users/{user_id}',
    who: [bot],
    answers: { 200: userShape },
    handle: ({ params }, { world }) => {
      const user = world.tables.users.get(params.user_id);
      if (user === undefined) throw notFound('Unknown User', UNKNOWN_USER);
      return ok(userAnswer(user));
    },
  }),
];
