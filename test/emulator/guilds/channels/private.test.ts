import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { inGuild } from '../../../helpers/guild-platform.ts';
import { APP, type PlatformRequest } from '../../../helpers/platform.ts';
import { players } from '../../../helpers/players.ts';
import { rpcFeed } from '../../../helpers/rpc-feed.ts';

/** A platform whose bot shares a guild with everybody. */
async function withBot() {
  const platform = await players();
  await inGuild(platform, []);
  const ask = (what: string, request: PlatformRequest = {}) =>
    platform.call(what, { ...request, headers: { ...platform.bot(), ...request.headers } });
  const refused = async (what: string, json?: unknown) => {
    const before = platform.emulator.exportState();
    const { status, body } = await ask(what, json === undefined ? {} : { json });
    expect(platform.emulator.exportState()).toBe(before);
    return [status, body.code];
  };
  const open = async (recipient_id: string): Promise<string> =>
    (await ask('POST /users/@me/channels', { json: { recipient_id } })).body.id;
  return { platform, emulator: platform.emulator, ask, refused, open };
}

/** Headers without their first word. */
async function joinToken(platform: Awaited<ReturnType<typeof players>>, user: string, scopes = ['gdm.join']) {
  const { id } = platform.emulator.me();
  platform.emulator.accounts.logIn(user);
  const { authorization } = await platform.bearer(['identify', ...scopes]);
  platform.emulator.accounts.logIn(id);
  return authorization.replace('Bearer ', '');
}

