// After each act a test has to know when the bot has finished. Each test here has a bot that reacts in another way.
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { botToken } from '../helpers/gateway-bot.ts';
import { GatewayClient } from '../helpers/gateway-client.ts';
import { listening } from '../helpers/http-listener.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';
const GENERAL = '500000000000000002';

/** An emulator whose bot may everything in River Bank; it ends with the test. */
async function botStory(): Promise<TestEmulator> {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const roles = [{ id: '900', name: 'Harbour', position: 5, permissions: ['ADMINISTRATOR'], bot: APP }];
  await emulator.operations.call('emulator.apply', {
    patch: {
      users: [{ id: APP, username: 'harbour', bot: true }],
      applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
      guilds: [{ id: GUILD, members: [{ user: APP, roles: ['900'] }], roles }],
    },
  });
  return emulator;
}

const SETTLED = { settled: true, waiting: [] };

/** A bot of discord.js that handles the messages of users; it is ready, and ends with the test. */
async function bot({ api }: TestEmulator, handle: (text: string, client: Client) => void): Promise<Client> {
  const intents = [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.MessageContent,
  ];
  const client = new Client({ intents, rest: { api } });
  onTestFinished(() => client.destroy());
  client.on(Events.MessageCreate, ({ author, content }) => {
    if (!author.bot) handle(content, client);
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(botToken(APP));
  await ready;
  return client;
}

async function write(client: Client, text: string): Promise<void> {
  const channel = await client.channels.fetch(GENERAL);
  if (channel?.isSendable()) await channel.send(text);
}

const texts = async ({ operations }: TestEmulator): Promise<readonly string[]> =>
  (await operations.call('channel.read', { channel: 'general', limit: 10 })).map(({ content }) => content);

const say = ({ operations }: TestEmulator, text: string) =>
  operations.call('channel.say', { channel: GENERAL, text });

it('waits for each answer of a bot that works for 20 ms before it', async () => {
  const emulator = await botStory();
  await bot(emulator, (text, client) => {
    void delay(20)
      .then(() => write(client, `${text}, thought over`))
      .then(() => delay(20))
      .then(() => write(client, 'twice'));
  });
  // Far more heartbeats than the 120 payloads a minute that a client may send of its own accord.
  for (let count = 1; count <= 45; count += 1) {
    await say(emulator, `${count}`);
    await expect(emulator.operations.call('emulator.settle')).resolves.toEqual(SETTLED);
    expect((await texts(emulator)).slice(-3)).toEqual([`${count}`, `${count}, thought over`, 'twice']);
  }
});

it('returns at once where nobody is connected, and where nothing has happened since', async () => {
  const emulator = await botStory();
  await say(emulator, 'to nobody');
  const alone = performance.now();
  await expect(emulator.operations.call('emulator.settle', { quiet: '20s', within: '1m' })).resolves.toEqual(
    SETTLED,
  );
  expect(performance.now() - alone).toBeLessThan(10_000);
});

it('waits for an endpoint of interactions, and for what the application does after its answer', async () => {
  const emulator = await botStory();
  const headers = { authorization: `Bot ${botToken(APP)}`, 'content-type': 'application/json' };
  const url = await listening((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { type } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly type: number };
      if (type === 1)
        return response.writeHead(request.headers['x-probe'] === undefined ? 200 : 401).end('{"type":1}');
      void delay(20).then(() => {
        response.setHeader('content-type', 'application/json').end('{"type":4,"data":{"content":"High"}}');
        const body = JSON.stringify({ content: 'Low at six' });
        return fetch(`${emulator.api}/v10/channels/${GENERAL}/messages`, { method: 'POST', headers, body });
      });
    });
  });
  await emulator.operations.call('emulator.apply', {
    patch: { applications: [{ id: APP, interactions_endpoint_url: url }] },
  });
  const body = JSON.stringify({ name: 'tide', description: 'When is it high' });
  await fetch(`${emulator.api}/v10/applications/${APP}/commands`, { method: 'POST', headers, body });
  const used = emulator.operations.call('interaction.use', { app: APP, command: '/tide', channel: GENERAL });
  await expect(emulator.operations.call('emulator.settle')).resolves.toEqual(SETTLED);
  await expect(used).resolves.toMatchObject({ state: 'answered' });
  expect((await texts(emulator)).slice(-2)).toEqual(['High', 'Low at six']);
});

