import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anybodyMayAnswer } from '../../../../src/emulator/api/waiting-request.ts';
import type { World } from '../../../../src/emulator/api/world.ts';
import { isInstalled } from '../../../../src/emulator/guilds/install.ts';
import { rolesInOrder } from '../../../../src/emulator/guilds/roles/roles.ts';
import {
  address,
  asking,
  located,
  open,
  press,
  REDIRECT,
  signIn,
  site,
  tokenIn,
} from '../../../helpers/browser-pages.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

/** Manage messages, and a bit that nobody knows. */
const PERMISSIONS = String((1n << 13n) | (1n << 47n));
const KNOWN = String(1n << 13n);
const BOT = { scope: 'bot identify', permissions: PERMISSIONS, guild_id: ids.riverBank };

function isIn({ emulator }: TestPlatform, guildId: string = ids.riverBank): boolean {
  const application = emulator.tables.applications.get(APP);
  // The tables are all that is looked at.
  return application !== undefined && isInstalled({ tables: emulator.tables } as World, guildId, application);
}

/** An application's own endpoint; gives the events that came. */
async function listening(platform: TestPlatform) {
  const events: { type: string; data: Record<string, unknown> }[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { event } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        event?: (typeof events)[number];
      };
      if (event !== undefined) events.push(event);
      asked += 1;
      response.writeHead(asked === 2 ? 401 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await platform.emulator.webhooks.set(APP, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return events;
}

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

describe('adding a bot on the page', () => {
  it('lists the guilds that the user manages and the permissions, and adds the bot to the chosen guild', async () => {
    const platform = await testPlatform(undefined, asking);
    const events = await listening(platform);
    const browser = await signIn(platform);
    const { body } = await open(platform, address({ ...BOT, guild_id: '' }), browser);
    expect(body).toContain(`<option value="${ids.riverBank}">River Bank</option>`);
    expect(body).not.toContain(ids.harbour);
    expect(body).toContain('<li>manage messages</li>');
    expect(isIn(platform)).toBe(false);
    const form = { token: tokenIn(body), decision: 'allow', guild_id: ids.riverBank };
    const { pathname, search } = located(await press(platform, '/oauth2/authorize', form, browser));
    const back = located(await open(platform, `${pathname}${search}`, browser)).searchParams;
    expect(back.get('guild_id')).toBe(ids.riverBank);
    expect(back.get('permissions')).toBe(KNOWN);
    expect(isIn(platform)).toBe(true);
    const role = rolesInOrder(platform.emulator.tables, ids.riverBank).find(({ bot }) => bot === APP);
    expect(role).toMatchObject({ name: 'Harbour Example', permissions: KNOWN });
    const token = await exchange(platform, back.get('code') ?? '');
    expect(token.body).toMatchObject({
      scope: 'bot identify',
      guild: { id: ids.riverBank, name: 'River Bank', owner_id: platform.emulator.me().id },
    });
    // Told when it happened, and not again with the token.
    const told = platform.emulator.webhooks
      .deliveries()
      .filter(({ type }) => type === 'APPLICATION_AUTHORIZED');
    expect(told).toHaveLength(1);
    await expect.poll(() => events.length).toBe(1);
    expect(events[0]).toMatchObject({
      type: 'APPLICATION_AUTHORIZED',
      data: {
        integration_type: 0,
        user: { id: platform.emulator.me().id },
        scopes: ['bot', 'identify'],
        guild: { id: ids.riverBank, name: 'River Bank' },
      },
    });
  });

  it('is limited to the guild of the request where the guild is fixed', async () => {
    const platform = await testPlatform(
      (fixture) => ({
        ...fixture,
        guilds: fixture.guilds.map((one) => ({ ...one, owner: fixture.me })),
      }),
      asking,
    );
    const browser = await signIn(platform);
    const { body } = await open(platform, address({ ...BOT, disable_guild_select: 'true' }), browser);
    expect(body).not.toContain(ids.harbour);
    const form = { token: tokenIn(body), decision: 'allow', guild_id: ids.harbour };
    await press(platform, '/oauth2/authorize', form, browser);
    await expect.poll(() => [isIn(platform), isIn(platform, ids.harbour)]).toEqual([true, false]);
    const free = await open(platform, address(BOT), browser);
    expect(free.body).toContain(`<option value="${ids.riverBank}" selected>`);
    expect(free.body).toContain(`<option value="${ids.harbour}">`);
  });

  it('is not offered to a user without a suitable guild, and a forged form adds nothing', async () => {
    const platform = await testPlatform(undefined, asking);
    await platform.emulator.apply({ me: 'otter' });
    const browser = await signIn(platform);
    const { body } = await open(platform, address(BOT), browser);
    expect(body).toContain('There is no guild that you may add it to');
    expect(body).not.toContain('value="allow"');
    for (const guild_id of [ids.riverBank, '77', '__proto__', '']) {
      const { body: again } = await open(platform, address(BOT), browser);
      const form = { token: tokenIn(again), decision: 'allow', guild_id };
      const { pathname, search } = located(await press(platform, '/oauth2/authorize', form, browser));
      const back = located(await open(platform, `${pathname}${search}`, browser)).searchParams;
      expect([guild_id, back.get('error'), back.get('code')]).toEqual([guild_id, 'access_denied', null]);
    }
    expect(isIn(platform)).toBe(false);
    expect(platform.emulator.requests.list()).toEqual([]);
  });

  it('needs no redirect address, and ends on a page that does not display the text of its link', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const path = `/oauth2/authorize?${new URLSearchParams({ client_id: APP, scope: 'bot', permissions: '8' }).toString()}`;
    const { body } = await open(platform, path, browser);
    expect(body).toContain('everything (administrator)');
    expect(body).toContain('Nothing is sent to the application');
    const form = { token: tokenIn(body), decision: 'allow', guild_id: ids.riverBank };
    const { pathname, search } = located(await press(platform, '/oauth2/authorize', form, browser));
    const end = await open(platform, `${pathname}${search}`, browser);
    expect(end.headers.get('location')).toBe('/oauth2/authorized');
    expect((await open(platform, '/oauth2/authorized')).body).toContain('Authorized');
    expect(isIn(platform)).toBe(true);
    const evil = await open(platform, '/oauth2/authorized?error=%3Cb%3Ecall+us');
    expect(evil.body).toContain('Nothing was added');
    expect(evil.body).not.toContain('call us');
  });

  it('is valid for one account: after a login of another account the form is invalid', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const page = tokenIn((await open(platform, address(BOT), browser)).body);
    await platform.emulator.apply({ me: 'heron' });
    const form = { token: page, decision: 'allow', guild_id: ids.riverBank };
    expect((await press(platform, '/oauth2/authorize', form, browser)).status).toBe(400);
    expect(platform.emulator.oauth2.grants()).toEqual([]);
  });
});

