import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';
import { rpcFeed } from '../../../helpers/rpc-feed.ts';

const HOOK = '/webhooks/900/tide';
const LINK = { type: 2, style: 5, label: 'x', url: 'https://example.test/' };
const BUTTON = { type: 2, style: 1, label: 'x', custom_id: 'x' };
const row = (...components: object[]) => [{ type: 1, components }];

/** A webhook in #general, and one in a forum with a post. */
const hooked = (more: object = {}, intents?: readonly string[]) =>
  botPlatform(
    {
      guilds: [
        {
          id: ids.riverBank,
          channels: [
            {
              id: '910',
              name: 'reports',
              type: 'forum',
              available_tags: [{ id: '5', name: 'ebb' }],
            },
            { id: '911', name: 'old', type: 'public_thread', parent: '910', owner: 'river' },
            {
              id: '912',
              name: 'side',
              type: 'public_thread',
              parent: ids.general,
              owner: 'river',
              thread: { archived: true },
            },
          ],
        },
      ],
      channel_webhooks: [
        { id: '900', channel: ids.general, name: 'Tide table', token: 'tide', ...more },
        { id: '901', channel: '910', name: 'Reports', token: 'tide' },
      ],
    },
    intents,
  );

it('a webhook writes as itself or under another name, notifies the logged-in user, and responds with wait=true', async () => {
  const { call, ask, emulator } = await hooked({ avatar: 'a'.repeat(32) });
  const told = rpcFeed(emulator).types;
  const json = { content: `High water, <@${ids.river}>` };
  expect(await call(`POST ${HOOK}`, { json })).toMatchObject({ status: 204, body: '' });
  expect(told()).toEqual(['MESSAGE_CREATE', 'NOTIFICATION_CREATE']);
  const [first] = (await ask(`GET /channels/${ids.general}/messages?limit=1`)).body;
  expect(first).toMatchObject({
    ...json,
    webhook_id: '900',
    author: { id: '900', username: 'Tide table', avatar: 'a'.repeat(32), bot: true },
    mentions: [{ id: ids.river }],
  });
  expect(first).not.toHaveProperty('application_id');
  const { status, body } = await call(`POST ${HOOK}?wait=true`, {
    json: { content: 'x', username: 'Ebb', avatar_url: 'https://example.test/x.png' },
  });
  expect(status).toBe(200);
  expect(body.author).toMatchObject({ id: '900', username: 'Ebb' });
  expect(body.author.avatar).toMatch(/^(?!a+$)[0-9a-f]{32}$/);
});

it('a webhook sends files in one form with the other fields', async () => {
  const { call, ask } = await hooked();
  const form = new FormData();
  form.set(
    'payload_json',
    JSON.stringify({ content: 'chart', attachments: [{ id: 0, description: 'low' }] }),
  );
  form.set('files[0]', new Blob(['water'], { type: 'text/plain' }), 'chart.txt');
  const { body } = await call(`POST ${HOOK}?wait=true`, { body: form });
  expect(body.attachments).toMatchObject([{ filename: 'chart.txt', description: 'low', size: 5 }]);
  const shown = (await ask(`GET /channels/${ids.general}/messages/${body.id}`)).body;
  expect(shown.attachments).toMatchObject([{ filename: 'chart.txt' }]);
});

it('a webhook edits, returns and deletes only its own messages', async () => {
  const { call, emulator } = await hooked();
  const { body } = await call(`POST ${HOOK}?wait=true`, { json: { content: 'x', username: 'Ebb' } });
  const path = `${HOOK}/messages/${body.id}`;
  const edited = await call(`PATCH ${path}`, { json: { content: 'y' } });
  expect(edited.body).toMatchObject({
    content: 'y',
    author: { username: 'Ebb' },
    edited_timestamp: expect.any(String),
  });
  expect((await call(`GET ${path}`)).body).toEqual(edited.body);
  const before = emulator.exportState();
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const other = await call(
      `${method} ${HOOK}/messages/600000000000000001`,
      method === 'PATCH' ? { json: {} } : {},
    );
    expect(other).toMatchObject({ status: 404, body: { code: 10008 } });
  }
  expect(emulator.exportState()).toBe(before);
  expect((await call(`DELETE ${path}`)).status).toBe(204);
  expect((await call(`GET ${path}`)).body.code).toBe(10008);
});

it('a bot needs permissions to change or delete a webhook message, which outlives the webhook', async () => {
  const { call, ask, refused, only } = await hooked();
  const { body } = await call(`POST ${HOOK}?wait=true`, { json: { content: 'x' } });
  const path = `/channels/${ids.general}/messages/${body.id}`;
  await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY');
  expect((await refused(`DELETE ${path}`)).body.code).toBe(50013);
  expect((await refused(`PATCH ${path}`, { content: 'y' })).body.code).toBe(50005);
  await call(`DELETE ${HOOK}`);
  expect((await ask(`GET ${path}`)).body).toMatchObject({ content: 'x', webhook_id: '900' });
});

