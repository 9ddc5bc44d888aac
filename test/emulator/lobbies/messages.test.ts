import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { botTokenOf } from '../../../src/emulator/applications/bot.ts';
import { ids } from '../../helpers/emulator-world.ts';
import {
  everybodyMay,
  LOBBY,
  type LobbyPlatform,
  linked,
  lobbyPlatform,
} from '../../helpers/lobby-platform.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';
import { APP } from '../../helpers/platform.ts';

const HOUR_MS = 3_600_000;
const OF_GAME = 65_536;

/** What the application was told, as type and data. */
async function told({ emulator }: LobbyPlatform): Promise<() => Promise<[string, unknown][]>> {
  const events: [string, unknown][] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        type: number;
        event?: { type: string; data: unknown };
      };
      if (body.event !== undefined) events.push([body.event.type, body.event.data]);
      pings += body.type === 0 ? 1 : 0;
      // The second one is signed wrongly.
      response.writeHead(body.type === 0 && pings === 2 ? 401 : 204).end();
    });
  });
  let pings = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const types = ['LOBBY_MESSAGE_CREATE', 'LOBBY_MESSAGE_UPDATE', 'LOBBY_MESSAGE_DELETE'] as const;
  await emulator.webhooks.set(APP, `http://127.0.0.1:${port}/`, types);
  return async () => {
    const sent = () => emulator.webhooks.deliveries().filter(({ type }) => type !== 'PING');
    await expect.poll(() => sent().every(({ state }) => state === 'delivered')).toBe(true);
    return events.splice(0);
  };
}

/** The bot as a member of the guild, who reads and writes. */
async function inChannel(platform: LobbyPlatform) {
  const { emulator, bot, call } = platform;
  await everybodyMay(
    platform,
    'VIEW_CHANNEL',
    'SEND_MESSAGES',
    'READ_MESSAGE_HISTORY',
    'MANAGE_MESSAGES',
    'MANAGE_CHANNELS',
  );
  await emulator.apply({
    applications: [{ id: APP, intents: ['message_content'] }],
    guilds: [{ id: ids.riverBank, members: [{ user: APP }] }],
  });
  return (what: string, json?: unknown) => {
    const [method, path = ''] = what.split(' ');
    return call(`${method} /channels/${ids.general}/messages${path}`, {
      headers: bot(),
      ...(json === undefined ? {} : { json }),
    });
  };
}

