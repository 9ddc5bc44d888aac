import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';
import { rpcFeed } from '../../../helpers/rpc-feed.ts';

const NEWS = '910';
const FOLLOW = `POST /channels/${NEWS}/followers`;

/** With an announcement channel and a forum in River Bank. */
const withNews = () =>
  botPlatform({
    guilds: [
      {
        id: ids.riverBank,
        channels: [
          { id: NEWS, name: 'news', type: 'announcement' },
          { id: '911', name: 'reports', type: 'forum' },
        ],
      },
    ],
  });

/** The same, followed by #general; a message with a file is published. */
async function published() {
  const platform = await withNews();
  const { ask, call, bot } = platform;
  const { body: followed } = await ask(FOLLOW, { webhook_channel_id: ids.general });
  const form = new FormData();
  form.set('payload_json', JSON.stringify({ content: `Flood, <@${ids.river}>`, embeds: [{ title: 'Map' }] }));
  form.set('files[0]', new Blob(['water'], { type: 'text/plain' }), 'map.txt');
  const { body } = await call(`POST /channels/${NEWS}/messages`, { headers: bot(), body: form });
  const path = `/channels/${NEWS}/messages/${body.id}`;
  expect((await ask(`POST ${path}/crosspost`)).body.flags).toBe(1);
  const copy = async () => (await ask(`GET /channels/${ids.general}/messages?limit=1`)).body[0];
  return { ...platform, followed, id: body.id as string, path, copy };
}

it('following an announcement channel creates a webhook, a channel message and an audit log entry', async () => {
  const { ask, emulator } = await withNews();
  const { status, body } = await ask(FOLLOW, { webhook_channel_id: ids.general });
  expect({ status, body }).toEqual({
    status: 200,
    body: { channel_id: NEWS, webhook_id: expect.any(String) },
  });
  const name = 'River Bank #news';
  expect((await ask(`GET /webhooks/${body.webhook_id}`)).body).toMatchObject({
    type: 2,
    name,
    channel_id: ids.general,
    source_channel: { id: NEWS, name: 'news' },
  });
  expect((await ask(`GET /channels/${ids.general}/messages?limit=1`)).body).toMatchObject([
    {
      type: 12,
      content: name,
      author: { id: APP },
      message_reference: { channel_id: NEWS, guild_id: ids.riverBank },
    },
  ]);
  expect([...emulator.tables.audit_log].at(-1)).toMatchObject({ action_type: 50, target: body.webhook_id });
});

it('a published message is delivered by the webhook, with its files and without mentions', async () => {
  const { copy, followed, id, emulator } = await published();
  const shown = await copy();
  expect(shown).toMatchObject({
    content: `Flood, <@${ids.river}>`,
    webhook_id: followed.webhook_id,
    author: { username: 'River Bank #news' },
    flags: 2,
    embeds: [{ title: 'Map' }],
    mentions: [],
    message_reference: { channel_id: NEWS, guild_id: ids.riverBank, message_id: id },
    attachments: [{ filename: 'map.txt' }],
  });
  expect(await (await fetch(shown.attachments[0].url)).text()).toBe('water');
  expect(emulator.tables.messages.get(id)?.flags).toBe(1);
});

it('the copies of a published message follow its edits and report its deletion', async () => {
  const { ask, copy, path, emulator } = await published();
  const told = rpcFeed(emulator).types;
  await ask(`PATCH ${path}`, { content: 'All clear', embeds: [], attachments: [] });
  const edited = await copy();
  expect(edited).toMatchObject({ content: 'All clear', embeds: [], attachments: [], flags: 2 });
  expect(edited.edited_timestamp).not.toBeNull();
  expect(told()).toEqual(['MESSAGE_UPDATE', 'MESSAGE_UPDATE']);
  await ask(`DELETE ${path}`);
  expect(await copy()).toMatchObject({
    id: edited.id,
    content: '[Original Message Deleted]',
    flags: 2 | 8,
    embeds: [],
  });
});

it('a deleted copy is not restored, and a deleted webhook delivers no further messages', async () => {
  const { ask, copy, path, followed, emulator, call, bot } = await published();
  await ask(`DELETE /channels/${ids.general}/messages/${(await copy()).id}`);
  const { size } = emulator.tables.messages;
  expect((await ask(`PATCH ${path}`, { content: 'x' })).status).toBe(200);
  expect(emulator.tables.messages.size).toBe(size);
  await ask(`DELETE /webhooks/${followed.webhook_id}`);
  const { body } = await call(`POST /channels/${NEWS}/messages`, { headers: bot(), json: { content: 'x' } });
  await ask(`POST /channels/${NEWS}/messages/${body.id}/crosspost`);
  expect(emulator.tables.messages.size).toBe(size + 1);
});

it('importing a state preserves the copies of published messages', async () => {
  const { emulator, copy, path, ask } = await published();
  const exported = emulator.exportState();
  const before = await copy();
  await ask(`DELETE ${path}`);
  emulator.importState(exported, 'x.jsonl');
  expect(await copy()).toMatchObject({ id: before.id, content: before.content, flags: before.flags });
});

describe('a refused follow request leaves the state unchanged:', () => {
  it.each([
    ['nothing', FOLLOW, {}, 400, 50035],
    ['what is no id', FOLLOW, { webhook_channel_id: 'x' }, 400, 50035],
    [
      'to follow what tells nothing',
      `POST /channels/${ids.general}/followers`,
      { webhook_channel_id: NEWS },
      400,
      50024,
    ],
    ['to bring it to a forum', FOLLOW, { webhook_channel_id: '911' }, 400, 50024],
    ['to bring it to voice', FOLLOW, { webhook_channel_id: ids.lounge }, 400, 50024],
    ['to bring it to another guild', FOLLOW, { webhook_channel_id: ids.arrivals }, 403, 50001],
    ['to bring it nowhere', FOLLOW, { webhook_channel_id: '1' }, 404, 10003],
    ['to follow nothing', 'POST /channels/1/followers', { webhook_channel_id: ids.general }, 404, 10003],
  ])('%s', async (_, what, json, status, code) => {
    const { refused } = await withNews();
    expect(await refused(what, json)).toMatchObject({ status, body: { code } });
  });

  it('without MANAGE_WEBHOOKS', async () => {
    const { refused, only } = await withNews();
    await only('VIEW_CHANNEL', 'SEND_MESSAGES');
    const answer = await refused(FOLLOW, { webhook_channel_id: ids.general });
    expect(answer).toMatchObject({ status: 403, body: { code: 50013 } });
  });
});
