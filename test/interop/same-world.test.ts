// What a game's backend does over HTTP is what the game sees over RPC, and the other way round: one daemon, one state.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer, AppPeer } from '../helpers/app-peer.ts';
import { asAnswer } from '../helpers/app-peer.ts';
import { ids } from '../helpers/emulator-world.ts';
import { APP, type FaultBridge, faultBridge } from '../helpers/fault-bridge.ts';
import { dataUri, png } from '../helpers/media-bytes.ts';

const SCOPES = [
  'rpc',
  'identify',
  'guilds',
  'guilds.members.read',
  'messages.read',
  'rpc.notifications.read',
  'rpc.voice.read',
];
const CREW = '801';

let bridge: FaultBridge;
let game: AppPeer;

beforeEach(async () => {
  bridge = await faultBridge();
  await patch({
    users: [{ id: APP, username: 'harbour', bot: true }],
    applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
    guilds: [
      {
        id: ids.riverBank,
        owner: 'heron',
        members: [{ user: APP, roles: ['900'] }],
        roles: [
          { id: CREW, name: 'crew', position: 1, colors: { primary_color: 0x1a2b3c } },
          { id: '900', name: 'Harbour', position: 2, permissions: ['ADMINISTRATOR'], bot: APP },
        ],
      },
    ],
  });
  game = await bridge.app();
  const { data } = await game.call('AUTHORIZE', { client_id: APP, scopes: SCOPES });
  const answer = await fetch(`${bridge.ready.api}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: data.code,
      client_id: APP,
      client_secret: 'any',
    }),
  });
  const { access_token } = (await answer.json()) as { readonly access_token: string };
  expect(await game.call('AUTHENTICATE', { access_token })).toMatchObject({ evt: null });
});

async function patch(change: object): Promise<void> {
  const file = join(bridge.folder, 'patch.json');
  writeFileSync(file, JSON.stringify(change));
  await bridge.json('emulator', 'apply', file);
}

interface Given {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
}

/** A request of the backend with the token of its bot; what was answered. */
async function backend(what: string, body?: object | FormData): Promise<Given> {
  const [method = '', path = ''] = what.split(' ');
  const answer = await fetch(`${bridge.ready.api}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot`,
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.status, `${what} answered ${text}`).toBeLessThan(300);
  return (text === '' ? {} : JSON.parse(text)) as Given;
}

/** Subscribes, and takes what a subscription of a state begins with. */
async function listen(evt: string, args?: object): Promise<void> {
  expect(await game.subscribe(evt, args)).toMatchObject({ evt: null });
}

async function event(): Promise<Answer> {
  const frame = await game.next();
  if (frame === undefined) throw new Error('the connection has ended');
  return asAnswer(frame);
}

const MESSAGES = `/channels/${ids.general}/messages`;

describe('a game over RPC', () => {
  it('receives created, notified, edited, pinned and deleted messages of the backend with all their fields', async () => {
    for (const evt of ['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE'])
      await listen(evt, { channel_id: ids.general });
    await listen('NOTIFICATION_CREATE');
    const form = new FormData();
    const said = {
      content: `<@${ids.river}> and <@&${CREW}>, look`,
      embeds: [{ title: 'Tide table', image: { url: 'attachment://tide.png' } }],
      message_reference: { message_id: '600000000000000001' },
      attachments: [{ id: 0, description: 'The tide' }],
    };
    form.set('payload_json', JSON.stringify(said));
    form.set('files[0]', new Blob(['png']), 'tide.png');
    const { id } = await backend(`POST ${MESSAGES}`, form);

    const created = await event();
    expect(created).toMatchObject({
      cmd: 'DISPATCH',
      evt: 'MESSAGE_CREATE',
      data: {
        channel_id: ids.general,
        message: {
          id,
          content: said.content,
          author: { id: APP, bot: true },
          bot: true,
          type: 19,
          mentions: [{ id: ids.river }, { id: ids.heron }],
          mention_roles: [CREW],
          mention_everyone: false,
          embeds: [{ title: 'Tide table', image: { attachment_id: expect.any(String) } }],
          // The embed shows the only one.
          attachments: [],
        },
      },
    });
    const { url } = created.data.message.embeds[0].image as { readonly url: string };
    expect(await (await fetch(url)).text()).toBe('png');
    expect(await event()).toMatchObject({
      evt: 'NOTIFICATION_CREATE',
      data: { channel_id: ids.general, title: 'harbour (#general)', body: said.content, message: { id } },
    });

    await backend(`PATCH ${MESSAGES}/${id}`, { content: 'never mind', flags: 4 });
    expect(await event()).toMatchObject({
      evt: 'MESSAGE_UPDATE',
      data: { message: { id, content: 'never mind', embeds: [], edited_timestamp: expect.any(String) } },
    });
    await backend(`PUT ${MESSAGES}/pins/${id}`);
    expect(await event()).toMatchObject({ evt: 'MESSAGE_UPDATE', data: { message: { id, pinned: true } } });
    expect(await event()).toMatchObject({ evt: 'MESSAGE_CREATE', data: { message: { type: 6 } } });
    await backend(`DELETE ${MESSAGES}/${id}`);
    expect(await event()).toMatchObject({
      evt: 'MESSAGE_DELETE',
      data: { channel_id: ids.general, message: { id } },
    });
  });

  it('receives no notification of a message whose allowed mentions exclude its user', async () => {
    await listen('NOTIFICATION_CREATE');
    await listen('MESSAGE_CREATE', { channel_id: ids.general });
    const content = `<@${ids.river}> @everyone`;
    await backend(`POST ${MESSAGES}`, { content, allowed_mentions: { parse: [] } });
    const told = await event();
    expect(told).toMatchObject({
      evt: 'MESSAGE_CREATE',
      data: { message: { content, mentions: [], mention_everyone: false } },
    });
    expect(await game.rest()).toEqual([]);
  });

  it('receives an event for each of several messages that are deleted at once', async () => {
    await listen('MESSAGE_DELETE', { channel_id: ids.general });
    const written = [
      await backend(`POST ${MESSAGES}`, { content: 'one' }),
      await backend(`POST ${MESSAGES}`, { content: 'two' }),
    ];
    const messages = written.map(({ id }) => id);
    await backend(`POST ${MESSAGES}/bulk-delete`, { messages });
    const told = [await event(), await event()].map(({ evt, data }) => [evt, data.message.id]);
    expect(told).toEqual(expect.arrayContaining(messages.map((id) => ['MESSAGE_DELETE', id])));
  });

  it('receives the new name and icon of a guild that the backend changes', async () => {
    await listen('GUILD_STATUS', { guild_id: ids.riverBank });
    expect(await event()).toMatchObject({ evt: 'GUILD_STATUS', data: { guild: { name: 'River Bank' } } });
    await backend(`PATCH /guilds/${ids.riverBank}`, { name: 'River Mouth' });
    expect(await event()).toMatchObject({
      evt: 'GUILD_STATUS',
      data: { guild: { id: ids.riverBank, name: 'River Mouth' }, online: 0 },
    });
    const { icon } = await backend(`PATCH /guilds/${ids.riverBank}`, {
      icon: dataUri(png()),
    });
    expect((await event()).data.guild.icon_url).toContain(`/icons/${ids.riverBank}/${icon}.png`);
    await backend(`PATCH /guilds/${ids.riverBank}`, { icon: null });
    expect((await event()).data.guild.icon_url).toBeNull();
    expect(await game.call('GET_GUILD', { guild_id: ids.riverBank })).toMatchObject({
      data: { name: 'River Mouth', members: [], vanity_url_code: null },
    });
  });

  it('reads the status and the start time of a voice channel [O-24]', async () => {
    const lounge = async () => (await game.call('GET_CHANNEL', { channel_id: ids.lounge })).data;
    expect(await lounge()).toMatchObject({ status: null, voice_start_time: null, voice_states: [] });
    await backend(`PUT /channels/${ids.lounge}/voice-status`, { status: 'Mending nets' });
    expect(await lounge()).toMatchObject({ status: 'Mending nets' });
    // Over HTTP a channel shows neither.
    const shown = await backend(`GET /channels/${ids.lounge}`);
    expect(shown).not.toHaveProperty('status');
    expect(shown).not.toHaveProperty('voice_start_time');
    const before = Math.floor(Date.now() / 1000);
    await bridge.json('emulator', 'join', 'otter', ids.lounge);
    const { voice_start_time: start, voice_states: there } = await lounge();
    expect(start).toBeGreaterThanOrEqual(before);
    expect(there).toMatchObject([{ user: { username: 'otter' } }]);
    await bridge.json('emulator', 'leave', 'otter');
    await backend(`PUT /channels/${ids.lounge}/voice-status`, { status: null });
    expect(await lounge()).toMatchObject({ status: null, voice_start_time: null });
    // Only a channel that people talk in has any.
    expect(await game.call('GET_CHANNEL', { channel_id: ids.general })).not.toHaveProperty('data.status');
  });

  it('reads the creation, the list entry, the changes and the deletion of a channel of the backend', async () => {
    await listen('CHANNEL_CREATE');
    const made = await backend(`POST /guilds/${ids.riverBank}/channels`, { name: 'Tides', type: 2 });
    const { id, name } = made;
    expect(await event()).toMatchObject({ evt: 'CHANNEL_CREATE', data: { id, name, type: 2 } });
    const args = { guild_id: ids.riverBank };
    const listed = async () => (await game.call('GET_CHANNELS', args)).data.channels as readonly object[];
    expect(await listed()).toContainEqual({ id, name, type: 2 });
    await backend(`PATCH /channels/${id}`, { name: 'Ebb', user_limit: 4, bitrate: 32_000 });
    expect(await game.call('GET_CHANNEL', { channel_id: id })).toMatchObject({
      data: { name: 'Ebb', user_limit: 4, bitrate: 32_000, guild_id: ids.riverBank },
    });
    await backend(`DELETE /channels/${id}`);
    expect(await listed()).not.toContainEqual(expect.objectContaining({ id }));
    expect(await game.call('GET_CHANNEL', { channel_id: id })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4005 },
    });
  });

  it('receives the nickname, role and color of a member that the backend changes', async () => {
    await listen('CURRENT_GUILD_MEMBER_UPDATE', { guild_id: ids.riverBank });
    expect(await event()).toMatchObject({ data: { user_id: ids.river, nick: null } });
    await backend(`PATCH /guilds/${ids.riverBank}/members/${ids.river}`, { nick: 'Rivulet', roles: [CREW] });
    expect(await event()).toMatchObject({
      evt: 'CURRENT_GUILD_MEMBER_UPDATE',
      data: { user_id: ids.river, nick: 'Rivulet', color_string: '#1a2b3c' },
    });
    const { data } = await game.call('GET_CHANNEL', { channel_id: ids.general });
    expect(data.messages).toContainEqual(
      expect.objectContaining({ nick: 'Rivulet', author_color: '#1a2b3c' }),
    );
  });

  it('no longer lists a guild from which the backend removes its user', async () => {
    const guilds = async () =>
      ((await game.call('GET_GUILDS')).data.guilds as readonly { readonly id: string }[]).map(({ id }) => id);
    expect(await guilds()).toContain(ids.riverBank);
    await backend(`DELETE /guilds/${ids.riverBank}/members/${ids.river}`);
    expect(await guilds()).not.toContain(ids.riverBank);
    expect(await game.call('GET_CHANNEL', { channel_id: ids.general })).toMatchObject({
      data: { code: 4005 },
    });
  });
});

describe('a backend over HTTP', () => {
  it('reads the message of a user and the guild name that are set on the side of the client', async () => {
    const { id } = (await bridge.json('emulator', 'say', 'general', 'Low water')) as { readonly id: string };
    expect(await backend(`GET ${MESSAGES}/${id}`)).toMatchObject({
      content: 'Low water',
      author: { id: ids.river },
    });
    await bridge.json('emulator', 'guild', 'set', ids.riverBank, 'name', 'Delta');
    expect(await backend(`GET /guilds/${ids.riverBank}`)).toMatchObject({ name: 'Delta' });
  });
});