describe('a private channel between a bot and a user', () => {
  it('is created once, and both can see it', async () => {
    const { ask, open, emulator } = await withBot();
    const { status, body } = await ask('POST /users/@me/channels', { json: { recipient_id: ids.otter } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 1,
      flags: 0,
      last_message_id: null,
      recipients: [{ id: ids.otter, username: 'otter' }],
    });
    expect(await open(ids.otter)).toBe(body.id);
    expect((await ask(`GET /channels/${body.id}`)).body).toEqual(body);
    expect(emulator.tables.private_channels.get(body.id)?.recipients).toEqual([APP, ids.otter]);
    expect((await ask(`DELETE /channels/${body.id}`)).body).toEqual(body);
  });

  it('accepts all operations on messages except those that need guild permissions', async () => {
    const { ask, open, emulator, refused } = await withBot();
    const channel = await open(ids.otter);
    const said = await ask(`POST /channels/${channel}/messages`, { json: { content: 'ahoy <@5>' } });
    expect(said.body).toMatchObject({ content: 'ahoy <@5>', channel_id: channel, author: { id: APP } });
    expect(said.body.guild_id).toBeUndefined();
    const answered = emulator.messages.send(channel, 'aye', ids.otter);
    // Without the privileged intent, and though nobody mentions it.
    const { body } = await ask(`GET /channels/${channel}/messages`);
    expect(body.map((one: { content: string }) => one.content)).toEqual(['aye', 'ahoy <@5>']);
    const at = `/channels/${channel}/messages/${answered.id}`;
    expect((await ask(`PUT ${at}/reactions/%F0%9F%91%8D/@me`)).status).toBe(204);
    expect((await ask(`PUT /channels/${channel}/messages/pins/${answered.id}`)).status).toBe(204);
    expect((await ask(`GET /channels/${channel}/messages/pins`)).body.items).toHaveLength(1);
    expect((await ask(`GET /channels/${channel}`)).body.last_pin_timestamp).not.toBeNull();
    const own = `/channels/${channel}/messages/${said.body.id}`;
    expect((await ask(`PATCH ${own}`, { json: { content: 'ahoy!' } })).body.content).toBe('ahoy!');
    expect((await ask(`POST /channels/${channel}/typing`)).status).toBe(204);
    expect(await refused(`DELETE ${at}`)).toEqual([403, 50003]);
    expect(await refused(`PATCH ${at}`, { content: 'no' })).toEqual([403, 50005]);
    expect(await refused(`DELETE ${at}/reactions`)).toEqual([403, 50003]);
    expect(await refused(`POST /channels/${channel}/messages/bulk-delete`, { messages: ['1', '2'] })).toEqual(
      [403, 50003],
    );
    expect(await refused(`PATCH /channels/${channel}`, { name: 'x' })).toEqual([403, 50003]);
    expect(await refused(`POST /channels/${channel}/threads`, { name: 'x', type: 11 })).toEqual([403, 50003]);
    expect((await ask(`DELETE ${own}`)).status).toBe(204);
  });

  it('accepts forwarded messages, and its messages can be forwarded', async () => {
    const { ask, open } = await withBot();
    const channel = await open(ids.otter);
    const { body } = await ask(`POST /channels/${ids.general}/messages`, { json: { content: 'tide' } });
    const message_reference = { type: 1, message_id: body.id, channel_id: ids.general };
    const passed = await ask(`POST /channels/${channel}/messages`, { json: { message_reference } });
    expect(passed.body.message_snapshots[0].message.content).toBe('tide');
    const back = { type: 1, message_id: passed.body.id, channel_id: channel };
    const again = await ask(`POST /channels/${ids.general}/messages`, { json: { message_reference: back } });
    expect(again.body.message_snapshots[0].message.content).toBe('tide');
  });

  it.each([
    ['nobody', { recipient_id: '5' }, 400, 50033],
    ['itself', { recipient_id: APP }, 400, 50033],
    ['a bot', { recipient_id: '77' }, 400, 50007],
    ['whoever is not named', {}, 400, 50035],
    ['what is no id', { recipient_id: 'otter' }, 400, 50035],
    ['nobody of a token', { access_tokens: ['x'] }, 403, 50025],
    ['no tokens', { access_tokens: [] }, 400, 50035],
    ['too many', { access_tokens: Array.from({ length: 10 }, () => 'x') }, 400, 50035],
  ])('cannot be opened with %s', async (_, json, status, code) => {
    const { emulator, refused } = await withBot();
    await emulator.apply({ users: [{ id: '77', username: 'dinghy', bot: true }] });
    expect(await refused('POST /users/@me/channels', json)).toEqual([status, code]);
  });

  it('refuses a message to a user who blocks the bot or shares no guild with it', async () => {
    const { emulator, open, refused, ask } = await withBot();
    const channel = await open(ids.otter);
    const json = { content: 'ahoy' };
    await emulator.apply({ relationships: [{ of: 'otter', user: 'tug', type: 'blocked' }] });
    expect(await refused(`POST /channels/${channel}/messages`, json)).toEqual([403, 50007]);
    await emulator.apply({ relationships: [{ of: 'otter', user: 'tug', remove: true }] });
    expect((await ask(`POST /channels/${channel}/messages`, { json })).status).toBe(200);
    await emulator.apply({ guilds: [{ id: ids.riverBank, members: [{ user: 'tug', remove: true }] }] });
    expect(await refused(`POST /channels/${channel}/messages`, json)).toEqual([403, 50278]);
  });

  it('refuses messages of other bots and users', async () => {
    const { platform, emulator, open } = await withBot();
    await emulator.apply({ users: [{ id: ids.lighthouse, username: 'lamp', bot: true }] });
    const channel = await open(ids.otter);
    const other = { headers: platform.bot(ids.lighthouse), json: { content: 'x' } };
    const { status, body } = await platform.call(`POST /channels/${channel}/messages`, other);
    expect([status, body.code]).toEqual([403, 50001]);
    expect(() => emulator.messages.send(channel, 'x', ids.heron)).toThrow(/not in this private channel/);
  });

  it('sends the logged-in user only NOTIFICATION_CREATE over RPC', async () => {
    const { ask, open, emulator } = await withBot();
    const channel = await open(ids.river);
    const told = rpcFeed(emulator).types;
    await ask(`POST /channels/${channel}/messages`, { json: { content: 'ahoy' } });
    expect(told()).toEqual(['NOTIFICATION_CREATE']);
    await ask(`POST /channels/${await open(ids.otter)}/messages`, { json: { content: 'ahoy' } });
    expect(told()).toEqual([]);
  });

  it('is also opened by a message of the user', async () => {
    const { ask, open, emulator } = await withBot();
    const { channel } = emulator.messages.sendTo(APP, 'aye', ids.otter);
    expect(await open(ids.otter)).toBe(channel);
    expect((await ask(`GET /channels/${channel}/messages`)).body).toMatchObject([{ content: 'aye' }]);
    expect(() => emulator.messages.sendTo(ids.otter, 'x', ids.otter)).toThrow(/themselves/);
    expect(() => emulator.messages.sendTo('5', 'x', ids.otter)).toThrow(/no such user/);
    expect(() => emulator.messages.sendTo(APP, '', ids.otter)).toThrow(/characters/);
  });

  it('is removed with its messages when either user is removed', async () => {
    const { ask, open, emulator } = await withBot();
    const channel = await open(ids.otter);
    const { body } = await ask(`POST /channels/${channel}/messages`, { json: { content: 'ahoy' } });
    await emulator.apply({ users: [{ id: ids.otter, remove: true }] });
    expect(emulator.tables.private_channels.has(channel)).toBe(false);
    expect(emulator.tables.messages.has(body.id)).toBe(false);
  });
});

