import { describe, expect, it } from 'vitest';
import { ALL_PERMISSIONS, bitsOf } from '../../../../src/emulator/kernel/permission-bits.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { dataUri, png } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';

const WEBHOOKS = `/channels/${ids.general}/webhooks`;
const HOOK = { id: '900', channel: ids.general, name: 'Tide table', token: 'tide', user: 'river' };

/** With a webhook that nobody's application owns. */
const OTHER_APP = '300000000000000002';
const hooked = (more: object = {}) => botPlatform({ channel_webhooks: [{ ...HOOK, ...more }] });

it('a webhook is created, listed, changed, moved and deleted, and each change is audited', async () => {
  const { ask, emulator } = await botPlatform({
    guilds: [{ id: ids.riverBank, channels: [{ id: '910', name: 'news', type: 'announcement' }] }],
  });
  const reason = { 'x-audit-log-reason': 'tides' };
  const { status, body: made } = await ask(`POST ${WEBHOOKS}`, { name: 'Tide table' }, reason);
  expect(status).toBe(200);
  expect(made).toMatchObject({
    type: 1,
    name: 'Tide table',
    avatar: null,
    channel_id: ids.general,
    guild_id: ids.riverBank,
    application_id: APP,
    user: { id: APP },
  });
  expect(made.token).toMatch(/^[\w-]{68}$/);
  expect(made.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/api/webhooks/${made.id}/${made.token}$`));
  expect((await ask(`GET ${WEBHOOKS}`)).body).toEqual([made]);
  expect((await ask(`GET /guilds/${ids.riverBank}/webhooks`)).body).toEqual([made]);
  expect((await ask(`GET /webhooks/${made.id}`)).body).toEqual(made);
  const { body: moved } = await ask(`PATCH /webhooks/${made.id}`, {
    channel_id: '910',
    avatar: dataUri(png()),
  });
  expect(moved).toEqual({ ...made, channel_id: '910', avatar: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect((await ask(`DELETE /webhooks/${made.id}`)).status).toBe(204);
  expect((await ask(`GET /webhooks/${made.id}`)).body).toMatchObject({ code: 10015 });
  const entries = [...emulator.tables.audit_log.by('guild', ids.riverBank)];
  expect(entries.map(({ action_type }) => action_type)).toEqual([50, 51, 52]);
  expect(entries[0]).toMatchObject({ user: APP, target: made.id, reason: 'tides' });
  expect(JSON.stringify(entries)).not.toContain(made.token);
});

it('a webhook is read, renamed and deleted by its token, without the user who created it', async () => {
  const { call, emulator } = await hooked();
  const { body } = await call('GET /webhooks/900/tide');
  expect(body).toMatchObject({ id: '900', token: 'tide', application_id: null });
  expect(body).not.toHaveProperty('user');
  const { body: named } = await call('PATCH /webhooks/900/tide', { json: { name: 'Ebb' } });
  expect(named).toEqual({ ...body, name: 'Ebb' });
  expect((await call('DELETE /webhooks/900/tide')).status).toBe(204);
  expect(emulator.tables.channel_webhooks.size).toBe(0);
  const entries = [...emulator.tables.audit_log.by('guild', ids.riverBank)];
  expect(entries.map(({ action_type, user }) => [action_type, user])).toEqual([
    [51, null],
    [52, null],
  ]);
});

it('the audit log includes existing webhooks without their tokens', async () => {
  const { ask } = await botPlatform();
  const { body: made } = await ask(`POST ${WEBHOOKS}`, { name: 'Tide table' });
  const told = await ask(`GET /guilds/${ids.riverBank}/audit-logs`);
  const { token: _, url: __, ...shown } = made;
  expect(told.body.webhooks).toEqual([shown]);
  expect(JSON.stringify(told.body)).not.toContain(made.token);
  await ask(`DELETE /webhooks/${made.id}`);
  expect((await ask(`GET /guilds/${ids.riverBank}/audit-logs`)).body.webhooks).toEqual([]);
});

it('a follower webhook is returned with its source and without a token', async () => {
  const { ask, refused } = await botPlatform({
    guilds: [{ id: ids.riverBank, channels: [{ id: '910', name: 'news', type: 'announcement' }] }],
    channel_webhooks: [
      { id: '901', type: 'follower', channel: ids.general, name: 'News', source_channel: '910' },
    ],
  });
  const { body } = await ask('GET /webhooks/901');
  expect(body).toMatchObject({
    type: 2,
    source_guild: { id: ids.riverBank },
    source_channel: { id: '910', name: 'news' },
  });
  expect(body).not.toHaveProperty('token');
  expect(await refused('POST /webhooks/901/emulator.webhook.901', { content: 'x' })).toMatchObject({
    status: 401,
    body: { code: 50027 },
  });
});

describe('a refused webhook request leaves the state unchanged:', () => {
  it.each([
    ['no name', `POST ${WEBHOOKS}`, {}, 400, 50035],
    ['a name of 81 characters', `POST ${WEBHOOKS}`, { name: 'x'.repeat(81) }, 400, 50035],
    ['a name with a word of the platform', `POST ${WEBHOOKS}`, { name: 'My Clyde' }, 400, 50035],
    ['another', 'PATCH /webhooks/900', { name: 'DISCORDant' }, 400, 50035],
    ['a name that is a number', `POST ${WEBHOOKS}`, { name: 7 }, 400, 50035],
    ['a picture that is none', `POST ${WEBHOOKS}`, { name: 'x', avatar: 'x' }, 400, 50035],
    ['a channel for voice', `POST /channels/${ids.lounge}/webhooks`, { name: 'x' }, 400, 50024],
    ['a channel that is not there', 'POST /channels/1/webhooks', { name: 'x' }, 404, 10003],
    ['a channel of another guild', `GET /channels/${ids.arrivals}/webhooks`, undefined, 403, 50001],
    ['a guild that is not there', 'GET /guilds/1/webhooks', undefined, 404, 10004],
    ['no membership', `GET /guilds/${ids.harbour}/webhooks`, undefined, 403, 50001],
    ['a webhook that is not there', 'GET /webhooks/1', undefined, 404, 10015],
    ['a webhook that is no id', 'GET /webhooks/x', undefined, 400, 50035],
    ['a move to voice', 'PATCH /webhooks/900', { channel_id: ids.lounge }, 400, 50024],
    ['a move to another guild', 'PATCH /webhooks/900', { channel_id: ids.arrivals }, 403, 50001],
    ['another token', 'GET /webhooks/900/ebb', undefined, 401, 50027],
    ['another token for a change', 'PATCH /webhooks/900/ebb', { name: 'x' }, 401, 50027],
    ['another token for its end', 'DELETE /webhooks/900/ebb', undefined, 401, 50027],
    ['a name by token', 'PATCH /webhooks/900/tide', { name: 'clyde' }, 400, 50035],
  ])('%s', async (_, what, json, status, code) => {
    const { refused } = await hooked();
    expect(await refused(what, json)).toMatchObject({ status, body: { code } });
  });

  it.each([
    `GET ${WEBHOOKS}`,
    `POST ${WEBHOOKS}`,
    `GET /guilds/${ids.riverBank}/webhooks`,
    'GET /webhooks/900',
    'PATCH /webhooks/900',
    'DELETE /webhooks/900',
  ])('%s without MANAGE_WEBHOOKS, or with the token of a user', async (what) => {
    const { refused, only, call, bearer } = await hooked();
    await only('VIEW_CHANNEL', 'MANAGE_CHANNELS');
    const json = what.startsWith('GET') ? undefined : { name: 'x' };
    expect(await refused(what, json)).toMatchObject({ status: 403, body: { code: 50013 } });
    const person = await call(what, { headers: await bearer(['guilds']) });
    expect(person).toMatchObject({ status: 403, body: { code: 20002 } });
  });

  it('deletion by the application that owns the webhook, which may read it', async () => {
    const { ask, only, refused } = await hooked({ application: APP });
    await only('VIEW_CHANNEL');
    expect((await ask('GET /webhooks/900')).status).toBe(200);
    expect((await refused('DELETE /webhooks/900')).body.code).toBe(50013);
  });

  it('a sixteenth webhook in a channel', async () => {
    const { refused } = await botPlatform({
      channel_webhooks: Array.from({ length: 15 }, (_, n) => ({ ...HOOK, id: String(900 + n) })),
    });
    expect(await refused(`POST ${WEBHOOKS}`, { name: 'x' })).toMatchObject({
      status: 400,
      body: { code: 30007 },
    });
  });
});

it('the token of a webhook is returned only to the application that owns the webhook', async () => {
  const { ask } = await hooked({ application: OTHER_APP });
  for (const what of [WEBHOOKS, `/guilds/${ids.riverBank}/webhooks`]) {
    const { body } = await ask(`GET ${what}`);
    expect(body, what).toMatchObject([{ id: '900', application_id: OTHER_APP }]);
    expect(JSON.stringify(body), what).not.toContain('tide');
  }
  for (const what of ['GET', 'PATCH']) {
    const { status, body } = await ask(`${what} /webhooks/900`, what === 'GET' ? undefined : { name: 'Ebb' });
    expect([status, body.id]).toEqual([200, '900']);
    expect(body).not.toHaveProperty('token');
    expect(body).not.toHaveProperty('url');
  }
});

it('the list of webhooks omits channels where the bot may not manage webhooks', async () => {
  const { ask, emulator } = await hooked();
  const general = async (change: object) => {
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, ...change }] }] });
  };
  const all = async () => (await ask(`GET /guilds/${ids.riverBank}/webhooks`)).body;
  expect(await all()).toHaveLength(1);
  const nothing = bitsOf('ADMINISTRATOR');
  await emulator.apply({
    guilds: [
      { id: ids.riverBank, roles: [{ id: ids.riverBank, permissions: String(ALL_PERMISSIONS & ~nothing) }] },
    ],
  });
  await general({ user_overwrites: [{ user: APP, deny: ['VIEW_CHANNEL'] }] });
  expect(await all()).toEqual([]);
  await general({ user_overwrites: [{ user: APP, deny: ['MANAGE_WEBHOOKS'] }] });
  expect(await all()).toEqual([]);
});
