import * as z from 'zod';
import { adminOperationsFor } from '../../../base/admin-operation.ts';
import { storedFields } from '../../../base/saves.ts';
import { amount } from '../../../base/text.ts';
import { APP_ARG, nameArg } from '../../../emulator/api/operator.ts';
import { type Answerer, isDeputy } from '../../../emulator/api/waiting-request.ts';
import type { Shared } from '../app-session.ts';
import type { RequestHistory } from '../requests/history.ts';

type WithHistory = Shared & { readonly history: Pick<RequestHistory, 'revoke'> };

const operation = adminOperationsFor<WithHistory>();

/** Operator operations on grants that end sessions of apps, or send events to them. */
export const authorizationOperations = [
  operation({
    name: 'grants.revoke',
    summary:
      'Revoke all that the user allowed an application: deletes its grants and tokens, ends its sessions',
    about: 'The result lists what was removed with it, and whether a restart restores it.',
    args: () => z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) }),
    result: () =>
      z.object({
        /** Id of the grant. */
        revoked: z.string(),
        ...storedFields(z.boolean, z.string),
        comesBack: z.optional(z.boolean()),
        userId: z.string(),
        username: z.nullable(z.string()),
        clientId: z.string(),
        applicationName: z.nullable(z.string()),
        otherGrants: z.array(z.string()),
        /** Number of deleted tokens, and of closed sessions. */
        tokens: z.number(),
        sessions: z.number(),
      }),
    run: (shared, { id }, by) => revokeGrant(shared, id, by),
  }),
  operation({
    name: 'link.ask',
    summary: 'Ask an application to start linking (AUTHORIZE_REQUEST)',
    about:
      '`linked` where the accounts are linked already, so that no app was asked; `sessions` is the number of asked apps.',
    args: () => z.object({ app: nameArg() }),
    result: () => z.object({ application: z.string(), linked: z.boolean(), sessions: z.number() }),
    command: {
      name: 'ask-link',
      summary: 'Ask an application to start linking its account (AUTHORIZE_REQUEST)',
      syntax: { app: APP_ARG },
      details: ['Reaches the sessions of the application that subscribed to AUTHORIZE_REQUEST.'],
      examples: [["ask-link 'Harbour Example'", 'As if you had clicked on it in the client']],
      resultText: ({ linked, sessions }) =>
        linked ? 'Already linked: nothing was sent.' : `Sent to ${amount(sessions, 'session')}.`,
    },
    run: (shared, { app }) => requestLink(shared, app),
  }),
] as const;

/**
 * The other grants of the same user and application are revoked as well, because on the platform an application is
 * either authorized or not.
 */
async function revokeGrant({ emulator, sessions, history }: WithHistory, id: string, by: Answerer) {
  const before = emulator.oauth2.grants();
  const grant = before.find((one) => one.id === id);
  const authenticated = [...sessions.values()].flatMap(({ clientId, token }) =>
    token === undefined ? [] : [{ clientId, ...token }],
  );
  const outcome = await emulator.oauth2.revokeGrant(id);
  if (grant === undefined || outcome.kind === 'unknown')
    throw new Error(`There is no grant ${id}; "footbridge grants" lists them`);
  const { kind: _, removed, ...stored } = outcome;
  const { grants, tokens, families } = removed;
  const { userId, clientId } = grant;
  const closed = authenticated.filter(
    (one) => (one.clientId === clientId && one.userId === userId) || families.includes(one.family),
  );
  const applicationName = emulator.application(clientId)?.name ?? null;
  const scopes = [...new Set(before.filter((one) => grants.includes(one.id)).flatMap((one) => one.scopes))];
  history.revoke(
    { id, clientId, applicationName: applicationName ?? clientId, userId, scopes },
    by,
    emulator.clock.now(),
  );
  return {
    revoked: id,
    ...stored,
    userId,
    username: emulator.user(userId)?.username ?? null,
    clientId,
    applicationName,
    otherGrants: grants.filter((one) => one !== id),
    tokens,
    sessions: closed.length,
  };
}

function requestLink({ emulator, host }: Shared, app: string) {
  const application = emulator.lookup.application(app);
  const me = emulator.me().id;
  // An account counts as linked when the user has consented; the decision of a deputy does not link it. The real client
  // hides its entry points to the linking once the account is linked.
  const linked = emulator.oauth2
    .grants()
    .some(
      ({ clientId, userId, decidedBy }) =>
        clientId === application.id && userId === me && !isDeputy(decidedBy.kind),
    );
  const sessions = linked ? 0 : host.emit('AUTHORIZE_REQUEST', null, { clientId: application.id });
  return { application: application.id, linked, sessions };
}