describe('a message of a lobby', () => {
  it('is written by a member, and has the name of its author in the game [E-4]', async () => {
    const { ask, emulator } = await lobbyPlatform();
    await ask(`PUT /members/${ids.heron}`, { json: { additional_name: 'Pilot' } });
    const { status, body } = await ask('POST /messages', {
      by: 'heron',
      json: { content: 'high water', metadata: { at: 'dawn' }, flags: 4 },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      type: 0,
      content: 'high water',
      lobby_id: LOBBY,
      channel_id: LOBBY,
      author: expect.objectContaining({ id: ids.heron, username: 'heron' }),
      lobby_member: { additional_name: 'Pilot' },
      metadata: { at: 'dawn' },
      flags: OF_GAME | 4,
      application_id: APP,
    });
    // It is the name of then.
    await ask(`PUT /members/${ids.heron}`, { json: { additional_name: 'Captain' } });
    const [first] = (await ask('GET /messages', { by: 'river' })).body;
    expect(first).toEqual(body);
    const form = await ask('POST /messages', { by: 'river', form: { content: 'as a form', nonce: '5' } });
    expect(form).toMatchObject({ status: 201, body: { content: 'as a form' } });
    expect(emulator.tables.messages.has(body.id)).toBe(false);
  });

  it('is listed among the last 200 of 72 hours, newest first [E-5, K-11, L-4]', async () => {
    const clock = new ManualClock();
    const { ask, emulator } = await lobbyPlatform({ clock });
    emulator.lobbies.send(LOBBY, ids.river, 'too old');
    clock.advance(1);
    for (let at = 0; at < 205; at += 1) emulator.lobbies.send(LOBBY, ids.river, `${at}`);
    const contents = async (query: string): Promise<string[]> => {
      const { body } = await ask(`GET /messages${query}`, { by: 'heron' });
      return body.map(({ content }: { content: string }) => content);
    };
    expect(await contents('?limit=2')).toEqual(['204', '203']);
    expect(await contents('')).toHaveLength(50);
    const all = await contents('?limit=200');
    expect([all.length, all.at(-1)]).toEqual([200, '5']);
    clock.advance(72 * HOUR_MS - 1);
    emulator.lobbies.send(LOBBY, ids.river, 'new');
    expect((await contents('?limit=200')).slice(0, 2)).toEqual(['new', '204']);
    clock.advance(1);
    expect(await contents('?limit=200')).toEqual(['new']);
  });

  it('is not written twice with one nonce when enforce_nonce is set', async () => {
    const clock = new ManualClock();
    const { ask, emulator } = await lobbyPlatform({ clock });
    const json = { content: 'once', nonce: 'n', enforce_nonce: true };
    const first = await ask('POST /messages', { by: 'river', json });
    expect((await ask('POST /messages', { by: 'river', json })).body.id).toBe(first.body.id);
    const other = await ask('POST /messages', { by: 'heron', json });
    expect(other.body.id).not.toBe(first.body.id);
    expect(
      (await ask('POST /messages', { by: 'river', json: { ...json, enforce_nonce: false } })).body.id,
    ).not.toBe(first.body.id);
    clock.advance(5 * 60_000);
    await ask('POST /messages', { by: 'river', json });
    expect(emulator.tables.lobby_messages.size).toBe(4);
  });

  it('is not written again with the nonce of a deleted message', async () => {
    const { ask, emulator } = await lobbyPlatform({ clock: new ManualClock() });
    const json = { content: 'once', nonce: 'n', enforce_nonce: true };
    const { id } = (await ask('POST /messages', { by: 'river', json })).body;
    emulator.lobbies.remove(id);
    expect(await ask('POST /messages', { by: 'river', json })).toMatchObject({
      status: 404,
      body: { code: 10008 },
    });
    expect((await ask('POST /messages', { by: 'heron', json })).status).toBe(201);
  });

  it('is removed with its lobby, without an event', async () => {
    const platform = await lobbyPlatform();
    const { ask, emulator } = platform;
    const events = await told(platform);
    emulator.lobbies.send(LOBBY, ids.river, 'x');
    await ask('DELETE ');
    expect(emulator.tables.lobby_messages.size).toBe(0);
    expect((await events()).map(([type]) => type)).toEqual(['LOBBY_MESSAGE_CREATE']);
  });
});

