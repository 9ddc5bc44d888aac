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
          applicationName: emulator.application(grant.clientId)?.name ?? null,
          expandedScopes: expandScopes(grant.scopes),
        })),
    }),
    'grants.revoke': defineOperation({
      summary: 'Take a grant back: every token of its application is deleted',
      args: byId,
      run: async ({ id }) => {
        const outcome = await emulator.oauth2.revokeGrant(id);
        if (outcome.kind === 'kept') return { revoked: id, kept: true };
        if (outcome.kind === 'unkept') {
          return { revoked: id, kept: false, reason: outcome.reason, comesBack: outcome.comesBack };
        }
        throw new Error(`There is no grant ${id}; "footbridge grants" lists them`);
      },
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
