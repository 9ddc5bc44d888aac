// Whatever three users do at a bot, the recorded scenario passes at once.
import { ChannelType, Client, Events, GatewayIntentBits, type Interaction, type Message } from 'discord.js';
import { expect, it, onTestFinished } from 'vitest';
import { readScenarios } from '../../src/scenario/read.ts';
import { type ScenarioTree, startEmulator, type TestEmulator } from '../../src/testing/entry.ts';
import { botToken } from '../helpers/gateway-bot.ts';

const APP = '300000000000000001';
const USERS = ['heron', 'otter', 'wren'];
const ACTS = 12;
const SEEDS = [1, 2, 3, 5, 7, 11];

type Tasks = Map<string, readonly string[]>;

function commands(): Parameters<NonNullable<Client['application']>['commands']['set']>[0] {
  const text = { type: 3, name: 'text', description: 'Task', required: true } as const;
  return [
    {
      name: 'todo',
      description: 'Tasks',
      options: [
        { type: 1, name: 'add', description: 'Adds one', options: [text] },
        { type: 1, name: 'list', description: 'Shows them' },
        { type: 1, name: 'edit', description: 'Edits the first' },
      ],
    },
    {
      name: 'remind',
      description: 'Reminds',
      options: [{ type: 4, name: 'minutes', description: 'When', required: true }],
    },
    { name: 'wipe', description: 'Wipes', defaultMemberPermissions: '32' },
    { name: 'slow', description: 'Answers late' },
    { name: 'whisper', description: 'Writes in private' },
  ];
}

function view(list: readonly string[]) {
  const button = {
    type: 2,
    style: 3,
    label: 'Done',
    custom_id: 'done',
    disabled: list.length === 0,
  } as const;
  const other = { type: 2, style: 4, label: 'Remove', custom_id: 'remove' } as const;
  const choices = ['low', 'high'].map((value) => ({ label: `Level ${value}`, value }));
  return {
    content: '',
    embeds: [
      { title: 'Your tasks', description: list.map((one, at) => `${at + 1}. ${one}`).join('\n') || 'None' },
    ],
    components: [
      { type: 1, components: [button, other] } as const,
      { type: 1, components: [{ type: 3, custom_id: 'level', options: choices }] } as const,
    ],
  };
}

async function answer(of: Interaction, tasks: Tasks): Promise<void> {
  const list = tasks.get(of.user.id) ?? [];
  const flags = 64;
  if (of.isChatInputCommand()) {
    const word = `${of.commandName} ${of.options.getSubcommand(false) ?? ''}`.trim();
    if (word === 'todo add') {
      tasks.set(of.user.id, [...list, of.options.getString('text', true)]);
      await of.reply({ content: `Added. You have ${list.length + 1}.`, flags });
    } else if (word === 'todo list') await of.reply(view(list));
    else if (word === 'todo edit' && list.length === 0)
      await of.reply({ content: 'Nothing to edit.', flags });
    else if (word === 'todo edit')
      await of.showModal({
        title: 'Edit',
        custom_id: 'edit',
        components: [{ type: 1, components: [{ type: 4, custom_id: 'text', label: 'Task', style: 1 }] }],
      });
    else if (word === 'remind') {
      await of.reply(`In ${of.options.getInteger('minutes', true)} minutes, at <t:${Date.now()}>.`);
      if (of.channel?.isSendable() === true) await of.channel.send(`<@${of.user.id}> it is time!`);
    } else if (word === 'slow') {
      await of.deferReply();
      await of.editReply(`Late for ${of.user.username}`);
    } else if (word === 'whisper') {
      await of.user.send({ content: 'psst', components: view(list).components });
      await of.reply({ content: 'Look there.', flags });
    } else {
      tasks.clear();
      await of.reply('Wiped.');
    }
  } else if (of.isModalSubmit()) {
    tasks.set(of.user.id, [of.fields.getTextInputValue('text'), ...list.slice(1)]);
    await of.reply({ content: 'Edited.', flags });
  } else if (of.isStringSelectMenu()) await of.reply({ content: `Level: ${of.values.join()}`, flags });
  else if (of.isButton() && of.customId === 'remove') {
    await of.deferUpdate();
    await of.deleteReply();
  } else if (of.isButton()) {
    tasks.set(of.user.id, list.slice(1));
    await of.update(view(list.slice(1)));
  }
}

