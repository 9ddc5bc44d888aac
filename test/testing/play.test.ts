// Scenarios that a test builds: the same steps as in a scenario file, with the places of the test's own file.
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { parse } from 'smol-toml';
import { expect, it, onTestFinished } from 'vitest';
import {
  type BuiltScenario,
  type ScenarioStep,
  type ScenarioTree,
  scenario,
  startEmulator,
  type TestEmulator,
} from '../../src/testing/entry.ts';
import { botToken } from '../helpers/gateway-bot.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';

async function newBridge(): Promise<TestEmulator> {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  return bridge;
}

/** A bridge with a bot of discord.js that answers every message of a user with a greeting. */
async function withBot(): Promise<TestEmulator> {
  const bridge = await newBridge();
  await bridge.operations.call('emulator.apply', {
    patch: {
      users: [{ id: APP, username: 'harbour', bot: true }],
      applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
      guilds: [{ id: GUILD, members: [{ user: APP }] }],
    },
  });
  const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
  const client = new Client({ intents: [Guilds, GuildMessages, MessageContent], rest: { api: bridge.api } });
  onTestFinished(() => client.destroy());
  client.on(Events.MessageCreate, ({ author, channel }) => {
    if (!author.bot && channel.isSendable()) void channel.send(`hi ${author.username}`);
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(botToken(APP));
  await ready;
  return bridge;
}

/** The text of the error with which a scenario fails, without the folder of this file and the traffic. */
async function reportOf(bridge: TestEmulator, played: BuiltScenario | ScenarioTree): Promise<string> {
  const error = await bridge.play(played).then(
    () => new Error('passed'),
    (reason: unknown) => reason as Error & { code: string },
  );
  expect(error).toMatchObject({ code: 'FOOTBRIDGE_SCENARIO' });
  return error.message.replaceAll(import.meta.filename, 'FILE').replace(/\nWhat passed the bridge:.*/s, '');
}

const greeted = scenario('the bot greets').step({ as: 'heron', say: 'hello', in: '#general' });

it('plays scenarios against a bot, also such with a common beginning', async () => {
  const bridge = await withBot();
  const greeting = { expect: 'message', from: 'bot', is: 'hi heron', save: 'greeting' } as const;
  const whole = greeted.step(greeting).step({ as: 'otter', react: '🌊', on: 'greeting' });
  await bridge.play(whole.step({ expect: 'message', on: 'greeting', reaction: '🌊' }));
  await bridge.play(greeted.step({ expect: 'message', contains: 'heron' }));
  expect(await reportOf(bridge, greeted.step({ expect: 'none' }))).toContain(
    'actual:   harbour: "hi heron"\n',
  );
});

it('reports the field in the file of the test, what came, and the traffic', async () => {
  const bridge = await newBridge();
  const wrong = greeted
    .step({ as: 'heron', say: 'again', in: '#general', save: 'said' })
    .step({
      expect: 'message',
      on: 'said',
      contains: 'never',
      within: '20ms',
    })
    .step({ as: 'heron', react: '🌊', on: 'said' });
  const line = await lineOf("contains: 'never'");
  expect(await reportOf(bridge, wrong)).toBe(
    [
      'the bot greets',
      'error: the message says something else after 20ms',
      `  --> FILE:${line}:7`,
      '   |',
      `${line} |       contains: 'never',`,
      '   |       ^^^^^^^^',
      '   |   actual:   "again"',
      '   |   expected: contains "never"',
      '1 step after it did not run.',
    ].join('\n'),
  );
});

async function lineOf(text: string): Promise<number> {
  const { readFileSync } = await import('node:fs');
  const lines = readFileSync(import.meta.filename, 'utf8').split('\n');
  return lines.findIndex((one) => one.trim().startsWith(text)) + 1;
}

it('is the tree that a scenario file has, which may also be played', async () => {
  const file = parse(
    '[[scenario]]\nname = "the bot greets"\nstep = [{ as = "heron", say = "hello", in = "#general" }]',
  );
  expect([JSON.parse(JSON.stringify(greeted))]).toEqual(file['scenario']);
  const bridge = await newBridge();
  await bridge.play(greeted.toJSON());
  const step: ScenarioStep[] = [{ as: 'heron', say: 'hello', in: '#genera' }];
  expect(await reportOf(bridge, { name: 'nowhere', step })).toMatch(
    /^nowhere\nerror: there is no channel "genera"/,
  );
  expect(await bridge.play({ name: 'later', skip: 'not yet', step })).toBeUndefined();
});

it.each<[string, BuiltScenario, string]>([
  ['no step', scenario('empty'), 'error: step must be a list with 1 '],
  [
    'an unknown field',
    greeted.step({ say: 'x', in: '#general', loud: true } as never),
    'error: must not have "loud": not known here.',
  ],
  ['a step without a word', greeted.step({ in: '#general' } as never), 'error: the step says nothing to do'],
  ['a name that nobody saved', greeted.step({ react: '🌊', on: 'it' }), 'error: nothing is saved as "it"'],
  [
    'a saved name that nobody uses',
    greeted.step({ say: 'x', in: '#general', save: 'x' }),
    'error: "x" is saved and never used',
  ],
])('plays nothing of a scenario with %s', async (_what, wrong, message) => {
  const bridge = await newBridge();
  const report = await reportOf(bridge, wrong);
  expect(report).toContain(message);
  expect(report).toMatch(/--> FILE:\d+:\d+\n/);
  expect(await bridge.operations.call('channel.read', { channel: 'general', limit: 1 })).toMatchObject([
    { content: 'Ask <@200000000000000003>, who has the keys.' },
  ]);
});

it.each<[string, unknown, object | undefined, string]>([
  ['no scenario', 'ticket.toml', undefined, 'play: must be a scenario, not "ticket.toml".'],
  ['an unknown option', greeted, { qiet: '1s' }, 'play: there is no option "qiet".'],
])('refuses %s', async (_what, played, options, message) => {
  const bridge = await newBridge();
  await expect(bridge.play(played as never, options)).rejects.toMatchObject({
    code: 'FOOTBRIDGE_ARGUMENTS',
    message: expect.stringContaining(message),
  });
});
