import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
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
const CLOSE = {
  type: 1,
  components: [
    { type: 2, style: 1, label: 'Close', custom_id: 'close' },
    { type: 2, style: 1, label: 'Reopen', custom_id: 'reopen', disabled: true },
  ],
};
const SIZES = ['s', 'l'].map((value) => ({ label: value, value }));
const SELECT = { type: 1, components: [{ type: 3, custom_id: 'size', options: SIZES }] };
const NAME = { type: 1, components: [{ type: 4, custom_id: 'name', style: 1, label: 'Your name' }] };

const idOf = (value: unknown): string => (value as { readonly id: string }).id;

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
    if (d.content === 'two answers')
      void send('POST', channel, { content: 'First' })
        .then(() => delay(20))
        .then(() => send('POST', channel, { content: 'Second' }));
    if (d.content === 'remove me') void send('DELETE', `${channel}/${d.id}`, {});
    if (d.content === 'make a channel')
      void delay(20)
        .then(() => send('POST', `/guilds/${GUILD}/channels`, { name: 'made' }))
        .then((made) => made.json())
        .then((channel) => send('POST', `/channels/${idOf(channel)}/messages`, { content: 'It is made' }));
    if (d.content === 'three')
      void (async () => {
        for (const content of ['One', 'One', 'Two']) await send('POST', channel, { content });
      })();
    if (d.content === 'write to me')
      void send('POST', '/users/@me/channels', { recipient_id: d.author.id })
        .then((opened) => opened.json())
        .then((channel) => send('POST', `/channels/${idOf(channel)}/messages`, { content: 'In private' }));
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
    'a button that is disabled, and fields in lists of tables',
    [
      TICKET,
      '{ expect = "message", button = "Reopen", disabled = true, with = { embeds = [{ title = "Ticket" }] }, save = "ticket" }',
      '{ expect = "message", on = "ticket", button = "Close", disabled = false }',
      '{ expect = "event", event = "MESSAGE_CREATE", with = { embeds = [{ title = "Ticket" }] } }',
      '{ expect = "request", request = "POST /interactions/{id}/{token}/callback", with = { data = { components = [{ components = [{ label = "Close" }, { disabled = true }] }, {}] } } }',
      '{ as = "otter", click = "Reopen", on = "ticket", refused = "disabled" }',
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
  [
    'what the platform refuses',
    [
      '{ as = "otter", slash = "/tickets", in = "#general", refused = "no bot offers /tickets" }',
      '{ as = "otter", say = "ahoy", in = "#general", save = "first" }',
      '{ as = "otter", click = "Close", on = "first", refused = "was not written by an application" }',
      '{ as = "heron", delete = true, on = "first", refused = "MANAGE_MESSAGES" }',
      '{ as = "otter", type = "#nowhere", refused = "there is no channel" }',
      '{ operate = "channel.say", args = { channel = "general" }, refused = "FOOTBRIDGE_ARGUMENTS" }',
    ],
  ],
  [
    'members with roles and a nickname, in a timeout and gone',
    [
      '{ expect = "member", of = "bot", in = "River Bank", has = "Harbour" }',
      '{ expect = "member", of = "heron", in = "River Bank", lacks = ["Harbour"], timeout = false }',
      `{ operate = "emulator.apply", args = { patch = { guilds = [{ id = "${GUILD}", members = [{ user = "heron", nick = "Grey", roles = ["900"], communication_disabled_until = "2999-01-01T00:00:00Z" }, { user = "river", communication_disabled_until = "2000-01-01T00:00:00Z" }] }] } } }`,
      '{ expect = "member", of = "heron", in = "River Bank", has = ["Harbour"], nick = "Grey", timeout = true }',
      '{ expect = "member", of = "river", in = "River Bank", timeout = false }',
      `{ operate = "emulator.apply", args = { patch = { guilds = [{ id = "${GUILD}", members = [{ user = "heron", remove = true }], departed = [{ user = "heron" }] }] } } }`,
      '{ expect = "member", of = "heron", in = "River Bank", gone = true }',
      `{ operate = "emulator.apply", args = { patch = { guilds = [{ id = "${GUILD}", departed = [{ user = "heron", remove = true }] }] } } }`,
      '{ expect = "member", of = "heron", in = "River Bank" }',
    ],
  ],
  [
    'an event whose id is saved, and a channel that is made later',
    [
      '{ as = "otter", say = "make a channel", in = "#general" }',
      '{ expect = "event", event = "CHANNEL_CREATE", save = "made" }',
      '{ expect = "message", in = "#made", from = "bot", is = "It is made" }',
      '{ operate = "channel.say", args = { channel = "{made}", text = "Thanks", author = "heron" } }',
      '{ expect = "message", in = "#made", from = "heron", is = "Thanks" }',
    ],
  ],
  [
    'a private message of the bot',
    [
      '{ as = "otter", say = "write to me", in = "#general" }',
      '{ expect = "message", in = "@bot", to = "otter", is = "In private" }',
      '{ as = "otter", say = "Thanks", in = "@bot" }',
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
      'error: the message says something else after 200ms',
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
    'a channel that nobody makes',
    [
      '{ as = "otter", say = "nothing", in = "#general" }',
      '{ expect = "message", in = "#nowhere", within = "100ms" }',
    ],
    [
      'error: nothing came in #nowhere within 100ms',
      '--> a.toml:5:23',
      'actual:   there is no channel "nowhere"',
    ],
  ],
  [
    'an act of which the bot gets no event',
    ['{ as = "otter", type = "#general" }', '{ expect = "message", in = "#general", within = "100ms" }'],
    [
      'The bot got no event of this: it has to see the channel, and its intents are GUILDS, GUILD_MESSAGES, GUILD_MESSAGE_REACTIONS, MESSAGE_CONTENT.',
    ],
  ],
  [
    'an act that nothing refuses',
    ['{ as = "otter", say = "nothing", in = "#general", refused = "blocked" }'],
    ['error: nothing refused it', '--> a.toml:4:51', 'expected: refused: blocked'],
  ],
  [
    'an act that something else refuses',
    ['{ as = "otter", slash = "/tickets", in = "#general", refused = "blocked" }'],
    [
      'error: something else refused it',
      'actual:   no bot offers /tickets there.',
      'expected: refused: blocked',
    ],
  ],
  [
    'an operation that is refused with another code',
    ['{ operate = "channel.say", args = { channel = "general" }, refused = "FOOTBRIDGE_REFUSED" }'],
    [
      'error: something else refused it',
      'actual:   channel.say: text: is missing (FOOTBRIDGE_ARGUMENTS)',
      'expected: refused: FOOTBRIDGE_REFUSED',
    ],
  ],
  [
    'a button that is not disabled',
    [TICKET, '{ expect = "message", button = "Close", disabled = true, within = "100ms" }'],
    [
      'error: the button "Close" is not disabled after 100ms',
      '--> a.toml:5:41',
      'actual:   disabled = false',
    ],
  ],
  [
    'a button that is disabled',
    [TICKET, '{ expect = "message", button = "Reopen", disabled = false, within = "100ms" }'],
    ['error: the button "Reopen" is disabled after 100ms', 'expected: disabled = false'],
  ],
  [
    'other fields in a list of tables',
    [TICKET, '{ expect = "message", with = { embeds = [{ title = "Boat" }] }, within = "100ms" }'],
    [
      'error: the message has other fields after 100ms',
      '--> a.toml:5:23',
      'actual:   {"embeds":[{"type":"rich","title":"Ticket"',
      'expected: {"embeds":[{"title":"Boat"}]}',
    ],
  ],
  [
    'a list that has more than is expected',
    [TICKET, '{ expect = "message", with = { components = [{}] }, within = "100ms" }'],
    ['error: the message has other fields after 100ms', '--> a.toml:5:23'],
  ],
  [
    'a member without a role',
    ['{ expect = "member", of = "heron", in = "River Bank", has = ["Harbour"], within = "50ms" }'],
    ['error: heron has not Harbour after 50ms', '--> a.toml:4:55', 'actual:   no role'],
  ],
  [
    'a member with a role',
    ['{ expect = "member", of = "bot", in = "River Bank", lacks = ["Harbour"], within = "50ms" }'],
    ['error: bot still has Harbour after 50ms', '--> a.toml:4:53', 'actual:   Harbour'],
  ],
  [
    'a member with another nickname',
    ['{ expect = "member", of = "bot", in = "River Bank", nick = "Tug", within = "50ms" }'],
    ['error: bot has another nickname after 50ms', '--> a.toml:4:53', 'actual:   none', 'expected: Tug'],
  ],
  [
    'a member who is in no timeout',
    ['{ expect = "member", of = "bot", in = "River Bank", timeout = true, within = "50ms" }'],
    ['error: bot is not in a timeout after 50ms', '--> a.toml:4:53', 'actual:   none'],
  ],
  [
    'a member who is still there',
    ['{ expect = "member", of = "bot", in = "River Bank", gone = true, within = "50ms" }'],
    ['error: bot is still a member after 50ms', '--> a.toml:4:22', 'actual:   gone = false'],
  ],
  [
    'several guilds',
    ['{ expect = "member", of = "bot", nick = "Tug" }'],
    ['error: there are several guilds', 'Name one of River Bank, Harbour, with in.'],
  ],
  [
    'an unknown guild',
    ['{ expect = "member", of = "bot", in = "River Bed" }'],
    ['error: there is no guild "River Bed". Did you mean "River Bank"?', '--> a.toml:4:34', 'with in.'],
  ],
  [
    'a message that nobody expects',
    ['{ as = "otter", say = "hello", in = "#general" }', '{ expect = "none" }'],
    ['error: there is a message', 'actual:   harbour: "Hello, otter"', 'expected: none'],
  ],
  [
    'messages of which several are the same',
    [
      '{ as = "otter", say = "three", in = "#general" }',
      '{ expect = "message", from = "bot", is = "Four", within = "300ms" }',
    ],
    ['actual:   "Two"'],
  ],
  [
    'messages of which several are the same, where none may be',
    ['{ as = "otter", say = "three", in = "#general" }', '{ expect = "none" }'],
    ['actual:   harbour: "One" (2 times)\n', ' harbour: "Two"\n'],
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
  [
    'a message that a modal came instead of',
    [
      '{ as = "otter", slash = "/book", in = "#general" }',
      '{ expect = "message", from = "bot", within = "100ms" }',
    ],
    ['error: no message came in there from bot within 100ms', 'actual:   the interaction opened a modal'],
  ],
  [
    'a message that timers of the bot would have to bring',
    ['{ advance = "15m" }', '{ expect = "message", in = "#general", within = "100ms" }'],
    ['actual:   nothing new', 'timers of the bot itself run by the clock of the machine.'],
  ],
  [
    'an argument that the operation does not know',
    ['{ operate = "channel.say", args = { channel = "general", text = "hi", as = "otter" } }'],
    [
      'error: channel.say: arguments: must not have "as": not known here. Did you mean "author"?',
      '--> a.toml:4:3',
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
    'a bot that does not answer where a modal is expected',
    ['{ as = "otter", slash = "/mute", in = "#general", becomes = "modal" }'],
    ['error: Harbour Example did not answer', '--> a.toml:4:17'],
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

it('ends when the bot is done, and not with the first of its answers', async () => {
  const steps = [
    '{ as = "otter", say = "two answers", in = "#general" }',
    '{ expect = "message", from = "bot", is = "First" }',
  ];
  expect(await played(steps)).toBe('');
  const read = await emulator.operations.call('channel.read', { channel: 'general', limit: 100 });
  expect(read.map(({ content }) => content)).toContain('Second');
});

it('tells of a bot that has ended, at the step that it reacted to, with what was refused before', async () => {
  const own = await stage();
  onTestFinished(() => own.close());
  const refused = vi.waitUntil(
    async () => {
      const { entries } = await own.operations.call('journal.read', { after: 0, limit: 1000 });
      return entries.some((entry) => entry.kind === 'http' && entry.status === 503);
    },
    { timeout: 20_000 },
  );
  const text = await played(
    [
      '{ fault = "status=503", route = "POST /channels/{id}/messages" }',
      '{ as = "otter", say = "hello", in = "#general" }',
      '{ expect = "message", from = "bot", within = "30s" }',
      '{ expect = "none" }',
    ],
    { ended: refused.then(() => 'exited with 3') },
    own,
  );
  expect(text).toContain('error: the bot exited with 3');
  expect(text).toContain('--> a.toml:5:');
  expect(text).toContain(
    'actual:   before that, POST /api/v10/channels/#general/messages 503, got code=0 message="503: a fault',
  );
  expect(text).toContain('2 steps after it did not run.');
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
