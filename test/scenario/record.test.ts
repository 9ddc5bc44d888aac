// What people do becomes a scenario that passes at once.
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { expect, it, onTestFinished } from 'vitest';
import { readScenarios } from '../../src/scenario/read.ts';
import { type ScenarioTree, startEmulator, type TestEmulator } from '../../src/testing/entry.ts';
import { botToken } from '../helpers/gateway-bot.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';

async function newBridge(): Promise<TestEmulator> {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  return bridge;
}

/** A bridge with a bot that opens tickets with a form, greets, reacts, and edits its message after a click. */
async function withBot(): Promise<TestEmulator> {
  const bridge = await newBridge();
  await bridge.operations.call('emulator.apply', {
    patch: {
      users: [{ id: APP, username: 'harbour', bot: true }],
      applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
      guilds: [
        {
          id: GUILD,
          members: [{ user: APP, roles: ['900'] }],
          roles: [{ id: '900', name: 'H', position: 5, permissions: ['ADMINISTRATOR'], bot: APP }],
        },
      ],
    },
  });
  const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
  const client = new Client({ intents: [Guilds, GuildMessages, MessageContent], rest: { api: bridge.api } });
  onTestFinished(() => client.destroy());
  client.on(Events.MessageCreate, (message) => {
    if (message.author.bot) return;
    void message.react('🌊');
    const button = { type: 2, style: 1, label: 'Close', custom_id: 'close' } as const;
    if (message.channel.isSendable())
      void message.channel.send({
        content: `hi ${message.author.username}, ticket ${message.id}`,
        components: [{ type: 1, components: [button] }],
      });
  });
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand() && interaction.commandName === 'tasks')
      void interaction.reply({ ...tasks(false), flags: 64 });
    else if (interaction.isChatInputCommand() && interaction.commandName === 'remind')
      void interaction.reply(`<@${interaction.user.id}> it is time!`);
    else if (interaction.isChatInputCommand())
      void interaction.showModal({
        title: 'Ticket',
        custom_id: 'form',
        components: [{ type: 1, components: [{ type: 4, custom_id: 'why', label: 'Why', style: 1 }] }],
      });
    if (interaction.isModalSubmit())
      void interaction.reply({
        content: `because ${interaction.fields.getTextInputValue('why')}`,
        flags: 64,
      });
    if (interaction.isButton() && interaction.customId === 'add') void interaction.update(tasks(true));
    else if (interaction.isButton()) void interaction.update({ content: 'closed', components: [] });
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(botToken(APP));
  await ready;
  const option = { description: 'One', required: true };
  await client.application?.commands.set([
    { name: 'ticket', description: 'Opens a ticket' },
    { name: 'remind', description: 'Reminds' },
    {
      name: 'tasks',
      description: 'Shows tasks',
      options: [
        { ...option, type: 4, name: 'page' },
        { ...option, type: 5, name: 'all' },
        { ...option, type: 3, name: 'text' },
      ],
    },
  ]);
  return bridge;
}

function tasks(isLong: boolean) {
  const button = (label: string, disabled: boolean) =>
    ({ type: 2, style: 1, label, custom_id: label.toLowerCase(), disabled }) as const;
  return {
    embeds: [{ title: 'Your tasks', description: isLong ? '2. Sweep' : '1. Buy milk' }],
    components: [{ type: 1, components: [button('Done', !isLong), button('Add', false)] } as const],
  };
}

/** A recorded text without the times that a bot on a busy machine gets. */
const untimed = (text: string): string => text.replaceAll(/, within = "\d+s"/g, '');

it('makes steps of acts and expectations of answers, which pass at once', async () => {
  const bridge = await withBot();
  const call: typeof bridge.operations.call = (...args) => bridge.operations.call(...args);
  await call('record.start');
  await call('channel.say', { channel: 'general', text: 'say "it"\n\u007f', author: 'heron' });
  await call('interaction.use', { app: APP, command: '/ticket', user: 'heron', channel: 'general' }).then(
    ({ id }) => call('interaction.submit', { id, fields: { why: 'a leak' }, user: 'heron' }),
  );
  const [answer] = (await call('channel.view', { channel: 'general', user: 'heron', limit: 2 })).messages;
  expect(answer).toBeDefined();
  const all = await call('channel.read', { channel: 'general', limit: 9 });
  const greeting = all.find(({ content }) => content.startsWith('hi heron'));
  await call('interaction.click', { message: greeting?.id ?? '', button: 'Close', user: 'heron' });
  await call('voice.join', { user: 'otter', channel: 'Lounge' });
  await call('clock.advance', { by: '15m' });
  const { text, ...counts } = await call('record.stop', { name: 'a ticket' });
  expect(untimed(text)).toBe(`[[scenario]]
name = "a ticket"
step = [
  { as = "heron", say = "say \\"it\\"\\n\\u007f", in = "#general", save = "said1" },
  { expect = "message", on = "said1", reaction = "🌊" },
  { expect = "message", in = "#general", to = "heron", from = "bot", contains = "hi heron, ticket", button = "Close", save = "answer3" },
  { as = "heron", slash = "/ticket", in = "#general", becomes = "modal", save = "used2" },
  { as = "heron", submit = { why = "a leak" }, on = "used2" },
  { expect = "message", in = "#general", to = "heron", from = "bot", is = "because a leak", only_to = true },
  { as = "heron", click = "Close", on = "answer3" },
  { expect = "message", on = "answer3", is = "closed" },
  { as = "otter", join = "#Lounge" },
  { advance = "15m" },
]
`);
  expect(counts).toEqual({ steps: 10, expectations: 4, left: 0 });
  const read = readScenarios(text, 'recorded.toml');
  if (!('scenarios' in read)) throw new Error(JSON.stringify(read));
  const [one] = read.scenarios;
  await bridge.play({ name: 'again', step: one?.steps.map(({ step }) => step) ?? [] } as ScenarioTree);
});

