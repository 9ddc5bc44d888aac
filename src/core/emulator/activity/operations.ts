import * as z from 'zod';
import { findPerson } from '../../../emulator/api/lookup.ts';
import { randomSecret } from '../../../emulator/kernel/secrets.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import type { Shared } from '../app-session.ts';
import { findApplication } from '../find-application.ts';
import { bareActivity, inviteData, joinRequestData, sendJoin, sendSpectate } from './events.ts';
import { findHost, ownSecret } from './host.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));
const withSecret = () =>
  z.object({ app: name(), secret: z.optional(z.string().check(z.minLength(2), z.maxLength(128))) });

/** What a person can do to bring players together. Applications and users are given by id or exact name. */
export function activityOperations(shared: Shared): { readonly [name: string]: AdminOperation } {
  const { emulator, host } = shared;
  const other = (text: string) => {
    const user = findPerson(emulator.tables, text);
    if (user.id === emulator.me().id) throw new Error('That is the logged-in user; name another');
    return user;
  };
  return {
    'activity.doubts': defineOperation({
      summary: 'What spoke against activities, where the rules of the fixture want it told',
      args: () => z.object({}),
      run: async () => shared.judge.doubts,
    }),
    'activity.request-join': defineOperation({
      summary: 'Let a user ask to join what the logged-in user plays (ACTIVITY_JOIN_REQUEST)',
      args: () => z.object({ user: name(), app: name() }),
      async run({ user, app }) {
        const application = findApplication(emulator, app);
        const request = emulator.invitations.ask(other(user).id, application.id);
        const activity = findHost(shared, application.id)?.activity ?? bareActivity(application.id, emulator);
        const data = joinRequestData(shared, request, activity);
        return {
          ...request,
          sessions: host.emit('ACTIVITY_JOIN_REQUEST', data, { clientId: application.id }),
        };
      },
    }),
    'activity.invite': defineOperation({
      summary: 'Let a user invite the logged-in user to their game (ACTIVITY_INVITE)',
      args: () => z.object({ user: name(), app: name() }),
      async run({ user, app }) {
        const application = findApplication(emulator, app);
        const invite = emulator.invitations.invite({
          sender: other(user).id,
          recipient: emulator.me().id,
          application: application.id,
          session: randomSecret(32),
          activity: {
            ...bareActivity(application.id, emulator),
            party: { id: randomSecret(16), size: [1, 4] },
          },
          secret: randomSecret(32),
          host: null,
        });
        const data = inviteData(shared, invite);
        const sessions = host.emit('ACTIVITY_INVITE', data, { clientId: application.id });
        return { user: invite.sender, application: application.id, message: invite.message, sessions };
      },
    }),
    'activity.join': defineOperation({
      summary: 'Let the user join a party of an application (ACTIVITY_JOIN)',
      args: withSecret,
      async run({ app, secret }) {
        const { id } = findApplication(emulator, app);
        return { application: id, sessions: sendJoin(shared, id, secret ?? ownSecret(shared, id, 'join')) };
      },
    }),
    'activity.spectate': defineOperation({
      summary: 'Let the user watch a game of an application (ACTIVITY_SPECTATE)',
      args: withSecret,
      async run({ app, secret }) {
        const { id } = findApplication(emulator, app);
        const sessions = sendSpectate(shared, id, secret ?? ownSecret(shared, id, 'spectate'));
        return { application: id, sessions };
      },
    }),
  };
}