it('waits for the request that an app sends when it receives an event', async () => {
  const emulator = await botStory();
  const app = await connect({ clientId: APP, paths: [emulator.endpoint], reconnect: false });
  onTestFinished(() => app.close());
  const { code } = (await app.request('AUTHORIZE', { client_id: APP, scopes: ['rpc'] })) as {
    readonly code: string;
  };
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    client_id: APP,
    client_secret: 'shh',
  });
  const token = (await (await fetch(`${emulator.api}/oauth2/token`, { method: 'POST', body })).json()) as {
    readonly access_token: string;
  };
  await app.request('AUTHENTICATE', { access_token: token.access_token });
  await app.subscribe('VOICE_SETTINGS_UPDATE', {}, ({ mute }) => {
    if (mute) void delay(20).then(() => app.request('SET_VOICE_SETTINGS', { mute: false }));
  });
  await emulator.operations.call('emulator.settle');
  await emulator.operations.call('voice.set', { key: 'mute', value: true });
  await expect(emulator.operations.call('emulator.settle')).resolves.toEqual(SETTLED);
  await expect(emulator.operations.call('voice.get')).resolves.toMatchObject({ mute: false });
});

it('says for whom it waits in vain: a client that hangs, a command without an answer, a bot that floods', async () => {
  const emulator = await botStory();
  const { operations } = emulator;
  const settle = (within: string) => operations.call('emulator.settle', { within });
  const client = new GatewayClient(emulator.api);
  await client.identify(botToken(APP), { intents: GatewayIntentBits.GuildMessages });
  // A client that never answers a request for a heartbeat is not waited for after a second.
  await say(emulator, 'hello?');
  await expect(settle('30s')).resolves.toEqual(SETTLED);
  await client.cut();

  const hanging = new GatewayClient(emulator.api);
  await hanging.identify(botToken(APP), { intents: GatewayIntentBits.GuildMessages });
  const first = settle('30s');
  await hanging.op(1);
  hanging.send({ op: 1, d: hanging.received.findLast(({ s }) => s !== null)?.s });
  await expect(first).resolves.toEqual(SETTLED);
  await say(emulator, 'are you there?');
  await expect(settle('1500ms')).resolves.toEqual({
    settled: false,
    waiting: ['Harbour Example, to read its events of the gateway'],
  });
  await hanging.cut();

  const silent = await bot(emulator, () => {
    const flood = (): unknown => fetch(`${emulator.api}/v10/gateway`).then(flood, () => {});
    flood();
  });
  await settle('30s');
  await silent.application?.commands.create({ name: 'tide', description: 'When is it high' });
  const used = operations.call('interaction.use', { app: APP, command: '/tide', channel: GENERAL });
  await expect(settle('100ms')).resolves.toEqual({
    settled: false,
    waiting: ['Harbour Example, to answer /tide'],
  });
  await expect(used).resolves.toMatchObject({ state: 'failed' });
  await say(emulator, 'flood');
  const { settled, waiting } = await settle('300ms');
  expect(settled).toBe(false);
  expect(waiting[0]).toMatch(
    /^(a pause of the traffic, which does not end|(a|\d+) requests? to the HTTP API, to be answered)$/,
  );
});

it('refuses durations that it cannot wait', async () => {
  const { operations } = await botStory();
  await expect(operations.call('emulator.settle', { within: '2m' })).rejects.toThrow(
    'within: must be at most 60s',
  );
  await expect(operations.call('emulator.settle', { quiet: 'a while' })).rejects.toThrow(
    'must be a duration such as',
  );
});

it('skips to what is due within a duration, but not on a clock that is locked or frozen', async () => {
  const { operations, clock } = await botStory();
  await clock.freeze();
  await clock.set(new Date('2030-01-01T12:00:00Z'));
  await operations.call('user.ban', { user: 'heron', until: '2030-01-01T14:00:00Z' });
  const skip = async (within: string) => {
    const { now, skipped_ms } = await operations.call('clock.skip', { within });
    return [now, skipped_ms];
  };
  await expect(skip('3h')).resolves.toEqual(['2030-01-01T12:00:00.000Z', 0]);
  await clock.run();
  await operations.call('clock.lock');
  await expect(skip('3h')).resolves.toEqual([expect.stringMatching(/^2030-01-01T12:0/), 0]);
  await operations.call('clock.unlock');
  await expect(skip('1h')).resolves.toEqual([expect.stringMatching(/^2030-01-01T12:0/), 0]);
  const [now, skipped] = await skip('3h');
  expect(now).toMatch(/^2030-01-01T14:00/);
  expect(Number(skipped)).toBeGreaterThan(6_900_000);
  await expect(operations.call('emulator.show')).resolves.toMatchObject({ account_bans: [] });
});
