import { defineDispatch } from '../api/dispatch.ts';
import { ownUserAnswer } from './answers.ts';
import { ownUserShape } from './shapes.ts';

/** Gateway events of accounts. */
export const userDispatches = [
  defineDispatch({
    event: 'USER_UPDATE',
    summary: 'The account of the session changed.',
    intents: [],
    tables: ['users'],
    ours: 'A user receives it in sessions with the scope identify.',
    shape: ownUserShape,
    *derive(commit) {
      for (const { after } of commit.of('users').updated) {
        yield {
          canSee: ({ kind, user, scopes }) =>
            user === after.id && (kind === 'bot' || scopes.includes('identify')),
          sameFor: ({ scopes }) => scopes.join(' '),
          data: ({ scopes }) =>
            ownUserAnswer(
              scopes.includes('identify.premium') ? after : { ...after, premium_type: 0 },
              scopes,
            ),
        };
      }
    },
  }),
];
