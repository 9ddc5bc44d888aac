import * as z from 'zod';
import { invalidField, notOfToken } from '../../api/api-error.ts';
import { integer, list, maybe, snowflake, textUpTo } from '../../api/fields.ts';
import { bearer, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { joinSecretOf, visibleActivities } from '../../users/presence/sent-activities.ts';
import { type HasHeadlessSessions, PLATFORMS } from './sessions.ts';

const defineOperation = operationsFor<Base & HasApplications & HasHeadlessSessions>();

const TOKEN = 200;
const activity = z.looseObject({
  name: textUpTo(128),
  type: integer(0, 5),
  application_id: snowflake(),
  platform: z.enum(Object.keys(PLATFORMS)),
});
const unknownToken = () => invalidField(['token'], 'HEADLESS_SESSION_UNKNOWN', 'There is no such session.');

/** The routes by which a game sets its user's activity without a connection. */
export const headlessOperations = [
  defineOperation({
    id: 'create_headless_session',
    summary: 'Sets the user’s activity for 20 minutes; `token` renews an existing session.',
    route: 'POST /users/@me/headless-sessions',
    who: [bearer('activities.write')],
    body: z.object({ activities: list(activity, 1, 1), token: maybe(textUpTo(TOKEN)) }),
    ours:
      'The activity is of the application of the token. There are at most eight sessions per user and application; a further one replaces the oldest. ' +
      'An empty name becomes that of the application. A session ends with the token that created it. SESSIONS_REPLACE is not sent: there are no sessions of whole accounts.',
    answers: {
      200: z.object({ activities: z.array(z.looseObject({ name: z.string() })), token: z.string() }),
    },
    handle: ({ body, caller }, { headless, application }) => {
      const [sent] = body.activities;
      const known = application(caller.clientId)?.record;
      if (sent === undefined || known === undefined || sent.application_id !== caller.clientId) {
        throw notOfToken(['activities', 0, 'application_id']);
      }
      const listener = { kind: caller.kind, scopes: caller.effectiveScopes, application: known };
      const activities = visibleActivities(listener, [sent]).map((one) => ({
        ...one,
        platform: sent.platform,
      }));
      const secret = joinSecretOf(listener, [sent]);
      const client = PLATFORMS[sent.platform] ?? 'web';
      const made = headless.setPresence(caller, { client, activities, secret }, body.token);
      if (made === undefined) throw unknownToken();
      return ok({ activities: [...made.presence.activities], token: made.token });
    },
  }),
  defineOperation({
    id: 'delete_headless_session',
    summary: 'Ends a session that has no gateway connection, and its activity.',
    route: 'POST /users/@me/headless-sessions/delete',
    makesRoom: true,
    who: [bearer('activities.write')],
    body: z.object({ token: textUpTo(TOKEN) }),
    answers: { 204: null },
    handle: ({ body, caller }, { headless }) => {
      if (!headless.end(caller, body.token)) throw unknownToken();
      return noContent();
    },
  }),
];