it('makes steps of the changes of an operator, with the names of what was saved, in a world', async () => {
  const bridge = await newBridge();
  const world = await bridge.world();
  const call: typeof bridge.operations.call = (...args) => world.operations.call(...args);
  const skus = [{ id: '8001', application: APP, name: 'Captain', type: 5 }];
  await call('emulator.apply', { patch: { skus } });
  expect(await call('record.show')).toEqual({ recording: false, steps: 0 });
  await call('record.start');
  await call('guild.set', { id: GUILD, field: 'name', value: 'Lake Bank' });
  await call('clock.freeze');
  await call('fault.add', { fault: 'status=503', route: 'GET /users/{id}', count: 2 });
  await call('fault.remove');
  await call('relationship.set', { user: 'otter', status: 'idle' });
  await call('emulator.apply', { patch: { guilds: [{ id: GUILD, description: 'wide' }] } });
  const { id } = await call('subscription.start', { user: 'heron', sku: '8001' });
  await call('subscription.set', { id, status: 'ending' });
  await bridge.operations.call('guild.set', { id: GUILD, field: 'name', value: 'Not recorded' });
  expect(await call('record.show')).toEqual({ recording: true, steps: 8 });
  const { text, left } = await call('record.stop');
  expect(untimed(text)).toBe(`[[scenario]]
name = "recorded"
step = [
  { operate = "guild.set", args = { id = "${GUILD}", field = "name", value = "Lake Bank" } },
  { time = "freeze" },
  { fault = "status=503", route = "GET /users/{id}", count = 2 },
  { fault = "none" },
  { operate = "relationship.set", args = { user = "otter", status = "idle" } },
  { operate = "emulator.apply", args = { patch = { guilds = [{ id = "${GUILD}", description = "wide" }] } } },
  { operate = "subscription.start", args = { user = "heron", sku = "8001" }, save = "made1" },
  { operate = "subscription.set", args = { id = "{made1}", status = "ending" } },
]
`);
  expect(left).toBe(0);
  const read = readScenarios(text, 'recorded.toml');
  if (!('scenarios' in read)) throw new Error(JSON.stringify(read));
  await world.reset();
  await call('emulator.apply', { patch: { skus } });
  const step = read.scenarios[0]?.steps.map((one) => one.step) ?? [];
  await world.play({ name: 'again', step } as ScenarioTree);
});

