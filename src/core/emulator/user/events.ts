import { relationshipWith } from '../relationship/events.ts';
import { defineCommitEvents } from '../rpc-event.ts';
import { ownView } from '../voice/events.ts';
import { rpcUser } from './shapes.ts';

/** Events for a user whose visible fields change: the logged-in user, a user on that user's list, a user in a call. */
export const userEvents = defineCommitEvents({
  events: ['CURRENT_USER_UPDATE', 'RELATIONSHIP_UPDATE', 'VOICE_STATE_UPDATE'],
  tables: ['users'],
  *derive(commit, context) {
    for (const { after: user } of commit.of('users').updated) {
      if (user.id === context.emulator.me().id) {
        for (const { id: sessionId, canSeePremium } of context.subscribers.of('CURRENT_USER_UPDATE')) {
          yield { event: 'CURRENT_USER_UPDATE', data: () => rpcUser(user, canSeePremium), to: { sessionId } };
        }
      }
      yield* relationshipWith(user.id, context);
      yield* ownView(user.id, context);
    }
  },
});
