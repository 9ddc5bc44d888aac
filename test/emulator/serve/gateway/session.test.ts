import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { APP } from '../../../helpers/platform.ts';

it('a bot receives HELLO, READY and each of its guilds, and its heartbeats are acknowledged [W-2]', async () => {
  const platform = await botPlatform();
  const client = new GatewayClient(platform.url);
  expect(await client.next()).toEqual({ op: 10, s: null, t: null, d: { heartbeat_interval: 41_250 } });
  client.send({ op: 1, d: null });
  expect(await client.next()).toMatchObject({ op: 11 });
  client.send({ op: 2, d: { token: tokenOf(platform), intents: 1, properties: {} } });
  const ready = await client.next();
  expect(ready).toMatchObject({
    op: 0,
    s: 1,
    t: 'READY',
    d: {
      v: 10,
      user: { id: APP, bot: true },
      guilds: [{ id: ids.riverBank, unavailable: true }],
      application: { id: APP, flags: 1 << 19 },
      resume_gateway_url: `${platform.url.replace('http', 'ws').replace('/api', '')}/gateway`,
    },
  });
  expect(ready.d).not.toHaveProperty('shard');
  expect(await client.next()).toMatchObject({
    s: 2,
    t: 'GUILD_CREATE',
    d: { id: ids.riverBank, unavailable: false },
  });
  client.socket.close(1000);
  expect((await client.closed).code).toBe(1000);
});

const PRESENCES: readonly (readonly [
  what: string,
  presence: object,
  status: string,
  names: readonly string[],
])[] = [
  [
    'eris, before a status is set',
    { activities: null, afk: false, since: null, status: 'online' },
    'online',
    [],
  ],
  [
    'discord.py',
    { status: null, game: { name: 'chess', type: 0 }, since: 0, afk: false },
    'online',
    ['chess'],
  ],
  ['discord.py without an activity', { status: 'dnd', game: null, since: 0, afk: false }, 'dnd', []],
  ['discordgo', { since: 0, game: { name: '', type: 0 }, status: '', afk: false }, 'online', []],
  [
    'discordrb',
    { status: 'idle', since: 5, game: { name: 'chess', type: 3, url: null }, afk: null },
    'idle',
    ['chess'],
  ],
  [
    'an activity without a type',
    { status: 'idle', activities: [{ name: 'chess' }, null] },
    'idle',
    ['chess'],
  ],
];

it.each(PRESENCES)('Identify and opcode 3 accept the presence of %s', async (_, presence, status, names) => {
  const platform = await botPlatform();
  const shown = () => {
    const found = [...platform.emulator.tables.session_presences].filter(({ user }) => user === APP);
    return found.map((one) => [one.status, one.activities.map(({ name }) => name)]);
  };
  const client = new GatewayClient(platform.url);
  await client.op(10);
  client.send({ op: 2, d: { token: tokenOf(platform), intents: 1, properties: {}, v: 10, presence } });
  await client.event('READY');
  expect(shown()).toEqual([[status, names]]);
  client.send({ op: 3, d: { activities: [], status: 'invisible' } });
  client.send({ op: 3, d: presence });
  client.send({ op: 1, d: null });
  await client.op(11);
  expect(shown()).toEqual([[status, names]]);
});

it('READY of a bot has the empty lists that libraries iterate over', async () => {
  const platform = await botPlatform();
  const client = new GatewayClient(platform.url);
  await client.op(10);
  client.send({ op: 2, d: { token: tokenOf(platform), intents: 1, properties: {} } });
  expect(await client.event('READY')).toMatchObject({
    d: { private_channels: [], relationships: [], presences: [], user_settings: {} },
  });
});

it('small ids and the only guild in a list do not close the connection', async () => {
  const platform = await botPlatform();
  const client = new GatewayClient(platform.url);
  await client.op(10);
  client.send({ op: 2, d: { token: tokenOf(platform), intents: 1, properties: {} } });
  await client.event('READY');
  const asked = `"guild_id":[${ids.riverBank}],"user_ids":[5,${APP}],"limit":null,"presences":null,"query":null,"nonce":7`;
  client.socket.send(`{"op":8,"d":{${asked}}}`);
  expect(await client.event('GUILD_MEMBERS_CHUNK')).toMatchObject({
    d: { guild_id: ids.riverBank, members: [{ user: { id: APP } }], not_found: ['5'], nonce: '7' },
  });
  client.socket.send('{"op":4,"d":{"guild_id":5,"channel_id":6,"self_mute":false,"self_deaf":false}}');
  client.socket.send('{"op":31,"d":{"guild_ids":[5]}}');
  client.send({ op: 1, d: null });
  expect(await client.op(11)).toBeDefined();
});

it('a session that resumes before it received anything is reported as invalid', async () => {
  const platform = await botPlatform();
  const client = new GatewayClient(platform.url);
  await client.op(10);
  client.send({ op: 6, d: { token: tokenOf(platform), session_id: 'none', seq: null } });
  expect(await client.op(9)).toMatchObject({ d: false });
});