describe('the moderation metadata of a message', () => {
  it('is visible to the game alone, and removed when the message is edited [P-18, O-20, V-13]', async () => {
    const platform = await lobbyPlatform();
    const { ask, emulator } = platform;
    const channel = await inChannel(platform);
    await linked(platform);
    const events = await told(platform);
    const { body } = await ask('POST /messages', { by: 'river', json: { content: 'mud' } });
    expect(await events()).toEqual([['LOBBY_MESSAGE_CREATE', body]]);
    const said = { action: 'replace', replacement: 'm**' };
    const place = `/messages/${body.id}/moderation-metadata`;
    expect((await ask(`PUT ${place}`, { json: said })).status).toBe(204);
    const seen = async () => (await ask('GET /messages', { by: 'heron' })).body[0];
    expect(await seen()).toEqual({ ...body, moderation_metadata: said });
    expect(JSON.stringify((await channel(`GET /${body.id}`)).body)).not.toContain('m**');
    // Another decision takes its place.
    await ask(`PUT ${place}`, { json: { action: 'show' } });
    expect((await seen()).moderation_metadata).toEqual({ action: 'show' });
    expect(await events()).toEqual([]);
    emulator.lobbies.edit(body.id, 'silt');
    expect(await seen()).toEqual({ ...body, content: 'silt' });
    expect(await events()).toMatchObject([['LOBBY_MESSAGE_UPDATE', { content: 'silt' }]]);
  });

  it('is also accepted as a form, and has at most five entries [P-18]', async () => {
    const { ask, refused, emulator } = await lobbyPlatform();
    const { id } = emulator.lobbies.send(LOBBY, ids.river, 'x');
    const place = `PUT /messages/${id}/moderation-metadata`;
    expect((await ask(place, { form: { action: 'hide' } })).status).toBe(204);
    expect(emulator.tables.lobby_messages.get(id)?.moderation_metadata).toEqual({ action: 'hide' });
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`k${at}`, 'v']));
    for (const json of [many, { a: 'x'.repeat(2001) }, { ['x'.repeat(1025)]: 'a' }, { a: 1 }, [], 'x']) {
      const no = await refused(place, { json });
      expect([no.status, no.body.code]).toEqual([400, 50035]);
    }
    const most = { ['k'.repeat(1024)]: 'v'.repeat(2000), b: '', c: '', d: '', e: '' };
    expect((await ask(place, { json: most })).status).toBe(204);
  });
});

