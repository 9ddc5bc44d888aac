import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { styleFor } from '../../src/base/style.ts';
import { type PlayOptions, playScenario } from '../../src/scenario/play.ts';
import { readScenarios } from '../../src/scenario/read.ts';
import { failureText } from '../../src/scenario/report.ts';
import { type StartEmulatorOptions, startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { addBot, botToken, type ToldInteraction } from '../helpers/gateway-bot.ts';
import { GatewayConnection, type GatewayPayload } from '../helpers/gateway-connection.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';
/** GUILDS, GUILD_MESSAGES, GUILD_MESSAGE_REACTIONS and MESSAGE_CONTENT. */
const INTENTS = 1 | (1 << 9) | (1 << 10) | (1 << 15);
const CLOSE = { type: 1, components: [{ type: 2, style: 1, label: 'Close', custom_id: 'close' }] };
const SIZES = ['s', 'l'].map((value) => ({ label: value, value }));
const SELECT = { type: 1, components: [{ type: 3, custom_id: 'size', options: SIZES }] };
const NAME = { type: 1, components: [{ type: 4, custom_id: 'name', style: 1, label: 'Your name' }] };

/** What the bot answers to an interaction; nothing where it says nothing. */
function answerTo({ type, data }: ToldInteraction): object | undefined {
  if (type === 4)
    return { type: 8, data: { choices: ['Ferry', 'Fern'].map((name) => ({ name, value: name })) } };
  if (type === 5)
    return { type: 4, data: { content: `Booked for ${data.components[0].components[0].value}` } };
  if (data.custom_id === 'close') return { type: 7, data: { content: 'Closed', components: [] } };
  if (data.custom_id === 'size') return { type: 4, data: { content: `Size ${data.values[0]}`, flags: 64 } };
  if (data.name === 'book')
    return { type: 9, data: { custom_id: 'booking', title: 'Book', components: [NAME] } };
  if (data.name === 'mute') return undefined;
  const embeds = [{ title: 'Ticket', description: `about ${data.options?.[0]?.value ?? 'nothing'}` }];
  return { type: 4, data: { embeds, components: [CLOSE, SELECT] } };
}

/** A bot that is connected, and what it does when users write. */
async function bot(emulator: TestEmulator): Promise<void> {
  const words = { type: 3, name: 'topic', description: 'what', autocomplete: true };
  await addBot(emulator, APP, GUILD, [
    { name: 'ticket', description: 'Opens', options: [words] },
    { name: 'book', description: 'Books' },
    { name: 'mute', description: 'Says nothing' },
  ]);
  const roles = [{ id: '900', name: 'Harbour', position: 5, permissions: ['ADMINISTRATOR'], bot: APP }];
  await emulator.operations.call('emulator.apply', {
    patch: {
      applications: [{ id: APP, intents: ['message_content'] }],
      guilds: [{ id: GUILD, roles, members: [{ user: APP, roles: ['900'] }] }],
    },
  });
  const headers = { authorization: `Bot ${botToken(APP)}`, 'content-type': 'application/json' };
  const send = (method: string, path: string, body: object): Promise<Response> =>
    fetch(`${emulator.api}/v10${path}`, { method, headers, body: JSON.stringify(body) });
  const connection = new GatewayConnection(emulator.api);
  let seq: number | null = null;
  connection.socket.on('message', (raw: Buffer) => {
    const { op, s, t, d } = JSON.parse(raw.toString('utf8')) as GatewayPayload;
    seq = s ?? seq;
    if (op === 1) connection.send({ op: 1, d: seq });
    if (t === 'INTERACTION_CREATE') {
      const answer = answerTo(d);
      const path = `/interactions/${d.id}/${d.token}/callback`;
      if (answer !== undefined) void send('POST', path, answer);
      if (d.data.options?.[0]?.value === 'twice') void send('POST', path, answer ?? {});
    }
    if (t !== 'MESSAGE_CREATE' || d.author.bot === true) return;
    const channel = `/channels/${d.channel_id}/messages`;
    if (d.content === 'hello')
      void delay(20).then(() => send('POST', channel, { content: `Hello, ${d.author.username}` }));
    if (d.content === 'remove me') void send('DELETE', `${channel}/${d.id}`, {});
    if (d.content === 'flood')
      void (async () => {
        for (;;) await send('POST', channel, { content: 'More' });
      })().catch(() => {});
    if (d.content === 'play')
      connection.send({
        op: 3,
        d: { since: null, afk: false, status: 'idle', activities: [{ name: 'Chess', type: 0 }] },
      });
    if (d.content === 'wrong') void send('POST', channel, { content: 'x', colour: 1 });
  });
  await connection.identify(botToken(APP), { intents: INTENTS });
}

async function stage(options?: StartEmulatorOptions): Promise<TestEmulator> {
  const emulator = await startEmulator(options);
  await bot(emulator);
  return emulator;
}

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await stage();
  return () => emulator.close();
});

