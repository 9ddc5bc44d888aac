import * as z from 'zod';
import { isDeputy } from '../../../emulator/api/waiting-request.ts';
import { expandScopes } from '../../../protocol/scope.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import type { Shared } from '../app-session.ts';
import { findApplication } from '../find-application.ts';

const none = () => z.object({});
const byId = () => z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });

/** What a person can do to what apps were allowed. */
export function authorizationOperations(shared: Shared): { readonly [name: string]: AdminOperation } {
  const { emulator } = shared;
  return {
    'grants.list': defineOperation({
      summary: 'What apps have been allowed',
      args: none,
      run: () =>
        emulator.oauth2.grants().map((grant) => ({
          ...grant,
          username: emulator.user(grant.userId)?.username ?? null,
          applicationName: emulator.application(grant.clientId)?.name ?? null,
          expandedScopes: expandScopes(grant.scopes),
        })),
    }),
    'grants.revoke': defineOperation({
      summary:
        'Take back all that the user allowed an application: its grants and tokens go, its sessions end',
      args: byId,
      run: ({ id }) => revokeGrant(shared, id),
    }),
    'sign-in': defineOperation({
      summary: 'An address that signs a browser in, good once',
      args: none,
      run: () => {
        const address = emulator.signInAddress();
        if (address !== undefined) return { address };
        throw new Error('The platform has no address: it runs without its HTTP port (--http-port)');
      },
    }),
    'link.ask': defineOperation({
      summary: 'Ask an application to start linking (AUTHORIZE_REQUEST)',
      args: () => z.object({ app: z.string().check(z.minLength(1), z.maxLength(100)) }),
      run: ({ app }) => askLink(shared, app),
    }),
  };
}

/** The platform has it so: an application is allowed or not, so the other grants of the same user go as well. */
async function revokeGrant({ emulator, sessions }: Shared, id: string): Promise<object> {
  const grant = emulator.oauth2.grants().find((one) => one.id === id);
  const authenticated = [...sessions.values()].flatMap(({ clientId, token }) =>
    token === undefined ? [] : [{ clientId, ...token }],
  );
  const outcome = await emulator.oauth2.revokeGrant(id);
  if (grant === undefined || outcome.kind === 'unknown')
    throw new Error(`There is no grant ${id}; "footbridge grants" lists them`);
  const { grants, tokens, families } = outcome.removed;
  const { userId, clientId } = grant;
  const closed = authenticated.filter(
    (one) => (one.clientId === clientId && one.userId === userId) || families.includes(one.family),
  );
  return {
    revoked: id,
    kept: outcome.kind === 'kept',
    ...(outcome.kind === 'kept' ? {} : { reason: outcome.reason, comesBack: outcome.comesBack }),
    userId,
    username: emulator.user(userId)?.username ?? null,
    clientId,
    applicationName: emulator.application(clientId)?.name ?? null,
    otherGrants: grants.filter((one) => one !== id),
    tokens,
    sessions: closed.length,
  };
}

function askLink({ emulator, host }: Shared, app: string): object {
  const application = findApplication(emulator, app);
  const me = emulator.me().id;
  // The real client hides its entry points once the accounts are linked; what was decided in the user's place links none.
  const linked = emulator.oauth2
    .grants()
    .some(
      ({ clientId, userId, decidedBy }) =>
        clientId === application.id && userId === me && !isDeputy(decidedBy.kind),
    );
  const sessions = linked ? 0 : host.emit('AUTHORIZE_REQUEST', null, { clientId: application.id });
  return { application: application.id, linked, sessions };
}
