// Two bots of discord.js as they are, each in a world of its own behind one port.
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator, type TestWorld } from '../../src/testing/testing.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';
const GENERAL = '500000000000000002';

/** A world whose bot may do everything in River Bank, with the address at which the bot asks for its gateway. */
async function worldWithBot(
  name: string,
  bridge: Awaited<ReturnType<typeof startEmulator>>,
): Promise<TestWorld> {
  const world = await bridge.world({ name });
  const roles = [{ id: '900', name: 'Harbour', position: 5, permissions: ['ADMINISTRATOR'], bot: APP }];
  await world.operations.call('emulator.apply', {
    patch: {
      users: [{ id: APP, username: 'harbour', bot: true }],
      applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
      guilds: [{ id: GUILD, members: [{ user: APP, roles: ['900'] }], roles }],
    },
  });
  await world.seed();
  return world;
}

/** A bot that answers each message with the name of its world, and answers a command with it. */
async function answering(world: TestWorld, api: string): Promise<Client> {
  const intents = [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.MessageContent,
  ];
  const client = new Client({ intents, rest: { api } });
  onTestFinished(() => client.destroy());
  client.on(Events.MessageCreate, (message) => {
    if (!message.author.bot) void message.reply(`${world.name}: ${message.content}`);
  });
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void interaction.reply(`${world.name} answers`);
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(world.bots.find(({ application }) => application === APP)?.token);
  await ready;
  await client.application?.commands.create({ name: 'where', description: 'In which world' });
  return client;
}

const textsIn = async ({ operations }: TestWorld) =>
  (await operations.call('channel.read', { channel: GENERAL, limit: 2 })).map(({ content }) => content);

it('each hears and answers in its own world, by the address of the world and by its token alone', async () => {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  const [harbour, lake] = [await worldWithBot('harbour', bridge), await worldWithBot('lake', bridge)];
  await answering(harbour, harbour.api);
  // This one knows only the address of the bridge: its token leads it to its world.
  const second = await answering(lake, bridge.api);
  for (const world of [harbour, lake]) {
    await world.operations.call('channel.say', { channel: GENERAL, text: 'Ahoy' });
    await expect.poll(() => textsIn(world)).toEqual(['Ahoy', `${world.name}: Ahoy`]);
    const used = await world.operations.call('interaction.use', {
      app: APP,
      command: '/where',
      channel: GENERAL,
    });
    expect([used.state, used.message?.content]).toEqual(['answered', `${world.name} answers`]);
    await world.reset();
    expect(await textsIn(world)).not.toContain('Ahoy');
    // The bot stayed connected over the reset.
    await world.operations.call('channel.say', { channel: GENERAL, text: 'Again' });
    await expect.poll(() => textsIn(world)).toEqual(['Again', `${world.name}: Again`]);
  }
  await bridge.expect('POST /channels/{channel_id}/messages').not.toHaveBeenCalled();
  const closed = new Promise<number>((resolve) =>
    second.on(Events.ShardDisconnect, ({ code }) => resolve(code)),
  );
  second.on(Events.ShardError, () => {});
  second.on(Events.Error, () => {});
  await lake.close();
  expect(await closed).toBe(4004);
});
