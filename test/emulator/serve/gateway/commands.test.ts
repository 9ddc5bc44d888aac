import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { APP } from '../../../helpers/platform.ts';

const GUILDS = 1;
const MEMBERS = 1 << 1;
const VOICE_STATES = 1 << 7;
const PRESENCES = 1 << 8;

it('the gateway answers requests of a session, and ignores those without permission [V-5, V-6, V-8, L-7, N-3]', async () => {
  const people = Array.from({ length: 1200 }, (_, at) => `${2_000_000_000_000_000_000n + BigInt(at)}`);
  const platform = await botPlatform(
    {
      users: people.map((id, at) => ({ id, username: `sailor${at}` })),
      guilds: [{ id: ids.riverBank, members: [{ user: people[7], nick: 'Captain' }] }],
    },
    ['guild_members', 'guild_presences'],
  );
  const { emulator } = platform;
  const channels = [...emulator.tables.channels.by('guild', ids.riverBank)];
  const voice = channels.find(({ type }) => type === 2)?.id ?? '';
  const client = new GatewayClient(platform.url);
  await client.identify(tokenOf(platform), { intents: GUILDS | MEMBERS | VOICE_STATES | PRESENCES });
  await client.event('GUILD_CREATE');
  const ask = (fields: object): void => client.send({ op: 8, d: { guild_id: ids.riverBank, ...fields } });

  ask({ query: '', limit: 0, nonce: 'all' });
  const chunks = [await client.event('GUILD_MEMBERS_CHUNK'), await client.event('GUILD_MEMBERS_CHUNK')];
  expect(
    chunks.map(({ d }) => [d.guild_id, d.chunk_index, d.chunk_count, d.nonce, d.members.length > 200]),
  ).toEqual([
    [ids.riverBank, 0, 2, 'all', true],
    [ids.riverBank, 1, 2, 'all', true],
  ]);
  const found = chunks.flatMap(({ d }) => d.members.map((one: { user: { id: string } }) => one.user.id));
  expect(chunks[0]?.d.members).toHaveLength(1000);
  expect(new Set(found).size).toBe(found.length);
  expect(found).toEqual(expect.arrayContaining(people));

  ask({ query: '', limit: 0, nonce: 'again' });
  const { d: limited } = await client.event('RATE_LIMITED');
  expect(limited).toEqual({
    opcode: 8,
    retry_after: expect.any(Number),
    meta: { guild_id: ids.riverBank, nonce: 'again' },
  });
  expect(limited.retry_after).toBeGreaterThan(20);
  emulator.clock.advance(30_000);
  ask({ query: '', limit: 0 });
  expect((await client.event('GUILD_MEMBERS_CHUNK')).d).not.toHaveProperty('nonce');
  // Before that day nobody was kept waiting.
  emulator.clock.set(Date.parse('2025-09-30T00:00:00Z'));
  for (const nonce of ['1', '2']) {
    ask({ query: '', limit: 0, nonce });
    await client.next(({ d }) => d?.nonce === nonce);
  }

  ask({ query: 'SAILOR11', limit: 5, nonce: 'x'.repeat(33) });
  const { d: named } = await client.next(({ d }) => d?.chunk_count === 1);
  expect(named.members.map((one: { user: { username: string } }) => one.user.username)).toHaveLength(5);
  expect(named).not.toHaveProperty('nonce');
  ask({ query: 'capt', limit: 0, nonce: 'nick' });
  expect((await client.next(({ d }) => d?.nonce === 'nick')).d.members).toMatchObject([{ nick: 'Captain' }]);
  ask({ user_ids: [APP, people[3], '77', 'x'], presences: true, nonce: 'ids' });
  const { d: byId } = await client.next(({ d }) => d?.nonce === 'ids');
  expect(byId.members.map((one: { user: { id: string } }) => one.user.id)).toEqual([APP, people[3]]);
  expect(byId.not_found).toEqual(['77', 'x']);
  expect(byId.presences).toMatchObject([{ user: { id: APP }, status: 'online' }]);

  client.send({
    op: 3,
    d: { since: null, activities: [{ name: 'the tide', type: 3 }], status: 'idle', afk: false },
  });
  ask({ user_ids: APP, presences: true, nonce: 'idle' });
  expect((await client.next(({ d }) => d?.nonce === 'idle')).d.presences).toMatchObject([
    { status: 'idle', activities: [{ name: 'the tide', type: 3 }] },
  ]);

  client.send({
    op: 4,
    d: { guild_id: ids.riverBank, channel_id: voice, self_mute: true, self_deaf: false },
  });
  expect((await client.event('VOICE_STATE_UPDATE')).d).toMatchObject({
    channel_id: voice,
    user_id: APP,
    self_mute: true,
  });
  expect((await client.event('VOICE_SERVER_UPDATE')).d).toMatchObject({
    guild_id: ids.riverBank,
    endpoint: null,
  });
  await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: voice, status: 'fishing' }] }] });
  client.send({ op: 43, d: { guild_id: ids.riverBank, fields: ['status', 'voice_start_time'], nonce: 'n' } });
  const { d: info } = await client.event('CHANNEL_INFO');
  expect(info).toMatchObject({ guild_id: ids.riverBank, nonce: 'n' });
  expect(info.channels.find(({ id }: { id: string }) => id === voice)).toEqual({
    id: voice,
    status: 'fishing',
    voice_start_time: Math.floor(
      Date.parse(emulator.tables.channels.get(voice)?.voice_start_time ?? '') / 1000,
    ),
  });
  client.send({ op: 43, d: { guild_id: ids.riverBank, fields: ['status'] } });
  expect((await client.event('CHANNEL_INFO')).d.channels).toContainEqual({ id: voice, status: 'fishing' });
  client.send({ op: 31, d: { guild_ids: [ids.riverBank, '1'] } });
  expect((await client.event('SOUNDBOARD_SOUNDS')).d.guild_id).toBe(ids.riverBank);
  expect(platform.lines).toContainEqual(expect.stringContaining('opcode 31'));

  client.send({
    op: 4,
    d: { guild_id: ids.riverBank, channel_id: null, self_mute: false, self_deaf: false },
  });
  expect((await client.event('VOICE_STATE_UPDATE')).d).toMatchObject({ channel_id: null });
  await emulator.apply({ applications: [{ id: APP, intents: [] }] });
  const other = new GatewayClient(platform.url);
  await other.identify(tokenOf(platform), { intents: GUILDS });
  other.send({ op: 8, d: { guild_id: ids.riverBank, query: '', limit: 0 } });
  expect((await other.rest()).map(({ t }) => t)).not.toContain('GUILD_MEMBERS_CHUNK');
});

