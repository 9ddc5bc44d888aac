import * as z from 'zod/mini';
import type { Emulator } from '../../emulator/emulator.ts';
import { expandScopes } from '../../protocol/scope.ts';
import { type AdminCaller, type AdminOperation, defineOperation } from '../core.ts';
import type { Shared } from './app-session.ts';
import { activityOperations, findApplication } from './operations-activity.ts';
import { peopleOperations } from './operations-people.ts';
import { voiceOperations } from './operations-voice.ts';
import type { RecordedRequests } from './recorded.ts';

const none = () => z.object({});
const byId = () => z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });

/** What a person can do to the emulator: `footbridge requests`, `approve`, `emulator …` call these. */
export function operations(
  shared: Shared,
  recorded: RecordedRequests,
): { readonly [name: string]: AdminOperation } {
  const { emulator } = shared;
  return {
    ...stateOperations(shared),
    ...voiceOperations(emulator),
    ...peopleOperations(emulator),
    ...activityOperations(shared),
    'requests.list': defineOperation({
      summary: 'What waits for a person',
      args: none,
      run: () => [
        ...emulator.oauth2.requests().map((request) => ({ kind: 'authorization', ...request })),
        ...recorded.list(),
      ],
    }),
    'requests.approve': defineOperation({
      summary: 'Allow a waiting request',
      args: () => z.extend(byId(), { always: z.optional(z.boolean()) }),
      run: ({ id, always }, caller) => decide(emulator, recorded, id, 'allow', caller, always ?? false),
    }),
    'requests.deny': defineOperation({
      summary: 'Deny a waiting request',
      args: byId,
      run: ({ id }, caller) => decide(emulator, recorded, id, 'deny', caller, false),
    }),
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
        if (outcome !== 'unknown') return { revoked: id, kept: outcome === 'kept' };
        throw new Error(`There is no grant ${id}; "footbridge grants" lists them`);
      },
    }),
    'link.ask': defineOperation({
      summary: 'Ask an application to start linking (AUTHORIZE_REQUEST)',
      args: () => z.object({ app: z.string().check(z.minLength(1), z.maxLength(100)) }),
      run: ({ app }) => askLink(shared, app),
    }),
  };
}

function stateOperations(shared: Shared): { readonly [name: string]: AdminOperation } {
  const { emulator } = shared;
  return {
    summary: defineOperation({
      summary: 'The logged-in user, guilds and channels',
      args: none,
      run: () => summary(emulator),
    }),
    'guild.set': defineOperation({
      summary: "Change a guild's name or icon",
      args: () =>
        z.object({
          id: z.string(),
          field: z.enum(['name', 'icon']),
          value: z.string().check(z.maxLength(2048)),
        }),
      run: ({ id, field, value }) => emulator.setGuild(id, field, value === '' ? null : value),
    }),
    'emulator.show': defineOperation({
      summary: 'The whole state, without client secrets',
      args: () => z.object({ format: z.optional(z.enum(['json', 'toml'])) }),
      run: async ({ format }) => {
        if (format !== 'toml') {
          const { showState } = await import('./show.ts');
          return showState(shared);
        }
        const { fixtureToToml } = await import('../../emulator/fixture/toml.ts');
        return { toml: await fixtureToToml(emulator.show()) };
      },
    }),
    'emulator.apply': defineOperation({
      summary: 'Apply a patch; every difference sends its events',
      args: () => z.object({ patch: z.looseObject({}) }),
      run: async ({ patch }) => ({ changes: (await emulator.apply(patch)).map((change) => change.type) }),
    }),
    'emulator.reset': defineOperation({
      summary: 'Back to the fixture; grants and tokens stay',
      args: none,
      run: () => ({ changes: emulator.reset().map((change) => change.type) }),
    }),
  };
}

function summary(emulator: Emulator): object {
  const channels = emulator.channels();
  return {
    user: { id: emulator.me().id, username: emulator.me().username },
    loggedIn: emulator.people.loggedIn(),
    guilds: emulator.guilds().map((guild) => guild.id),
    channels: {
      text: channels.filter(({ type }) => type === 0).map(({ id }) => id),
      voice: channels.filter(({ type }) => type === 2).map(({ id }) => id),
    },
  };
}

function decide(
  emulator: Emulator,
  recorded: RecordedRequests,
  id: string,
  answer: 'allow' | 'deny',
  by: AdminCaller,
  always: boolean,
): object {
  const request =
    emulator.oauth2.decide(id, { answer, always, by }) ?? recorded.answer(id, answer === 'allow');
  if (request === undefined) {
    throw new Error(`No request ${id} waits any more; "footbridge requests" lists those that do`);
  }
  return { id, answer, applicationName: request.applicationName };
}

function askLink({ emulator, host }: Shared, app: string): object {
  const application = findApplication(emulator, app);
  const me = emulator.me().id;
  // The real client hides its entry points once the accounts are linked.
  const linked = emulator.oauth2
    .grants()
    .some(({ clientId, userId }) => clientId === application.id && userId === me);
  const sessions = linked ? 0 : host.emit('AUTHORIZE_REQUEST', null, { clientId: application.id });
  return { application: application.id, linked, sessions };
}