describe('a lobby that is linked to a channel', () => {
  it('has the channel until the link is removed', async () => {
    const platform = await lobbyPlatform();
    const { ask, emulator } = platform;
    await inChannel(platform);
    const link = (json: unknown) => ask('PATCH /channel-linking', { by: 'river', json });
    expect(await link({ channel_id: ids.general })).toMatchObject({
      status: 200,
      body: { id: LOBBY, linked_channel: { id: ids.general, guild_id: ids.riverBank, type: 0 } },
    });
    expect((await ask('GET ')).body.linked_channel.id).toBe(ids.general);
    // Once more is no error.
    expect((await link({ channel_id: ids.general })).status).toBe(200);
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, nsfw: true }] }] });
    expect((await ask('GET ')).body).not.toHaveProperty('linked_channel');
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, nsfw: false }] }] });
    await link({ channel_id: ids.general });
    // To end it nobody needs a permission in the guild.
    await everybodyMay(platform);
    expect(await link({})).toMatchObject({ status: 200 });
    expect(emulator.tables.lobbies.get(LOBBY)?.linked_channel).toBeNull();
  });

  it('copies its messages to the channel, with their author and the game', async () => {
    const platform = await lobbyPlatform();
    const { ask } = platform;
    const channel = await inChannel(platform);
    await linked(platform);
    await ask(`PUT /members/${ids.heron}`, { json: { additional_name: 'Pilot' } });
    const { body } = await ask('POST /messages', { by: 'heron', json: { content: 'high water' } });
    expect(body.channel_id).toBe(ids.general);
    const copy = (await channel(`GET /${body.id}`)).body;
    expect(copy).toMatchObject({
      id: body.id,
      channel_id: ids.general,
      content: 'high water',
      author: { id: ids.heron },
      application_id: APP,
      lobby_member: { additional_name: 'Pilot' },
      flags: OF_GAME,
    });
    // It is told once, and not as one from the channel.
    expect((await ask('GET /messages', { by: 'river' })).body).toEqual([body]);
  });

  it('receives the messages of the channel while it is linked [V-13]', async () => {
    const platform = await lobbyPlatform();
    const { ask, emulator } = platform;
    const channel = await inChannel(platform);
    await channel('POST ', { content: 'before' });
    await linked(platform);
    const events = await told(platform);
    const { id } = (await channel('POST ', { content: 'from the bank' })).body;
    const person = emulator.messages.send(ids.general, 'from the reeds', ids.otter);
    const messages = async () => (await ask('GET /messages', { by: 'river' })).body;
    const seen = await messages();
    expect(seen).toEqual([
      {
        id: person.id,
        type: 0,
        content: 'from the reeds',
        lobby_id: LOBBY,
        channel_id: ids.general,
        author: expect.objectContaining({ id: ids.otter }),
        flags: 0,
      },
      expect.objectContaining({ id, content: 'from the bank', author: expect.objectContaining({ id: APP }) }),
    ]);
    expect(await events()).toEqual([
      ['LOBBY_MESSAGE_CREATE', seen[1]],
      ['LOBBY_MESSAGE_CREATE', seen[0]],
    ]);
    await channel(`PATCH /${id}`, { content: 'from the other bank' });
    const edited = emulator.tables.lobby_messages.get(id)?.edited_timestamp ?? '';
    expect(await events()).toEqual([
      [
        'LOBBY_MESSAGE_UPDATE',
        {
          ...seen[1],
          content: 'from the other bank',
          edited_timestamp: edited.replace('Z', '000+00:00'),
          timestamp: expect.stringMatching(/\+00:00$/),
        },
      ],
    ]);
    await channel(`DELETE /${id}`);
    expect(await events()).toEqual([['LOBBY_MESSAGE_DELETE', { id, lobby_id: LOBBY }]]);
    expect((await messages()).map((one: { id: string }) => one.id)).toEqual([person.id]);
    await ask('PATCH /channel-linking', { by: 'river', json: {} });
    await channel('POST ', { content: 'after' });
    emulator.lobbies.send(LOBBY, ids.river, 'only here');
    expect((await messages()).map(({ content }: { content: string }) => content)).toEqual([
      'only here',
      'from the reeds',
    ]);
  });

  it('edits and deletes a message of the game on both sides', async () => {
    const platform = await lobbyPlatform();
    const { emulator } = platform;
    const channel = await inChannel(platform);
    await linked(platform);
    const { id } = emulator.lobbies.send(LOBBY, ids.river, 'low tide');
    emulator.lobbies.edit(id, 'ebb');
    expect((await channel(`GET /${id}`)).body).toMatchObject({ content: 'ebb' });
    emulator.messages.edit(id, 'flood');
    expect(emulator.tables.lobby_messages.get(id)).toMatchObject({ content: 'flood', flags: OF_GAME });
    emulator.lobbies.remove(id);
    expect(emulator.tables.messages.has(id)).toBe(false);
    const other = emulator.lobbies.send(LOBBY, ids.river, 'spring tide');
    await channel(`DELETE /${other.id}`);
    expect(emulator.tables.lobby_messages.has(other.id)).toBe(false);
  });

  it('lets members write without guild permissions, but does not allow mentions without permission', async () => {
    const platform = await lobbyPlatform();
    const { ask, emulator } = platform;
    await everybodyMay(platform);
    await emulator.apply({ guilds: [{ id: ids.riverBank, owner: 'otter' }] });
    await linked(platform);
    const content = `@everyone <@${ids.otter}>`;
    const { body } = await ask('POST /messages', {
      by: 'heron',
      json: { content, allowed_mentions: { parse: ['everyone', 'users'] } },
    });
    expect(emulator.tables.messages.get(body.id)).toMatchObject({
      content,
      mentions: { users: [ids.otter], everyone: false },
    });
  });

  it('stores a message that AutoMod blocks in the channel only in the lobby [E-4]', async () => {
    const platform = await lobbyPlatform();
    const { ask, emulator } = platform;
    await everybodyMay(platform);
    await emulator.apply({
      guilds: [
        {
          id: ids.riverBank,
          owner: 'otter',
          automod_rules: [
            {
              id: '9',
              name: 'no mud',
              trigger_type: 'keyword',
              keyword_filter: ['mud'],
              actions: [{ type: 'block_message' }],
            },
          ],
        },
      ],
    });
    await linked(platform);
    const { status, body } = await ask('POST /messages', { by: 'heron', json: { content: 'mud' } });
    expect([status, body.channel_id]).toEqual([201, LOBBY]);
    expect(emulator.tables.messages.has(body.id)).toBe(false);
    const fine = await ask('POST /messages', { by: 'heron', json: { content: 'sand' } });
    expect(emulator.tables.messages.get(fine.body.id)).toMatchObject({ content: 'sand' });
    expect(() => emulator.lobbies.edit(fine.body.id, 'mud')).toThrow('automatic moderation');
    expect((await ask('GET /messages', { by: 'river' })).body).toEqual([fine.body, body]);
  });

  it('preserves its messages when the channel is deleted, and an import does not copy them again', async () => {
    const platform = await lobbyPlatform();
    const { emulator } = platform;
    await emulator.apply({
      guilds: [{ id: ids.riverBank, channels: [{ id: '9', name: 'x', type: 'text' }] }],
    });
    await emulator.apply({ lobbies: [{ id: LOBBY, linked_channel: '9' }] });
    const { id } = emulator.messages.send('9', 'x', ids.otter);
    const { lobbies, lobby_messages, messages } = emulator.tables;
    const rows = () => [lobbies, lobby_messages, messages].map((table) => [...table]);
    const before = rows();
    const state = emulator.exportState();
    emulator.reset();
    emulator.importState(state, 'x');
    expect(rows()).toEqual(before);
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: '9', remove: true }] }] });
    expect(emulator.tables.lobby_messages.get(id)).toMatchObject({ channel: null, content: 'x' });
    expect(emulator.tables.lobbies.get(LOBBY)?.linked_channel).toBeNull();
  });

  it('invites its members to the channel, each once and for an hour [P-17, L-8]', async () => {
    const platform = await lobbyPlatform();
    const { ask, refused, emulator } = platform;
    const none = await refused('POST /members/@me/invites', { by: 'heron' });
    expect([none.status, none.body.message]).toEqual([400, 'The lobby is not linked to a channel']);
    await linked(platform);
    const own = await ask('POST /members/@me/invites', { by: 'heron' });
    expect([own.status, own.body]).toEqual([200, { code: expect.any(String) }]);
    const other = await ask(`POST /members/${ids.river}/invites`);
    const made = (code: string) => ({
      invite: emulator.tables.channel_invites.get(code),
      targets: [...emulator.tables.invite_targets.by('invite', code)].map(({ user }) => user),
    });
    const shape = { channel: ids.general, max_age: 3600, max_uses: 1 };
    expect(made(own.body.code)).toMatchObject({ invite: shape, targets: [ids.heron] });
    expect(made(other.body.code)).toMatchObject({ invite: shape, targets: [ids.river] });
    const stranger = await refused(`POST /members/${ids.otter}/invites`);
    expect([stranger.status, stranger.body.code]).toEqual([404, 10007]);
    const outside = await refused('POST /members/@me/invites', { by: 'otter' });
    expect([outside.status, outside.body.code]).toEqual([403, 50001]);
    const { created_at } = made(own.body.code).invite ?? {};
    const more = Array.from({ length: 998 }, (_, at) => ({
      code: `more${at}`,
      ...shape,
      created_at,
      target_type: 5,
      targeted: true,
    }));
    await emulator.apply({ channel_invites: more });
    const full = await refused('POST /members/@me/invites', { by: 'heron' });
    expect([full.status, full.body.code]).toEqual([400, 30016]);
  });

  it('refuses the bot of another application', async () => {
    const { call, emulator } = await lobbyPlatform();
    const other = emulator.tables.applications.get(ids.lighthouse);
    const token = botTokenOf(other ?? { id: ids.lighthouse, bot_token: null });
    const headers = { authorization: `Bot ${token}` };
    for (const what of ['GET ', 'PATCH ', 'DELETE ', 'DELETE /members/1', 'PUT /members/1']) {
      const [method, path] = what.split(' ');
      const answer = await call(`${method} /lobbies/${LOBBY}${path}`, { headers, json: {} });
      expect([what, answer.status, answer.body.code]).toEqual([what, 403, 50001]);
    }
    expect(emulator.tables.lobbies.has(LOBBY)).toBe(true);
  });
});
