import { describe, expect, it } from 'vitest';
import { anybodyMayAnswer } from '../../../../src/emulator/api/waiting-request.ts';
import {
  address,
  asking,
  located,
  open,
  press,
  REDIRECT,
  signIn,
  tokenIn,
} from '../../../helpers/browser-pages.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

const SCOPE = 'webhook.incoming identify';

function exchange(platform: TestPlatform, code: string) {
  return platform.call('POST /oauth2/token', {
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      client_id: APP,
      client_secret: 'x',
    },
  });
}

const made = ({ emulator }: TestPlatform) => emulator.tables.channel_webhooks.size;

it('the page creates a webhook in the channel that the user chooses, and the token response contains it', async () => {
  const platform = await testPlatform(undefined, asking);
  const browser = await signIn(platform);
  const { body } = await open(platform, address({ scope: SCOPE, channel_id: ids.general }), browser);
  expect(body).toContain(`<option value="${ids.general}" selected>#general of River Bank</option>`);
  expect(body).not.toContain(`value="${ids.lounge}"`);
  expect(body).not.toContain(`value="${ids.arrivals}"`);
  const form = { token: tokenIn(body), decision: 'allow', webhook_channel_id: ids.general };
  const { pathname, search } = located(await press(platform, '/oauth2/authorize', form, browser));
  const back = located(await open(platform, `${pathname}${search}`, browser)).searchParams;
  const { body: token } = await exchange(platform, back.get('code') ?? '');
  expect(token).toMatchObject({
    scope: SCOPE,
    webhook: {
      type: 1,
      name: 'Harbour Example',
      channel_id: ids.general,
      guild_id: ids.riverBank,
      application_id: APP,
      token: expect.stringMatching(/^[\w-]{68}$/),
    },
  });
  const { url } = token.webhook;
  const said = await platform.call(`POST ${url}?wait=true`, { json: { content: 'High water' } });
  expect(said.body).toMatchObject({ channel_id: ids.general, application_id: APP });
  const [entry] = [...platform.emulator.tables.audit_log];
  expect(entry).toMatchObject({ action_type: 50, user: platform.emulator.me().id });
  expect(JSON.stringify(entry)).not.toContain(token.webhook.token);
});

it('POST requests consent as well, and names the channel', async () => {
  const platform = await testPlatform(undefined, asking);
  const { requests } = platform.emulator;
  const answer = platform.call(`POST /api/v10${address({ scope: SCOPE })}`, {
    json: { authorize: true, webhook_channel_id: ids.general },
  });
  await expect.poll(() => requests.list().length).toBe(1);
  const [waiting] = requests.list();
  expect(waiting).toMatchObject({
    scopes: [
      { name: 'webhook.incoming', description: 'Create a webhook in #general of River Bank' },
      { name: 'identify' },
    ],
  });
  expect(made(platform)).toBe(0);
  requests.answer(waiting?.id ?? '', { answer: 'allow', by: { via: 'test' } }, anybodyMayAnswer);
  const code = new URL((await answer).body.url).searchParams.get('code') ?? '';
  expect((await exchange(platform, code)).body.webhook.channel_id).toBe(ids.general);
});

describe('no webhook is created', () => {
  it('when the user denies the request, or has lost the right', async () => {
    const platform = await testPlatform(undefined, { consent: { ...asking.consent, pauseMs: 0 } });
    const { requests } = platform.emulator;
    const ask = async (decide: (id: string) => unknown) => {
      const answer = platform.call(`POST /api/v10${address({ scope: SCOPE })}`, {
        json: { webhook_channel_id: ids.general },
      });
      await expect.poll(() => requests.list().length).toBe(1);
      await decide(requests.list()[0]?.id ?? '');
      return new URL((await answer).body.url).searchParams.get('error');
    };
    const say = (word: 'allow' | 'deny') => (id: string) =>
      requests.answer(id, { answer: word, by: { via: 'test' } }, anybodyMayAnswer);
    expect(await ask(say('deny'))).toBe('access_denied');
    const demoted = async (id: string) => {
      await platform.emulator.apply({ guilds: [{ id: ids.riverBank, owner: ids.heron }] });
      say('allow')(id);
    };
    expect(await ask(demoted)).toBe('access_denied');
    expect(made(platform)).toBe(0);
  });

  it.each([
    ['no channel', undefined, 'invalid_request'],
    ['a channel for voice', ids.lounge, 'access_denied'],
    ['a channel of a guild that is not theirs', ids.arrivals, 'access_denied'],
    ['a channel that is none', '77', 'access_denied'],
    ['what is no id', '__proto__', 'access_denied'],
  ])('with %s, and without a prompt', async (_, webhook_channel_id, error) => {
    const platform = await testPlatform(undefined, asking);
    const json = webhook_channel_id === undefined ? {} : { webhook_channel_id };
    const { body } = await platform.call(`POST /api/v10${address({ scope: SCOPE })}`, { json });
    expect(new URL(body.url).searchParams.get('error')).toBe(error);
    expect(made(platform)).toBe(0);
  });

  it('for the implicit grant, a device and client credentials, which refuse the scope', async () => {
    const platform = await testPlatform((fixture) => ({
      ...fixture,
      applications: fixture.applications.map((one) => (one.id === APP ? { ...one, secret: 'x' } : one)),
    }));
    const scope = SCOPE;
    const implicit = { scope, response_type: 'token', channel_id: ids.general };
    const { hash } = located(await open(platform, address(implicit)));
    expect(hash).toContain('error=invalid_scope');
    const client = { client_id: APP, client_secret: 'x', scope };
    for (const [path, form] of [
      ['/oauth2/device/authorize', client],
      ['/oauth2/token', { ...client, grant_type: 'client_credentials' }],
    ] as const) {
      expect((await platform.call(`POST ${path}`, { form })).body.error).toBe('invalid_scope');
    }
    expect(made(platform)).toBe(0);
  });

  it('on a page without a suitable channel, which has no Allow button', async () => {
    const platform = await testPlatform(undefined, asking);
    await platform.emulator.apply({ me: 'otter' });
    const browser = await signIn(platform);
    const { body } = await open(platform, address({ scope: SCOPE }), browser);
    expect(body).toContain('There is no channel that you may make a webhook in');
    expect(body).not.toContain('value="allow"');
  });
});
