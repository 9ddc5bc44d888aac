import * as z from 'zod';
import type { Emulator } from '../../emulator/emulator.ts';
import { expandScopes } from '../../protocol/scope.ts';
import { type AdminCaller, type AdminOperation, type CoreHost, defineOperation } from '../core.ts';
import type { RecordedRequests } from './recorded.ts';

const none = () => z.object({});
const byId = () => z.object({ id: z.string().min(1).max(64) });

/** What a person can do to the emulator: `footbridge requests`, `approve`, `emulator …` call these. */
export function operations(
  emulator: Emulator,
  recorded: RecordedRequests,
  host: CoreHost,
  activities: () => readonly unknown[],
): { readonly [name: string]: AdminOperation } {
  return {
    summary: defineOperation({
      summary: 'The logged-in user, guilds and channels',
      args: none,
      run: () => summary(emulator),
    }),
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
      args: () => byId().extend({ always: z.boolean().optional() }),
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
        if (await emulator.oauth2.revokeGrant(id)) return { revoked: id };
        throw new Error(`There is no grant ${id}; "footbridge grants" lists them`);
      },
    }),
    'voice.set': defineOperation({
      summary: 'Change one voice setting',
      args: () => z.object({ key: z.string().max(64), value: z.string().max(1024) }),
      run: ({ key, value }) => emulator.setVoice(key, value),
    }),
    'guild.set': defineOperation({
      summary: "Change a guild's name or icon",
      args: () => z.object({ id: z.string(), field: z.enum(['name', 'icon']), value: z.string().max(2048) }),
      run: ({ id, field, value }) => emulator.setGuild(id, field, value === '' ? null : value),
    }),
    'emulator.show': defineOperation({
      summary: 'The whole state, without client secrets',
      args: () => z.object({ format: z.enum(['json', 'toml']).optional() }),
      run: async ({ format }) => {
        if (format !== 'toml') return { ...emulator.show(), activities: activities() };
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
    'link.ask': defineOperation({
      summary: 'Ask an application to start linking (AUTHORIZE_REQUEST)',
      args: () => z.object({ app: z.string().min(1).max(100) }),
      run: ({ app }) => askLink(emulator, host, app),
    }),
  };
}

function summary(emulator: Emulator): object {
  const channels = emulator.channels();
  return {
    user: { id: emulator.me().id, username: emulator.me().username },
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

function askLink(emulator: Emulator, host: CoreHost, app: string): object {
  const application =
    emulator.application(app) ?? emulator.show().applications.find(({ name }) => name === app);
  if (application === undefined) throw new Error(`There is no application ${app}; give its id or exact name`);
  const me = emulator.me().id;
  // The real client hides its entry points once the accounts are linked.
  const linked = emulator.oauth2
    .grants()
    .some(({ clientId, userId }) => clientId === application.id && userId === me);
  const sessions = linked ? 0 : host.emit('AUTHORIZE_REQUEST', null, { clientId: application.id });
  return { application: application.id, linked, sessions };
}
