import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';
import { rpcFeed } from '../../helpers/rpc-feed.ts';

const MESSAGES = `/channels/${ids.general}/messages`;
const HIGH = '600000000000000001';
const BOAT = '600000000000000002';
const KEYS = '600000000000000003';

const idsOf = (body: readonly { readonly id: string }[]) => body.map(({ id }) => id);

describe('a page of messages', () => {
  it.each([
    ['', [KEYS, BOAT, HIGH]],
    ['?limit=2', [KEYS, BOAT]],
    [`?before=${KEYS}`, [BOAT, HIGH]],
    [`?before=${KEYS}&limit=1`, [BOAT]],
    [`?after=${HIGH}`, [KEYS, BOAT]],
    [`?after=${HIGH}&limit=1`, [BOAT]],
    [`?around=${BOAT}&limit=3`, [KEYS, BOAT, HIGH]],
    [`?around=${BOAT}&limit=1`, [BOAT]],
    ['?before=1', []],
  ])('is selected by the query "%s"', async (query, expected) => {
    const { ask } = await botPlatform();
    expect(idsOf((await ask(`GET ${MESSAGES}${query}`)).body)).toEqual(expected);
  });

  it.each(['?limit=0', '?limit=101', '?limit=x', '?before=x'])('is refused for %s', async (query) => {
    const { refused } = await botPlatform();
    expect(await refused(`GET ${MESSAGES}${query}`)).toMatchObject({ status: 400, body: { code: 50035 } });
  });

  it('is empty without READ_MESSAGE_HISTORY, and a single message is refused', async () => {
    const { ask, only } = await botPlatform();
    await only('VIEW_CHANNEL');
    expect((await ask(`GET ${MESSAGES}`)).body).toEqual([]);
    expect((await ask(`GET ${MESSAGES}/${HIGH}`)).body.code).toBe(50013);
    await only();
    expect((await ask(`GET ${MESSAGES}`)).body.code).toBe(50001);
  });

  it('requires a member, and refuses a user token and the bot of another application', async () => {
    const { call, bearer, bot } = await botPlatform();
    expect((await call(`GET ${MESSAGES}`, { headers: await bearer() })).body.code).toBe(20002);
    expect((await call(`GET ${MESSAGES}`)).status).toBe(401);
    expect((await call(`GET ${MESSAGES}`, { headers: bot(ids.lighthouse) })).body.code).toBe(50001);
  });
});

describe('a change of a message', () => {
  it('of the bot itself preserves omitted fields, and removes null ones', async () => {
    const { ask } = await botPlatform();
    const made = await ask(`POST ${MESSAGES}`, { content: 'a', embeds: [{ title: 'x' }] });
    const path = `${MESSAGES}/${made.body.id}`;
    const changed = await ask(`PATCH ${path}`, { content: `b <@${ids.otter}>` });
    expect(changed.body).toMatchObject({
      content: `b <@${ids.otter}>`,
      embeds: [{ title: 'x' }],
      mentions: [{ id: ids.otter }],
    });
    expect(changed.body.edited_timestamp).toMatch(/^\d{4}-.*\+00:00$/);
    expect((await ask(`PATCH ${path}`, { embeds: null })).body.embeds).toEqual([]);
    expect((await ask(`GET ${path}`)).body).toMatchObject({ content: `b <@${ids.otter}>`, embeds: [] });
  });

  it.each([
    ['to nothing', { content: '' }, 400, 50006],
    ['to 2,001 characters', { content: 'x'.repeat(2001) }, 400, 50035],
    ['with a file that is not there', { attachments: [{ id: '12345' }] }, 400, 50035],
  ])('%s is refused', async (_, json, status, code) => {
    const { ask, refused } = await botPlatform();
    const { body } = await ask(`POST ${MESSAGES}`, { content: 'a' });
    expect(await refused(`PATCH ${MESSAGES}/${body.id}`, json)).toMatchObject({ status, body: { code } });
  });

  it('of another author can only hide embeds, with the permission', async () => {
    const { ask, refused, only } = await botPlatform({
      messages: [{ id: HIGH, embeds: [{ type: 'rich', title: 'x' }] }],
    });
    expect((await refused(`PATCH ${MESSAGES}/${HIGH}`, { content: 'x' })).body.code).toBe(50005);
    expect((await ask(`PATCH ${MESSAGES}/${HIGH}`, { flags: 4 })).body).toMatchObject({
      flags: 4,
      embeds: [],
    });
    await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY');
    expect((await refused(`PATCH ${MESSAGES}/${HIGH}`, { flags: 0 })).body.code).toBe(50013);
  });

  it.each(['GET', 'PATCH', 'DELETE'])(
    'by %s is refused for a message that is unknown or in another channel',
    async (method) => {
      const { refused } = await botPlatform();
      for (const id of ['1', '600000000000000004']) {
        const json = method === 'PATCH' ? { content: 'x' } : undefined;
        expect(await refused(`${method} ${MESSAGES}/${id}`, json)).toMatchObject({
          status: 404,
          body: { code: 10008 },
        });
      }
    },
  );
});

describe('deleting messages', () => {
  it('requires no permission for own messages, but one for others', async () => {
    const { ask, refused, only, emulator } = await botPlatform();
    const { body } = await ask(`POST ${MESSAGES}`, { content: 'a' });
    await only('VIEW_CHANNEL');
    expect((await refused(`DELETE ${MESSAGES}/${HIGH}`)).body.code).toBe(50013);
    expect((await ask(`DELETE ${MESSAGES}/${body.id}`)).status).toBe(204);
    await only('VIEW_CHANNEL', 'MANAGE_MESSAGES');
    expect((await ask(`DELETE ${MESSAGES}/${HIGH}`)).status).toBe(204);
    expect(emulator.tables.messages.has(HIGH)).toBe(false);
    expect(emulator.tables.messages.has(body.id)).toBe(false);
  });

  it('in bulk removes only those of the channel, in one step', async () => {
    const { ask, emulator } = await botPlatform();
    const made = [];
    for (const content of ['a', 'b', 'c']) made.push((await ask(`POST ${MESSAGES}`, { content })).body.id);
    const told = rpcFeed(emulator).types;
    const messages = [...made.slice(0, 2), String(BigInt(made[2]) + 5n)];
    expect((await ask(`POST ${MESSAGES}/bulk-delete`, { messages })).status).toBe(204);
    expect(told()).toEqual(['MESSAGE_DELETE', 'MESSAGE_DELETE']);
    expect(emulator.tables.messages.has(made[2])).toBe(true);
  });

  it.each([
    ['one', [KEYS], 50035],
    ['101', Array.from({ length: 101 }, (_, i) => String(10 ** 6 + i)), 50035],
    ['old ones', [HIGH, '1'], 50034],
    ['texts', ['x', 'y'], 50035],
  ])('in bulk refuses %s', async (_, messages, code) => {
    const { refused } = await botPlatform();
    expect(await refused(`POST ${MESSAGES}/bulk-delete`, { messages })).toMatchObject({
      status: 400,
      body: { code },
    });
  });

  it('in bulk requires the permission', async () => {
    const { refused, only } = await botPlatform();
    await only('VIEW_CHANNEL', 'SEND_MESSAGES');
    expect((await refused(`POST ${MESSAGES}/bulk-delete`, { messages: [HIGH, BOAT] })).body.code).toBe(50013);
  });
});

it('a message of a bot that is a member has the account of the bot as its author', async () => {
  const { ask } = await botPlatform();
  expect((await ask(`POST ${MESSAGES}`, { content: 'x' })).body.author.id).toBe(APP);
});