/** What a person reads about a scenario of these steps; empty when it has passed. */
async function played(
  steps: readonly string[],
  { ended, ...options }: Partial<PlayOptions> & { readonly ended?: Promise<string> } = {},
  on: TestEmulator = emulator,
): Promise<string> {
  const read = readScenarios(`[[scenario]]\nname = "one"\nstep = [\n${steps.join(',\n')}\n]\n`, 'a.toml');
  if (!('scenarios' in read)) throw new Error(JSON.stringify(read));
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('there is no scenario');
  const call = (name: string, args: object) => on.operations.call(name as 'emulator.settle', args);
  const result = await playScenario({ call, ...(ended && { ended }) }, scenario, {
    quiet: '50ms',
    ...options,
  });
  expect(result.steps).toHaveLength(steps.length);
  return failureText({ ...result, transcript: [] }, styleFor(false));
}

const TICKET = '{ as = "otter", slash = "/ticket", options = { topic = "a leak" }, in = "#general" }';
const SHOWN = '{ expect = "message", from = "bot", contains = "a leak", button = "Close", save = "ticket" }';

it.each<[what: string, steps: readonly string[]]>([
  [
    'a command, its answer, a button and what it changes',
    [
      TICKET,
      SHOWN,
      '{ as = "otter", click = "Close", on = "ticket" }',
      '{ expect = "message", on = "ticket", is = "Closed" }',
      '{ expect = "none" }',
    ],
  ],
  [
    'a select, and an answer for one user alone',
    [
      TICKET,
      SHOWN,
      '{ as = "otter", choose = "l", on = "ticket" }',
      '{ expect = "message", is = "Size l", only_to = true }',
      '{ expect = "none", to = "heron" }',
    ],
  ],
  [
    'a modal',
    [
      '{ as = "otter", slash = "/book", in = "#general", becomes = "modal", save = "form" }',
      '{ expect = "modal", on = "form", contains = "Your name" }',
      '{ as = "otter", submit = { name = "Ada" }, on = "form" }',
      '{ expect = "message", is = "Booked for Ada" }',
    ],
  ],
  [
    'choices while a user types',
    [
      '{ as = "otter", complete = "/ticket", option = "topic", options = { topic = "Fe" }, in = "#general", offers = ["Ferry", "Fern"] }',
    ],
  ],
  [
    'messages, replies, edits, reactions, typing',
    [
      '{ as = "otter", say = "ahoy", in = "#general", save = "first" }',
      '{ as = "heron", type = "#general" }',
      '{ as = "heron", reply = "aye", on = "first", save = "second" }',
      '{ edit = "aye aye", on = "second" }',
      '{ expect = "message", on = "second", is = "aye aye" }',
      '{ as = "otter", react = "🌊", on = "second" }',
      '{ expect = "message", on = "second", reaction = "🌊" }',
      '{ expect = "event", event = "MESSAGE_REACTION_ADD", to = "Harbour Example", with = { emoji = { name = "🌊" } } }',
      '{ as = "otter", unreact = "🌊", on = "second" }',
      '{ as = "heron", delete = true, on = "second" }',
      '{ expect = "deleted", on = "second" }',
      '{ expect = "none" }',
    ],
  ],
  [
    'an answer after 20 ms of work, and nothing after it',
    [
      '{ as = "otter", say = "hello", in = "#general" }',
      '{ expect = "message", from = "bot", matches = "^Hello, \\\\w+$" }',
      '{ expect = "request", request = "POST /channels/{id}/messages", status = 200, with = { content = "Hello, otter" } }',
      '{ expect = "none" }',
    ],
  ],
  [
    'a message that the bot deletes',
    [
      '{ as = "otter", say = "remove me", in = "#general", save = "gone" }',
      '{ expect = "deleted", on = "gone" }',
    ],
  ],
  [
    'presence of the bot',
    [
      '{ as = "otter", say = "play", in = "#general" }',
      '{ expect = "presence", of = "bot", status = "idle", activity = "Chess" }',
    ],
  ],
  [
    'voice',
    [
      '{ as = "otter", join = "Lounge" }',
      '{ expect = "voice", of = "otter", in = "Lounge" }',
      '{ as = "otter", speak = true }',
      '{ as = "otter", leave = true }',
      '{ expect = "voice", of = "otter", in = false }',
    ],
  ],
  [
    'operations with what was saved, faults and time',
    [
      '{ as = "otter", say = "draft", in = "#general", save = "draft" }',
      '{ operate = "message.edit", args = { id = "{draft}", text = "final" } }',
      '{ expect = "message", on = "draft", is = "final" }',
      '{ time = "freeze" }',
      '{ advance = "15m" }',
      '{ time = "run" }',
      '{ fault = "status=503", route = "POST /channels/{id}/messages", count = 1 }',
      '{ as = "otter", say = "hello", in = "#general" }',
      '{ expect = "request", request = "POST /channels/{id}/messages", status = 503 }',
      '{ expect = "none" }',
      '{ fault = "none" }',
    ],
  ],
])('plays %s', async (_, steps) => {
  await expect(played(steps)).resolves.toBe('');
  // Time and faults are as before.
  expect(await emulator.faults.list()).toEqual([]);
  expect(Math.abs((await emulator.clock.now()).getTime() - Date.now())).toBeLessThan(60_000);
});

