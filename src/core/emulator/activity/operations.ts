import * as z from 'zod';
import { adminOperationsFor } from '../../../base/admin-operation.ts';
import { APP_ARG, nameArg, noArgs, USER_ARG } from '../../../emulator/api/operator.ts';
import { randomSecret } from '../../../emulator/kernel/secrets.ts';
import type { User } from '../../../emulator/users/records.ts';
import type { Shared } from '../app-session.ts';
import { bareActivity, inviteData, joinRequestData, sendJoin, sendSpectate } from './events.ts';
import { findHost, ownSecret } from './host.ts';

const operation = adminOperationsFor<Shared>();

const withSecret = () =>
  z.object({ app: nameArg(), secret: z.optional(z.string().check(z.minLength(2), z.maxLength(128))) });
/** `sessions` is the number of connected apps that got the event. */
const reached = () => z.object({ application: z.string(), sessions: z.number() });

const describeReach = ({ sessions }: { readonly sessions: number }): string =>
  sessions === 0
    ? 'No connected app has subscribed to it.'
    : `It went to ${sessions} connected ${sessions === 1 ? 'app' : 'apps'}.`;

/** Returns a user other than the logged-in user. */
function other({ lookup }: Shared['emulator'], text: string): User {
  const user = lookup.user(text);
  if (user.id === lookup.me().id) throw new Error('That is the logged-in user; name another');
  return user;
}

/** Operator operations that bring players together. They take applications and users by id or exact name. */
export const activityOperations = [
  operation({
    name: 'activity.doubts',
    summary: 'Warnings about activities, where the rules of the fixture ask for them',
    args: noArgs,
    result: () => z.array(z.looseObject({})),
    run: ({ linter }) => linter.warnings.map((warning) => ({ ...warning })),
  }),
  operation({
    name: 'activity.invite',
    summary: 'Let a user invite the logged-in user to their game (ACTIVITY_INVITE)',
    about: '`sessions` is the number of connected apps that got it; `message` the id of the invitation.',
    args: () => z.object({ user: nameArg(), app: nameArg() }),
    result: () =>
      z.object({ user: z.string(), application: z.string(), message: z.string(), sessions: z.number() }),
    command: {
      name: 'activity invite',
      syntax: { user: USER_ARG, app: APP_ARG },
      examples: [["activity invite heron 'Harbour Example'", 'Come and play']],
      resultText: describeReach,
    },
    run(shared, { user, app }) {
      const { emulator, host } = shared;
      const application = emulator.lookup.application(app);
      const invite = emulator.invitations.invite({
        sender: other(emulator, user).id,
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
  operation({
    name: 'activity.request-join',
    summary: 'Let a user ask to join what the logged-in user plays (ACTIVITY_JOIN_REQUEST)',
    about: '`sessions` is the number of connected apps that got it.',
    args: () => z.object({ user: nameArg(), app: nameArg() }),
    result: () => z.looseObject({ user: z.string(), application: z.string(), sessions: z.number() }),
    command: {
      name: 'activity request-join',
      syntax: { user: USER_ARG, app: APP_ARG },
      examples: [["activity request-join heron 'Harbour Example'", 'May I come along?']],
      resultText: describeReach,
    },
    run(shared, { user, app }) {
      const { emulator, host } = shared;
      const application = emulator.lookup.application(app);
      const request = emulator.invitations.requestJoin(other(emulator, user).id, application.id);
      const activity = findHost(shared, application.id)?.activity ?? bareActivity(application.id, emulator);
      const data = joinRequestData(shared, request, activity);
      const sessions = host.emit('ACTIVITY_JOIN_REQUEST', data, { clientId: application.id });
      return { ...request, sessions };
    },
  }),
  operation({
    name: 'activity.join',
    summary: 'Let the user join a party of an application (ACTIVITY_JOIN)',
    args: withSecret,
    result: reached,
    command: {
      name: 'activity join',
      summary: "Let the user join the party of an application's activity (ACTIVITY_JOIN)",
      syntax: { app: APP_ARG },
      examples: [["activity join 'Harbour Example'", 'The app gets the join secret of its own activity']],
      resultText: describeReach,
    },
    run(shared, { app, secret }) {
      const { id } = shared.emulator.lookup.application(app);
      return { application: id, sessions: sendJoin(shared, id, secret ?? ownSecret(shared, id, 'join')) };
    },
  }),
  operation({
    name: 'activity.spectate',
    summary: 'Let the user watch a game of an application (ACTIVITY_SPECTATE)',
    args: withSecret,
    result: reached,
    command: {
      name: 'activity spectate',
      summary: "Let the user watch the game of an application's activity (ACTIVITY_SPECTATE)",
      syntax: { app: APP_ARG },
      examples: [
        [
          "activity spectate 'Harbour Example'",
          'Send the app the spectate secret of its own activity, as if a user watched',
        ],
      ],
      resultText: describeReach,
    },
    run(shared, { app, secret }) {
      const { id } = shared.emulator.lookup.application(app);
      const sessions = sendSpectate(shared, id, secret ?? ownSecret(shared, id, 'spectate'));
      return { application: id, sessions };
    },
  }),
] as const;