describe('a group channel', () => {
  it('is created with access tokens, and its recipients join and leave [O-7]', async () => {
    const { platform, ask, emulator, refused } = await withBot();
    const [river, otter] = [await joinToken(platform, ids.river), await joinToken(platform, ids.otter)];
    const made = await ask('POST /users/@me/channels', {
      json: { access_tokens: [river], nicks: { [ids.river]: 'Captain', 5: 'x' } },
    });
    expect(made.body).toMatchObject({
      type: 3,
      name: null,
      owner_id: APP,
      managed: true,
      application_id: APP,
      recipients: [{ id: ids.river }],
    });
    const two = await ask('POST /users/@me/channels', { json: { recipient_id: ids.river } });
    expect(two.body).not.toHaveProperty('application_id');
    const { id } = made.body;
    const row = () => emulator.tables.private_channels.get(id);
    expect(row()?.nicks).toEqual({ [ids.river]: 'Captain' });
    const path = `/channels/${id}/recipients/${ids.otter}`;
    const put = { json: { access_token: otter, nick: 'Mate' } };
    expect((await ask(`PUT ${path}`, put)).status).toBe(204);
    expect((await ask(`PUT ${path}`, put)).status).toBe(204);
    expect(row()).toMatchObject({ recipients: [APP, ids.river, ids.otter], nicks: { [ids.otter]: 'Mate' } });
    expect((await ask(`PATCH /channels/${id}`, { json: { name: 'Crew' } })).body.name).toBe('Crew');
    expect((await ask(`POST /channels/${id}/messages`, { json: { content: 'x' } })).status).toBe(200);
    expect(await refused(`PUT ${path}`, { access_token: river })).toEqual([400, 50033]);
    expect(await refused(`PUT ${path}`, { access_token: 'x' })).toEqual([403, 50025]);
    expect(await refused(`DELETE /channels/${id}/recipients/5`)).toEqual([404, 10013]);
    expect((await ask(`DELETE ${path}`)).status).toBe(204);
    expect(row()).toMatchObject({ recipients: [APP, ids.river], nicks: { [ids.river]: 'Captain' } });
    // The owner leaves, and the oldest is owner.
    expect((await ask(`DELETE /channels/${id}`)).status).toBe(200);
    expect(row()).toMatchObject({ recipients: [ids.river], owner: ids.river });
    expect(await refused(`GET /channels/${id}`)).toEqual([403, 50001]);
  });

  it('refuses an access token without the scope gdm.join', async () => {
    const { platform, refused } = await withBot();
    const plain = await joinToken(platform, ids.river, []);
    expect(await refused('POST /users/@me/channels', { access_tokens: [plain] })).toEqual([403, 50025]);
  });

  it('cannot be created by a bot that is in ten groups', async () => {
    const { platform, ask, refused } = await withBot();
    const json = { access_tokens: [await joinToken(platform, ids.river)] };
    for (let made = 0; made < 10; made += 1) await ask('POST /users/@me/channels', { json });
    expect(await refused('POST /users/@me/channels', json)).toEqual([400, 0]);
  });

  it('has at most ten recipients', async () => {
    const { platform, emulator, refused } = await withBot();
    const crew = Array.from({ length: 9 }, (_, index) => ({
      id: `${700 + index}`,
      username: `mate${index}`,
    }));
    await emulator.apply({
      users: crew,
      private_channels: [
        { id: '6000', type: 'group', recipients: ['tug', ...crew.map(({ id }) => id)], owner: 'tug' },
      ],
    });
    const json = { access_token: await joinToken(platform, ids.river) };
    expect(await refused(`PUT /channels/6000/recipients/${ids.river}`, json)).toEqual([400, 30004]);
    const direct = { id: '6001', recipients: ['tug', 'river'] };
    await emulator.apply({ private_channels: [direct] });
    expect(await refused(`PUT /channels/6001/recipients/${ids.river}`, json)).toEqual([400, 50024]);
  });
});

it.each([
  [{ id: '6000', recipients: ['river'] }, /recipients: must be two/],
  [{ id: '6000', recipients: ['river', 'river'] }, /twice/],
  [{ id: '6000', type: 'group', recipients: [] }, /at least one/],
  [{ id: '6000', type: 'group', recipients: ['river'], owner: 'otter' }, /none of the recipients/],
  [{ id: '6000', recipients: ['river', 'nobody'] }, /names no user/],
])('a fixture refuses the private channel %j', async (channel, reason) => {
  const { emulator } = await players();
  await expect(emulator.apply({ private_channels: [channel] })).rejects.toThrow(reason);
});

it('merging a provisional account moves its private channels into the existing ones', async () => {
  const platform = await players();
  const { emulator } = platform;
  const gull = await platform.provisional('gull');
  await emulator.apply({
    private_channels: [
      { id: '6000', recipients: [gull.id, 'otter'] },
      { id: '6001', recipients: ['river', 'otter'] },
      { id: '6002', recipients: [gull.id, 'heron'] },
      { id: '6003', recipients: [gull.id, 'river'] },
    ],
    messages: [{ id: '9000', channel: '6000', author: gull.id, content: 'caw' }],
  });
  emulator.external.link(APP, { provider: 'DISCORD_BOT', externalUserId: 'gull', name: null }, ids.river);
  emulator.clock.advance(2000);
  const left = [...emulator.tables.private_channels].map(({ id, recipients }) => [
    id,
    [...recipients].sort(),
  ]);
  expect(left).toEqual([
    ['6001', [ids.river, ids.otter]],
    ['6002', [ids.river, ids.heron]],
  ]);
  expect(emulator.tables.messages.get('9000')).toMatchObject({ channel: '6001', author: ids.river });
});