it('the gateway compresses a session as one stream, or each large payload by itself [W-2]', async () => {
  const platform = await botPlatform();
  const token = tokenOf(platform);
  const stream = new GatewayClient(platform.url, '?v=10&encoding=json&compress=zlib-stream');
  await stream.identify(token, { intents: GUILDS });
  expect((await stream.event('GUILD_CREATE')).d.id).toBe(ids.riverBank);
  await platform.emulator.apply({ guilds: [{ id: ids.riverBank, description: 'é'.repeat(100) }] });
  expect((await stream.event('GUILD_UPDATE')).d.description).toBe('é'.repeat(100));
  expect(stream.binary).toBe(stream.received.length);
  const each = new GatewayClient(platform.url);
  await each.identify(token, { intents: GUILDS, compress: true });
  await each.event('GUILD_CREATE');
  expect(each.binary).toBeGreaterThan(0);
  expect(each.binary).toBeLessThan(each.received.length);
});

it('a user session needs gateway.connect and closes on revocation, a bot session on another token [K-3]', async () => {
  const platform = await botPlatform();
  const { authorization } = await platform.bearer(['identify']);
  const properties = {};
  const few = new GatewayClient(platform.url);
  await few.op(10);
  few.send({ op: 2, d: { token: authorization, properties } });
  expect(await few.closed).toMatchObject({ code: 4004, reason: expect.stringContaining('gateway.connect') });
  const { authorization: whole } = await platform.bearer(['identify', 'gateway.connect']);
  const person = new GatewayClient(platform.url);
  const { d } = await person.identify(whole, { intents: undefined });
  expect(d).toMatchObject({ user: { id: platform.emulator.me().id }, guilds: [], application: { id: APP } });
  await platform.call('POST /oauth2/token/revoke', {
    form: { client_id: APP, token: whole.slice('Bearer '.length) },
  });
  expect((await person.closed).code).toBe(4004);
  const bot = new GatewayClient(platform.url);
  await bot.identify(tokenOf(platform));
  const first = Buffer.from(APP).toString('base64url');
  await platform.emulator.apply({ applications: [{ id: APP, bot_token: `${first}.another.one` }] });
  expect((await bot.closed).code).toBe(4004);
  const other = new GatewayClient(platform.url);
  await other.identify(tokenOf(platform));
  await platform.emulator.apply({
    users: [{ id: '41', username: 'other', bot: true }],
    applications: [{ id: APP, bot_user: '41' }],
  });
  expect((await other.closed).code).toBe(4004);
});

it('session starts of bots are counted, and limited only when rate limits are enforced [P-16]', async () => {
  const platform = await botPlatform();
  const token = tokenOf(platform);
  const remaining = async () =>
    (await platform.ask('GET /gateway/bot')).body.session_start_limit.remaining as number;
  expect(await remaining()).toBe(1000);
  await new GatewayClient(platform.url).identify(token);
  await new GatewayClient(platform.url).identify(token);
  expect(await remaining()).toBe(998);
  await platform.emulator.apply({ rate_limits: 'enforced' });
  const soon = new GatewayClient(platform.url);
  await soon.op(10);
  const identify = { op: 2, d: { token, intents: 0, properties: {} } };
  soon.send(identify);
  expect(await soon.op(9)).toMatchObject({ d: false });
  platform.emulator.clock.advance(5000);
  soon.send(identify);
  await soon.event('READY');
  platform.emulator.clock.advance(24 * 60 * 60 * 1000);
  expect(await remaining()).toBe(1000);
});
