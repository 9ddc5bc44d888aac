// discord.js as it is, while things go wrong on purpose: what it bears by itself, it bears here.
import { ChannelType, Events, GatewayIntentBits, RESTEvents, type TextChannel } from 'discord.js';
import { expect, it } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { OTTER, RIVER } from './bot-world.ts';
import { botOf, guildIds, loggedIn, manyGuilds } from './gateway-bot.ts';
import { APP, story } from './story.ts';

const BOT = {
  users: [{ id: APP, username: 'harbour', bot: true }],
  applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
};

async function bot() {
  const emulator = await story();
  await emulator.operations.call('emulator.apply', {
    patch: { ...BOT, ...manyGuilds(1, APP, [OTTER, RIVER]) },
  });
  const client = await loggedIn(
    botOf(emulator.api, [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.MessageContent,
    ]),
  );
  const channel = client.guilds.cache
    .get(guildIds(1)[0] ?? '')
    ?.channels.cache.find(({ name }) => name === 'towpath');
  if (channel?.type !== ChannelType.GuildText) throw new Error('no towpath');
  return { emulator, client, channel };
}

const say = (emulator: TestEmulator, channel: TextChannel, text: string) =>
  emulator.operations.call('channel.say', { channel: channel.id, author: OTTER, text });

it('discord.js waits after a 429, retries after a 502, and rejects when the answer is lost', async () => {
  const { emulator, client, channel } = await bot();
  const limits: string[] = [];
  client.rest.on(RESTEvents.RateLimited, ({ scope }) => limits.push(scope));
  const route = 'POST /channels/{id}/messages';
  for (const fault of ['status=429', 'status=502']) await emulator.faults.add(fault, { route, count: 1 });
  const begun = performance.now();
  expect((await channel.send('high water')).content).toBe('high water');
  expect(performance.now() - begun).toBeGreaterThan(900);
  const answers = emulator
    .journal()
    .flatMap((entry) => (entry.kind === 'http' && entry.method === 'POST' ? [entry.status] : []));
  expect(answers).toEqual([429, 502, 200]);
  // Served, and its answer cut off.
  await emulator.faults.add('drop', { route, count: 1 });
  await expect(channel.send('low water')).rejects.toThrow('other side closed');
  const said = await channel.messages.fetch();
  expect(said.map(({ content }) => content)).toEqual(['low water', 'high water']);
});

it('discord.js receives each message once while the gateway requests reconnects, closes, cuts or delays', async () => {
  const { emulator, client, channel } = await bot();
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => void heard.push(content));
  const resumed: string[] = [];
  client.on(Events.ShardResume, () => void resumed.push('resumed'));
  const said: string[] = [];
  const next = async (): Promise<void> => {
    said.push(`message ${said.length}`);
    await say(emulator, channel, said.at(-1) ?? '');
  };
  for (const fault of ['reconnect', 'close=4000', 'split', 'delay=300', 'slow=2000']) {
    await emulator.faults.add(fault, { gateway: true, count: 1 });
    await next();
    await next();
    await expect.poll(() => heard, { timeout: 20_000 }).toEqual(said);
  }
  expect(resumed).toEqual(['resumed', 'resumed']);
});