it.each<[what: string, steps: readonly string[], told: readonly string[]]>([
  [
    'another text',
    [
      '{ as = "otter", say = "hello", in = "#general" }',
      '{ expect = "message", from = "bot", contains = "Bye", within = "200ms" }',
      '{ expect = "none" }',
    ],
    [
      'error: the message says something else within 200ms',
      '--> a.toml:5:37',
      '^^^^^^^^',
      'actual:   "Hello, otter"',
      'expected: contains "Bye"',
      '1 step after it did not run.',
    ],
  ],
  [
    'no message',
    [
      '{ as = "otter", say = "nothing", in = "#general" }',
      '{ expect = "message", from = "bot", within = "100ms" }',
    ],
    ['error: no message came in there from bot within 100ms', '--> a.toml:5:3', 'actual:   nothing new'],
  ],
  [
    'a message that nobody expects',
    ['{ as = "otter", say = "hello", in = "#general" }', '{ expect = "none" }'],
    ['error: there is a message', 'actual:   harbour: "Hello, otter"', 'expected: none'],
  ],
  [
    'an unknown user',
    ['{ as = "oter", say = "hello", in = "#general" }'],
    ['error: there is no user "oter". Did you mean "otter"?', '--> a.toml:4:3'],
  ],
  [
    'an unknown channel',
    ['{ as = "otter", say = "hello", in = "#genral" }'],
    ['there is no channel "genral"', 'Did you mean "general"?', '--> a.toml:4:32'],
  ],
  [
    'a command that was not registered',
    ['{ as = "otter", slash = "/tickets", in = "#general" }'],
    [
      'error: no bot offers /tickets there. Did you mean "/ticket"?',
      'See that the bot registers the command',
    ],
  ],
  ['an unknown operation', ['{ operate = "guild.sett" }'], ['guild.sett']],
  [
    'a button that there is not',
    [TICKET, SHOWN, '{ as = "otter", click = "Open", on = "ticket" }'],
    ['"Open"', '--> a.toml:6:17'],
  ],
  [
    'no such request',
    [
      '{ as = "otter", say = "nothing", in = "#general" }',
      '{ expect = "request", request = "DELETE /channels/{id}", within = "100ms" }',
    ],
    ['error: no request DELETE /channels/{id} came within 100ms', '--> a.toml:5:23'],
  ],
  [
    'no such event',
    [
      '{ as = "otter", say = "nothing", in = "#general" }',
      '{ expect = "event", event = "MESSAGE_CREATE", with = { content = "other" }, within = "100ms" }',
    ],
    ['error: no such MESSAGE_CREATE was sent within 100ms', '--> a.toml:5:47'],
  ],
  [
    'another outcome',
    ['{ as = "otter", slash = "/book", in = "#general", becomes = "answered" }'],
    ['error: the interaction became something else', 'actual:   modal', 'expected: answered'],
  ],
  [
    'a bot that does not answer',
    ['{ as = "otter", slash = "/mute", in = "#general" }'],
    ['error: Harbour Example did not answer', 'actual:   no answer in 3 s', 'nothing blocks its process'],
  ],
  [
    'a bot that answers twice',
    [
      '{ as = "otter", slash = "/ticket", options = { topic = "twice" }, in = "#general" }',
      '{ expect = "message", contains = "twice" }',
    ],
    [
      'error: the bot answered an interaction twice',
      '--> a.toml:4:17',
      'editReply or followUp',
      '1 step after it did not run.',
    ],
  ],
])('tells of %s with file, place and remedy', async (_, steps, told) => {
  const text = await played(steps);
  for (const part of told) expect(text).toContain(part);
});

