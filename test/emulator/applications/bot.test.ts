import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
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