it('leaves out operations that a file cannot repeat: with null, with braces, with an id of meanwhile', async () => {
  const bridge = await newBridge();
  const call: typeof bridge.operations.call = (...args) => bridge.operations.call(...args);
  const sku = (id: string) => ({ id, application: APP, name: 'Captain', type: 5 });
  await call('record.start');
  await call('clock.freeze');
  const now = (BigInt(Date.now()) - 1_420_070_400_000n) << 22n;
  const [stated, unstated] = [String(now), String(now + 1n)];
  await call('emulator.apply', { patch: { skus: [sku(stated)] } });
  await call('emulator.apply', { patch: { skus: [sku(unstated)], guilds: [{ id: GUILD, icon: null }] } });
  await call('guild.set', { id: GUILD, field: 'name', value: 'The {harbour}' });
  await call('subscription.start', { user: 'heron', sku: stated });
  await call('subscription.start', { user: 'otter', sku: unstated });
  const lines = untimed((await call('record.stop')).text).split('\n');
  expect(
    lines.filter((line) => /^(?:#| {2}\{)/.test(line)).map((line) => line.replace(/, args.*/, '')),
  ).toEqual([
    '# Left out, for no step can express it: emulator.apply.',
    '# Left out, for no step can express it: guild.set.',
    '# Left out, for no step can express it: subscription.start.',
    '  { time = "freeze" },',
    '  { operate = "emulator.apply"',
    '  { operate = "subscription.start"',
  ]);
});

it('leaves out what no step can express, and begins anew', async () => {
  const bridge = await newBridge();
  const call: typeof bridge.operations.call = (...args) => bridge.operations.call(...args);
  await expect(call('record.stop')).rejects.toMatchObject({
    code: 'FOOTBRIDGE_RECORD',
    message: 'Nothing is recorded. Begin with record.start.',
  });
  await call('record.start');
  await call('channel.say', { channel: 'general', text: 'lost' });
  await call('record.start');
  await call('message.react', { message: '600000000000000001', emoji: '🌊' });
  await expect(call('channel.say', { channel: 'nowhere', text: 'refused' })).rejects.toThrow('nowhere');
  await call('channel.say', { channel: 'general', text: 'kept' });
  expect(await call('record.stop')).toEqual({
    text: [
      '# Left out, for it is about something older than the recording: message.react.',
      '# Left out, for it was refused: channel.say.',
      '[[scenario]]',
      'name = "recorded"',
      'step = [',
      '  { say = "kept", in = "#general" },',
      ']',
      '',
    ].join('\n'),
    steps: 1,
    expectations: 0,
    left: 2,
  });
});

it('hides tokens and other secrets, and says so', async () => {
  const bridge = await newBridge();
  const call: typeof bridge.operations.call = (...args) => bridge.operations.call(...args);
  const token = `${Buffer.from('300000000000000001').toString('base64url')}.Gabcde.${'x'.repeat(38)}`;
  await call('record.start');
  await call('channel.say', { channel: 'general', text: `mine is ${token}` });
  await call('emulator.apply', { patch: { applications: [{ id: '300000000000000001', secret: 'shh' }] } });
  const { text } = await call('record.stop');
  expect(untimed(text).split('\n')).toEqual([
    '# Tokens and other secrets are [hidden]: put in what the bot needs.',
    '[[scenario]]',
    'name = "recorded"',
    'step = [',
    '  { say = "mine is [hidden]", in = "#general" },',
    '  { operate = "emulator.apply", args = { patch = { applications = [{ id = "300000000000000001", secret = "[hidden]" }] } } },',
    ']',
    '',
  ]);
});

it('sees with the eyes of everybody who has acted, and tells embeds, greyed buttons, mentions, numbers and refusals', async () => {
  const bridge = await withBot();
  const call: typeof bridge.operations.call = (...args) => bridge.operations.call(...args);
  const use = (command: string, user: string, options = {}) =>
    call('interaction.use', { app: APP, command, user, channel: 'general', options });
  await call('record.start');
  await use('/tasks', 'heron', { page: '2', all: 'true', text: '10' });
  await use('/remind', 'otter');
  const seen = await call('channel.view', { channel: 'general', user: 'heron' });
  const answer = seen.messages.find(({ ephemeral }) => ephemeral);
  const click = { message: answer?.message.id ?? '', button: 'Done', user: 'heron' };
  await expect(call('interaction.click', click)).rejects.toThrow('disabled');
  await expect(use('/nothing', 'otter')).rejects.toThrow();
  await call('interaction.click', { ...click, button: 'Add' });
  await use('/remind', 'otter');
  const { text, left } = await call('record.stop');
  expect(untimed(text)).toBe(`[[scenario]]
name = "recorded"
step = [
  { as = "heron", slash = "/tasks", options = { page = 2, all = true, text = "10" }, in = "#general" },
  { expect = "message", in = "#general", to = "heron", from = "bot", contains = ["Your tasks", "1. Buy milk"], button = "Done", disabled = true, only_to = true, save = "answer1" },
  { expect = "message", on = "answer1", button = "Add" },
  { as = "otter", slash = "/remind", in = "#general" },
  { expect = "message", in = "#general", to = "otter", from = "bot", is = "<@200000000000000003> it is time!" },
  { as = "heron", click = "Done", on = "answer1", refused = "is disabled" },
  { as = "otter", slash = "/nothing", in = "#general", refused = "no bot offers /nothing" },
  { as = "heron", click = "Add", on = "answer1" },
  { expect = "message", on = "answer1", contains = "2. Sweep", button = "Done", disabled = false },
  { as = "otter", slash = "/remind", in = "#general" },
  { expect = "message", in = "#general", to = "otter", from = "bot", is = "<@200000000000000003> it is time!" },
]
`);
  expect(left).toBe(0);
  const read = readScenarios(text, 'recorded.toml');
  if (!('scenarios' in read)) throw new Error(JSON.stringify(read));
  const step = read.scenarios[0]?.steps.map((one) => one.step) ?? [];
  await bridge.play({ name: 'again', step } as ScenarioTree);
});
