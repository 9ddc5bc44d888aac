// discord.js as it is: it logs in at the gateway that the API names, and never learns that this is no platform but a program.
import { join } from 'node:path';
import { ChannelType, Events, GatewayIntentBits, type Message } from 'discord.js';
import { expect, it, onTestFinished } from 'vitest';
import { createRuntime, startDaemon } from '../helpers/daemon.ts';
import { GENERAL, GUILD, OTTER, RIVER } from './bot-world.ts';
import { botOf, guildIds, linesTo, loggedIn, manyGuilds } from './gateway-bot.ts';
import { APP, botToken, story } from './story.ts';

const HERON = '200000000000000002';
const ALL = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.MessageContent,
];

/** The bot's application, allowed what it declares, as a patch or a fixture has it. */
const BOT = {
  users: [{ id: APP, username: 'harbour', bot: true }],
  applications: [{ id: APP, bot_user: APP, intents: ['message_content', 'guild_members'] }],
};

async function tenGuilds() {
  const emulator = await story();
  const world = manyGuilds(10, APP, [HERON, OTTER, RIVER]);
  await emulator.operations.call('emulator.apply', { patch: { ...BOT, ...world } });
  return emulator;
}

it('discord.js logs in, and has every guild with its channels, roles and members [W-2]', async () => {
  const { api } = await tenGuilds();
  const client = await loggedIn(botOf(api, ALL));
  expect([client.user.username, client.user.bot, client.application.id]).toEqual(['harbour', true, APP]);
  const ours = client.guilds.cache.filter(({ id }) => guildIds(10).includes(id));
  expect([...ours.keys()].toSorted()).toEqual(guildIds(10));
  for (const guild of ours.values()) {
    expect([guild.available, guild.memberCount, guild.ownerId]).toEqual([true, 4, HERON]);
    expect(guild.members.me?.roles.cache.map(({ name }) => name).toSorted()).toEqual(['@everyone', 'keeper']);
    expect(guild.channels.cache.map(({ name, type }) => [name, type])).toEqual(
      expect.arrayContaining([
        ['towpath', ChannelType.GuildText],
        ['lockside', ChannelType.GuildVoice],
      ]),
    );
  }
  // What REST alone cannot do: the managers know who they are.
  const [guild] = ours.values();
  const otter = await guild?.members.fetch(OTTER);
  expect((await otter?.setNickname('Lontra'))?.nickname).toBe('Lontra');
});

it('discord.js fetches all members once in 30 s, and gets the time to wait at a second request [L-7, V-5]', async () => {
  const { api } = await tenGuilds();
  const client = await loggedIn(botOf(api, ALL));
  const [first, second] = guildIds(10).map((id) => client.guilds.cache.get(id));
  expect([...((await first?.members.fetch()) ?? []).keys()]).toEqual(
    expect.arrayContaining([APP, HERON, OTTER, RIVER]),
  );
  const refused: unknown = await first?.members.fetch().catch((error: unknown) => error);
  // Not by its class: the library loads its own copy.
  expect(String(refused)).toContain('GatewayRateLimitError');
  const { data } = refused as { readonly data: { readonly retry_after: number } };
  expect(data).toMatchObject({ opcode: 8, meta: { guild_id: first?.id } });
  expect(data.retry_after).toBeGreaterThan(20);
  expect(data.retry_after).toBeLessThanOrEqual(30);
  // Others are not concerned, and neither is who asks by name.
  expect((await second?.members.fetch())?.size).toBe(4);
  expect((await first?.members.fetch({ query: 'ott' }))?.map(({ id }) => id)).toEqual([OTTER]);
});

