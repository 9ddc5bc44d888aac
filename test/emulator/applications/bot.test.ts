import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { botTokenOf, botUserOf, clientIdOfBotToken } from '../../../src/emulator/applications/bot.ts';
import { newApplication } from '../../../src/emulator/applications/records.ts';
import { MAX_RECORDS } from '../../../src/emulator/kernel/limits.ts';
import { worldOf } from '../../helpers/patched.ts';
import { APP, testPlatform } from '../../helpers/platform.ts';

it('a user is not the bot of an application, although any id is an application', async () => {
  const { emulator, call, bot } = await testPlatform();
  const { id, username } = emulator.me();
  const headers = bot(id);
  for (const what of ['GET /users/@me', 'GET /users/@me/connections', 'GET /applications/@me']) {
    expect(await call(what, { headers })).toMatchObject({ status: 401 });
  }
  expect(await call('PATCH /users/@me', { headers, json: { username: 'stolen' } })).toMatchObject({
    status: 401,
  });
  expect(emulator.me().username).toBe(username);
  expect(await call('GET /users/@me', { headers: bot('42') })).toMatchObject({
    body: { id: '42', bot: true },
  });
});

it.each([
  ['42', '=', 200],
  ['42', '', 200],
  ['4242', '==', 200],
  ['42', '===', 401],
])('the id in a token may have the padding of base64: %s%s', async (id, padding, status) => {
  const { call } = await testPlatform();
  const headers = { authorization: `Bot ${Buffer.from(id).toString('base64url')}${padding}.emulator.bot` };
  expect(await call('GET /users/@me', { headers })).toMatchObject({ status });
});

it('a listed application has its bot in a state of any size', async () => {
  const { emulator, call, bot } = await testPlatform();
  const numbers = Array.from({ length: 5000 }, (_, index) => String(9_000_000 + index));
  await emulator.apply({ users: numbers.map((id) => ({ id, username: `user${id}` })) });
  const json = { username: 'tug' };
  expect(await call('PATCH /users/@me', { headers: bot(), json })).toMatchObject({ status: 200, body: json });
  expect(emulator.tables.users.get(APP)).toMatchObject(json);
});

it('an application that is changed while its endpoint is validated retains that change', async () => {
  const { emulator, call, bot } = await testPlatform();
  const server = createServer((request, response) => {
    request.resume();
    void emulator.apply({ applications: [{ id: APP, consent: 'deny' }] }).then(() => {
      response.writeHead(asked++ === 0 ? 204 : 401).end();
    });
  });
  let asked = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const json = { event_webhooks_url: url, description: 'new' };
  expect(await call('PATCH /applications/@me', { headers: bot(), json })).toMatchObject({ status: 200 });
  expect(emulator.tables.applications.get(APP)).toMatchObject({ consent: 'deny', description: 'new' });
});

describe('a bot token', () => {
  const id = '300000000000000001';
  const first = Buffer.from(id).toString('base64url');

  it('is the configured one, or begins with the id of the application', () => {
    expect(botTokenOf({ id, bot_token: `${first}.mine.secret` })).toBe(`${first}.mine.secret`);
    expect(botTokenOf({ id, bot_token: null })).toBe(`${first}.emulator.bot`);
  });

  it.each([
    [`${first}.emulator.bot`, id],
    [`${first}.x.y`, id],
    [`${first}.x`, undefined],
    [`${first}.x.y.z`, undefined],
    [first, undefined],
    ['', undefined],
    [`${Buffer.from('x1').toString('base64url')}.x.y`, undefined],
    [`${Buffer.from('0').toString('base64url')}.x.y`, undefined],
  ])('%s is of the application %s', (token, expected) => {
    expect(clientIdOfBotToken(token)).toBe(expected);
  });
});

describe('the account of a bot', () => {
  const unlisted = newApplication('912345678901234567', `Buoy ${'y'.repeat(40)}`);

  it('has the name and id of its application, and is stored for listed and invited ones alone', () => {
    const world = worldOf();
    const made = botUserOf(world, unlisted);
    expect(made).toEqual({
      id: unlisted.id,
      username: unlisted.name.slice(0, 32),
      discriminator: '0000',
      global_name: null,
      avatar: null,
      bot: true,
      flags: 0,
      premium_type: 0,
      email: null,
      locale: 'en-US',
      primary_guild: null,
    });
    expect(world.tables.users.has(unlisted.id)).toBe(false);
    const full = vi.spyOn(world.tables.users, 'size', 'get').mockReturnValue(MAX_RECORDS);
    expect(botUserOf(world, unlisted, true)).toEqual(made);
    expect(world.tables.users.has(unlisted.id)).toBe(false);
    full.mockReturnValue(MAX_RECORDS - 1);
    expect(botUserOf(world, unlisted, true)).toEqual(made);
    expect(world.tables.users.get(unlisted.id)).toEqual(made);
    full.mockRestore();
    const listed = world.tables.applications.get(APP);
    if (listed === undefined) throw new Error('no application');
    expect(botUserOf(world, listed)).toMatchObject({ id: APP, username: listed.name });
    expect(world.tables.users.has(APP)).toBe(true);
    const other = { ...listed, bot_user: unlisted.id };
    expect(botUserOf(world, other)).toEqual(made);
  });
});