it('tells of a bot that floods, at the step that it reacted to', async () => {
  const own = await stage();
  onTestFinished(() => own.close());
  const text = await played(
    ['{ as = "otter", say = "flood", in = "#general" }', '{ expect = "none" }'],
    {},
    own,
  );
  expect(text).toContain('error: the bot is not done with this after 5s');
  expect(text).toContain('--> a.toml:4:');
  expect(text).toContain('actual:   still waiting for');
});

it('tells of a bot that has ended', async () => {
  const ended = delay(50).then(() => 'exited with 3');
  const text = await played(
    [
      '{ as = "otter", say = "nothing", in = "#general" }',
      '{ expect = "message", from = "bot", within = "30s" }',
      '{ expect = "none" }',
    ],
    { ended },
  );
  expect(text).toContain('error: the bot exited with 3');
  expect(text).toContain('--> a.toml:5:');
  expect(text).toContain('1 step after it did not run.');
});

it('skips to what is due within an expectation, unless time is locked', async () => {
  const own = await stage();
  onTestFinished(() => own.close());
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await own.operations.call('user.ban', { user: 'heron', until });
  const steps = (time: string, within: string) => [
    `{ time = "${time}" }`,
    '{ as = "otter", say = "nothing", in = "#general" }',
    `{ expect = "message", from = "bot", within = "${within}" }`,
  ];
  const bans = async () =>
    ((await own.operations.call('emulator.show')) as { readonly account_bans: readonly unknown[] })
      .account_bans.length;
  expect(await played(steps('lock', '300ms'), {}, own)).toContain('nothing new');
  expect(await bans()).toBe(1);
  // The bot stays silent, but what was due in that time has happened: in seconds of the machine.
  expect(await played(steps('unlock', '2h'), {}, own)).toContain('no message came');
  expect(await bans()).toBe(0);
});