describe('adding a bot without a page', () => {
  it('by POST waits for the user, and names the guild and the permissions', async () => {
    const platform = await testPlatform(undefined, asking);
    const { requests } = platform.emulator;
    const answer = platform.call(`POST /api/v10${address({ scope: 'bot', permissions: '1' })}`, {
      json: { authorize: true, guild_id: ids.riverBank, permissions: KNOWN },
    });
    await expect.poll(() => requests.list().length).toBe(1);
    const [waiting] = requests.list();
    expect(waiting).toMatchObject({
      scopes: [
        { name: 'bot', description: 'Add its bot to the guild "River Bank", where it may manage messages' },
      ],
    });
    expect(isIn(platform)).toBe(false);
    requests.answer(waiting?.id ?? '', { answer: 'allow', by: { via: 'test' } }, anybodyMayAnswer);
    expect(new URL((await answer).body.url).searchParams.get('permissions')).toBe(KNOWN);
    expect(isIn(platform)).toBe(true);
  });

  it('needs consent each time, and adds nothing when the user denies it or has lost the right', async () => {
    const platform = await testPlatform(undefined, { consent: { ...asking.consent, pauseMs: 0 } });
    const { requests } = platform.emulator;
    const ask = async (decide: (id: string) => unknown) => {
      const answer = platform.call(`POST /api/v10${address(BOT)}`, { json: {} });
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
    expect(isIn(platform)).toBe(false);
  });

  it.each([
    ['no guild', { guild_id: undefined }, 'invalid_request'],
    ['a guild that the person does not manage', { guild_id: ids.harbour }, 'access_denied'],
    ['a guild that is none', { guild_id: '77' }, 'access_denied'],
    ['permissions that are no number', { permissions: '0x8' }, 'invalid_request'],
    ['negative permissions', { permissions: '-1' }, 'invalid_request'],
    ['the installation of a user', { integration_type: '1' }, 'invalid_request'],
  ])('is refused with %s, without a prompt', async (_, more, error) => {
    const platform = await testPlatform(undefined, asking);
    const query = Object.fromEntries(
      Object.entries({ ...BOT, ...more }).filter((one): one is [string, string] => one[1] !== undefined),
    );
    const { body } = await platform.call(`POST /api/v10${address(query)}`, { json: {} });
    expect(new URL(body.url).searchParams.get('error')).toBe(error);
    expect(isIn(platform)).toBe(false);
  });

  it('without a redirect address puts the error in the address of the last page, and not on the page', async () => {
    const platform = await testPlatform();
    const query = new URLSearchParams({ client_id: APP, scope: 'bot' });
    const { body } = await platform.call(`POST /api/v10/oauth2/authorize?${query.toString()}`, { json: {} });
    const { pathname, search, searchParams } = new URL(body.url);
    expect([pathname, searchParams.get('error')]).toEqual(['/oauth2/authorized', 'invalid_request']);
    const why = searchParams.get('error_description') ?? '';
    expect(why).toContain('guild_id');
    const page = await open(platform, `${pathname}${search}`);
    expect(page.body).toContain('The address of this page says why');
    expect(page.body).not.toContain(why);
  });

  it('is refused for a device, and for an application whose id is that of a user', async () => {
    const platform = await testPlatform();
    const device = await platform.call('POST /oauth2/device/authorize', {
      form: { client_id: APP, scope: 'bot' },
    });
    expect(device.body.error).toBe('invalid_scope');
    const client_id = platform.emulator.me().id;
    const query = { ...BOT, client_id, redirect_uri: 'http://127.0.0.1/cb' };
    const { body } = await platform.call(`POST ${site(platform)}/api/v10${address(query)}`, { json: {} });
    expect(new URL(body.url).searchParams.get('error')).toBe('unauthorized_client');
  });

  it('stores the bot of an unlisted application, because a user added it', async () => {
    const platform = await testPlatform();
    const client_id = '912345678901234567';
    const query = { ...BOT, client_id, redirect_uri: 'http://127.0.0.1/cb' };
    const { body } = await platform.call(`POST /api/v10${address(query)}`, { json: {} });
    expect(new URL(body.url).searchParams.get('code')).toBeTruthy();
    expect(platform.emulator.tables.users.get(client_id)).toMatchObject({ bot: true });
    expect(platform.emulator.tables.members.get(ids.riverBank, client_id)).toBeDefined();
  });
});

it('APPLICATION_AUTHORIZED has integration type 1 for user commands, and 0 with the guild for guild commands', async () => {
  const platform = await testPlatform();
  const events = await listening(platform);
  const scope = 'applications.commands';
  const forPerson = await open(platform, address({ scope, integration_type: '1' }));
  await exchange(platform, located(forPerson).searchParams.get('code') ?? '');
  await open(platform, address({ scope, guild_id: ids.riverBank }));
  expect([...platform.emulator.tables.command_installs]).toEqual([
    { application: APP, owner: ids.riverBank },
  ]);
  await expect.poll(() => events.length).toBe(2);
  expect(events.map(({ data }) => [data['integration_type'], data['guild'] !== undefined])).toEqual([
    [1, false],
    [0, true],
  ]);
  expect(isIn(platform)).toBe(false);
});