it('discord.js receives each change once [W-2]', async () => {
  const emulator = await tenGuilds();
  const client = await loggedIn(botOf(emulator.api, ALL));
  const told: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => told.push(`said ${content}`));
  client.on(Events.MessageUpdate, (before, after) => told.push(`${before.content} became ${after.content}`));
  client.on(Events.MessageReactionAdd, ({ emoji }) => told.push(`reaction ${emoji.name}`));
  client.on(Events.MessageDelete, ({ content }) => told.push(`gone ${content}`));
  client.on(Events.ChannelCreate, ({ name }) => told.push(`channel ${name}`));
  client.on(Events.GuildRoleCreate, ({ name }) => told.push(`role ${name}`));
  client.on(Events.GuildMemberUpdate, (_, { displayName }) => told.push(`member ${displayName}`));
  const [guild] = guildIds(10).map((id) => client.guilds.cache.get(id));
  const channel = guild?.channels.cache.find(({ name }) => name === 'towpath');
  if (guild === undefined || channel?.type !== ChannelType.GuildText) throw new Error('no towpath');

  const said = await channel.send('low');
  await said.edit('high');
  await said.react('🌊');
  await said.delete();
  await guild.channels.create({ name: 'weir' });
  await guild.roles.create({ name: 'lock-keeper' });
  await (await guild.members.fetch(OTTER)).setNickname('Lontra');
  await emulator.operations.call('channel.say', { channel: channel.id, text: 'ahoy', author: HERON });
  await expect.poll(() => told).toContain('said ahoy');
  expect(told).toEqual([
    'said low',
    'low became high',
    'reaction 🌊',
    'gone high',
    'channel weir',
    'role lock-keeper',
    'member Lontra',
    'said ahoy',
  ]);
});

it('discord.js resumes a cut connection without events lost, repeated or out of order [W-2]', async () => {
  const emulator = await tenGuilds();
  const lines = linesTo(emulator.api);
  const client = await loggedIn(botOf(emulator.api, ALL));
  const told: string[] = [];
  const resumed: number[] = [];
  client.on(Events.MessageCreate, ({ content }) => told.push(content));
  client.on(Events.ShardResume, (_, replayed) => resumed.push(replayed));
  const ready: number[] = [];
  client.on(Events.ShardReady, (shard) => ready.push(shard));
  const say = (number: number) =>
    emulator.operations.call('channel.say', {
      channel: '430000000000000000',
      text: String(number),
      author: HERON,
    });
  let count = 0;
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 5; i += 1) await say(count++);
    expect(lines.cut()).toBeGreaterThan(0);
    for (let i = 0; i < 20; i += 1) await say(count++);
    await expect.poll(() => resumed.length, { timeout: 10_000 }).toBe(round + 1);
  }
  await say(count++);
  await expect.poll(() => told.length).toBe(count);
  expect(told).toEqual(Array.from({ length: count }, (_, number) => String(number)));
  expect(ready).toEqual([]);
});

it('discord.js gets a new session after a kill and restart of the bridge, without a restart of the bot [W-2]', async () => {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  const args = ['--consent', 'allow', '--http-port'];
  const before = await startDaemon({ runtime, args: [...args, '0'] });
  const { api } = before.ready;
  const patch = { ...BOT, guilds: [{ id: GUILD, members: [{ user: APP }] }] };
  const world = join(runtime.folder, 'world.jsonl');
  for (const words of [
    ['apply', '-'],
    ['export', world],
  ])
    expect((await before.cli(['emulator', ...words], JSON.stringify(patch))).stderr).toBe('');
  const client = await loggedIn(botOf(api, ALL));
  const sessions: string[] = [];
  client.on(Events.ShardReady, () => sessions.push('ready'));
  client.on(Events.ShardResume, () => sessions.push('resumed'));
  const told: Message[] = [];
  client.on(Events.MessageCreate, (message) => told.push(message));

  await before.kill();
  const after = await startDaemon({ runtime, args: [...args, new URL(api).port, '--fixture', world] });
  onTestFinished(async () => void (await after.stop()));
  expect(after.ready.api).toBe(api);
  // Not resumed: it comes back either with an invalid session, or anew where it tried while there was no bridge.
  await expect.poll(() => sessions, { timeout: 20_000 }).toEqual(['ready']);
  const general = await client.channels.fetch(GENERAL);
  if (general?.type !== ChannelType.GuildText) throw new Error('no text channel');
  await general.send('back again');
  await expect.poll(() => told.map(({ content }) => content)).toEqual(['back again']);
  expect(told[0]?.author.id).toBe(client.user.id);
});

it('discord.js gets the reason for an invalid token and for a disallowed intent [W-2]', async () => {
  const { api } = await tenGuilds();
  await expect(botOf(api, ALL).login('no.token.of-ours')).rejects.toThrow('invalid token');
  const eager = botOf(api, [...ALL, GatewayIntentBits.GuildPresences]);
  await expect(eager.login(botToken())).rejects.toThrow('disallowed intents');
});