it('a webhook unarchives a thread that it writes in, and starts posts in a forum', async () => {
  const { call, emulator, ask } = await hooked();
  const { body } = await call(`POST ${HOOK}?wait=true&thread_id=912`, { json: { content: 'x' } });
  expect(body.channel_id).toBe('912');
  expect(emulator.tables.channels.get('912')?.thread?.archived).toBe(false);
  expect((await call(`GET ${HOOK}/messages/${body.id}`)).body.code).toBe(10008);
  expect((await call(`GET ${HOOK}/messages/${body.id}?thread_id=912`)).body.id).toBe(body.id);
  const post = await call('POST /webhooks/901/tide?wait=true', {
    json: { content: 'first', thread_name: 'Flood', applied_tags: ['5'] },
  });
  expect(post.body).toMatchObject({ id: post.body.channel_id, webhook_id: '901' });
  expect((await ask(`GET /channels/${post.body.id}`)).body).toMatchObject({
    name: 'Flood',
    type: 11,
    parent_id: '910',
    applied_tags: ['5'],
  });
});

it('a webhook message is readable for the application that owns the webhook, and empty for another', async () => {
  const read = async (application: string) => {
    const { call, ask } = await hooked({ application }, []);
    const { body } = await call(`POST ${HOOK}?wait=true`, { json: { content: 'x' } });
    expect(body).toMatchObject({ content: 'x', application_id: application });
    return (await ask(`GET /channels/${ids.general}/messages/${body.id}`)).body.content;
  };
  expect(await read(APP)).toBe('x');
  expect(await read('77')).toBe('');
});

describe('a webhook sends components', () => {
  it('of an application unchanged', async () => {
    const { call } = await hooked({ application: APP });
    const { body } = await call(`POST ${HOOK}?wait=true`, { json: { components: row(BUTTON) } });
    expect(body.components).toMatchObject(row(BUTTON));
  });

  it('without an application only on request, and never interactive ones', async () => {
    const { call, emulator } = await hooked();
    const json = { content: 'x', components: row(LINK) };
    expect((await call(`POST ${HOOK}?wait=true`, { json })).body.components).toEqual([]);
    const shown = await call(`POST ${HOOK}?wait=true&with_components=true`, { json });
    expect(shown.body.components).toMatchObject(row(LINK));
    const before = emulator.exportState();
    const refused = await call(`POST ${HOOK}?with_components=true`, { json: { components: row(BUTTON) } });
    expect(refused.body).toMatchObject({ code: 50035, errors: { components: {} } });
    expect(emulator.exportState()).toBe(before);
  });
});

it('a webhook mentions everyone unless allowed_mentions forbids the mention', async () => {
  const { call } = await hooked();
  const said = async (json: object) => (await call(`POST ${HOOK}?wait=true`, { json })).body.mention_everyone;
  expect(await said({ content: '@everyone' })).toBe(true);
  expect(await said({ content: '@everyone', allowed_mentions: { parse: [] } })).toBe(false);
});

describe('a refused webhook execution leaves the state unchanged:', () => {
  it.each([
    ['nothing', HOOK, {}, 400, 50006],
    ['a text of 2,001 characters', HOOK, { content: 'x'.repeat(2001) }, 400, 50035],
    ['a text that is a list', HOOK, { content: [] }, 400, 50035],
    ['eleven embeds', HOOK, { embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) }, 400, 50035],
    ['a name of the platform', HOOK, { content: 'x', username: 'discord' }, 400, 50035],
    ['a picture that is no address', HOOK, { content: 'x', avatar_url: 'javascript:x' }, 400, 50035],
    ['another token', '/webhooks/900/ebb', { content: 'x' }, 401, 50027],
    ['no webhook', '/webhooks/1/tide', { content: 'x' }, 404, 10015],
    ['no id', '/webhooks/x/tide', { content: 'x' }, 400, 50035],
    ['a thread of another channel', `${HOOK}?thread_id=911`, { content: 'x' }, 404, 10003],
    ['a thread that is none', `${HOOK}?thread_id=${ids.general}`, { content: 'x' }, 404, 10003],
    ['a post outside of a forum', HOOK, { content: 'x', thread_name: 'x' }, 400, 220003],
    ['a forum without a post', '/webhooks/901/tide', { content: 'x' }, 400, 220001],
    ['a post in a post', '/webhooks/901/tide?thread_id=911', { content: 'x', thread_name: 'x' }, 400, 220002],
    ['a post without a word', '/webhooks/901/tide', { thread_name: 'x' }, 400, 50006],
    [
      'a tag that the forum has not',
      '/webhooks/901/tide',
      { content: 'x', thread_name: 'x', applied_tags: ['6'] },
      400,
      50035,
    ],
    ['an answer that is no yes or no', `${HOOK}?wait=maybe`, { content: 'x' }, 400, 50035],
  ])('%s', async (_, path, json, status, code) => {
    const { call, emulator } = await hooked();
    const before = emulator.exportState();
    expect(await call(`POST ${path}`, { json })).toMatchObject({ status, body: { code } });
    expect(emulator.exportState()).toBe(before);
  });

  it('reading the original response of a channel webhook', async () => {
    const { call } = await hooked();
    expect((await call(`GET ${HOOK}/messages/@original`)).body.code).toBe(10008);
  });
});