async function withBot(tasks: Tasks): Promise<TestEmulator> {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  const user = (username: string, at: number) => ({ id: `10000000000000000${at}`, username });
  await bridge.operations.call('emulator.apply', {
    patch: {
      users: [{ id: APP, username: 'harbour', bot: true }, user('wren', 7)],
      applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
      guilds: [
        {
          id: '400000000000000001',
          members: [{ user: APP, roles: ['900'] }, { user: 'wren' }, { user: 'otter' }],
          roles: [{ id: '900', name: 'H', position: 5, permissions: ['ADMINISTRATOR'], bot: APP }],
          channels: [{ id: '500000000000000009', name: 'log', type: 'text' }],
        },
      ],
    },
  });
  const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
  const client = new Client({ intents: [Guilds, GuildMessages, MessageContent], rest: { api: bridge.api } });
  onTestFinished(() => client.destroy());
  const react = async (message: Message): Promise<void> => {
    if (message.author.bot) return;
    if (message.content.includes('thanks')) await message.react('💚');
    // Its user may have deleted it by then.
    const reply = { content: `Use /todo, ${message.id}.`, failIfNotExists: false };
    if (message.content.includes('todo')) await message.reply(reply);
    const log = client.channels.cache.get('500000000000000009');
    if (message.content.includes('log') && log?.type === ChannelType.GuildText)
      await log.send({ content: `${message.author.username} wrote`, components: view([]).components });
  };
  client.on(Events.MessageCreate, (message) => void react(message));
  client.on(Events.InteractionCreate, (of) => void answer(of, tasks));
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(botToken(APP));
  await ready;
  await client.application?.commands.set(commands());
  // discord.js keeps private channels, which a reset would take from it.
  for (const { id, bot } of await bridge.operations.call('user.list'))
    if (!bot) await client.users.createDM(id);
  await bridge.operations.call('emulator.seed');
  return bridge;
}

/** Numbers below a limit, the same for a seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One act of a user, which the platform may refuse. */
async function act({ operations }: TestEmulator, below: (limit: number) => number): Promise<void> {
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const user = pick(USERS);
  const as = below(4) === 0 ? {} : { user };
  const channel = pick(['general', 'log']);
  const use = (command: string, options = {}) =>
    operations.call('interaction.use', { app: APP, command, options, channel, ...as });
  const message = async () => {
    const where = pick(['general', 'log', '@harbour']);
    const { messages } = await operations.call('channel.view', { channel: where, ...as });
    const ids = messages.map((one) => one.message.id);
    return pick(ids.length === 0 ? ['600000000000000001'] : ids);
  };
  const opened = async () => {
    const all = await operations.call('interaction.list');
    return all.findLast(({ state }) => state === 'modal');
  };
  const acts = [
    () =>
      operations.call('channel.say', { channel, text: pick(['thanks', 'todo', 'log', 'hm']), author: user }),
    () => use('/todo add', { text: pick(['milk', 'eggs', '10']) }),
    () => use('/todo list'),
    () => use('/todo edit'),
    () => use('/remind', { minutes: String(below(20)) }),
    () => use(pick(['/wipe', '/slow', '/whisper', '/nothing'])),
    async () => operations.call('interaction.click', { message: await message(), button: 'Done', ...as }),
    async () => operations.call('interaction.click', { message: await message(), button: 'Remove', ...as }),
    async () =>
      operations.call('interaction.choose', {
        message: await message(),
        select: 'level',
        values: ['high'],
        ...as,
      }),
    async () => {
      const modal = await opened();
      if (modal !== undefined)
        await operations.call('interaction.submit', {
          id: modal.id,
          fields: { text: 'tea' },
          user: modal.user.id,
        });
    },
    async () => operations.call('message.react', { message: await message(), emoji: '🌊', ...as }),
    async () => operations.call('message.delete', { id: await message(), ...as }),
    () => operations.call('clock.advance', { by: '3m' }),
  ];
  await pick(acts)().catch(() => undefined);
}

it.each(SEEDS)('records what passes at once, with the seed %i', { timeout: 60_000 }, async (seed) => {
  const tasks: Tasks = new Map();
  const bridge = await withBot(tasks);
  const below = random(seed);
  await bridge.operations.call('record.start');
  for (let at = 0; at < ACTS; at += 1) await act(bridge, below);
  const { text, steps } = await bridge.operations.call('record.stop');
  expect(steps).toBeGreaterThan(ACTS / 2);
  const read = readScenarios(text, 'recorded.toml');
  if (!('scenarios' in read)) throw new Error(`${JSON.stringify(read)}\n${text}`);
  await bridge.operations.call('emulator.reset', { quiet: true, whole: true });
  tasks.clear();
  const step = read.scenarios[0]?.steps.map((one) => one.step) ?? [];
  await bridge.play({ name: 'again', step } as ScenarioTree).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${text}`);
  });
});
