import { expect, it } from 'vitest';
import { botTokenOf } from '../../../../src/emulator/applications/bot.ts';
import { memoryLimits } from '../../../../src/emulator/kernel/memory.ts';
import { ALL_PERMISSIONS } from '../../../../src/emulator/kernel/permission-bits.ts';
import { emulatorBridge } from '../../../helpers/emulator-bridge.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

// Each test sends some hundreds of requests.
const timeout = 60_000;
const MIB = 1024 * 1024;
const OTHER = ids.lighthouse;
const MESSAGES = `/channels/${ids.general}/messages`;
const bots = [APP, OTHER].map((id) => ({ id, bot_user: id }));
const change = {
  applications: bots,
  users: [APP, OTHER].map((id) => ({ id, username: `bot${id}`, bot: true })),
  guilds: [
    {
      id: ids.riverBank,
      members: [{ user: APP }, { user: OTHER }],
      roles: [{ id: ids.riverBank, permissions: String(ALL_PERMISSIONS) }],
    },
  ],
};
const memory = { ...memoryLimits(), room: { soft: MIB, hard: 1.1 * MIB, whole: 4 * MIB } };

/** A platform with two bots, an app and an operator, in little memory. */
async function crowd() {
  const bridge = await emulatorBridge(change, { memory });
  const { emulator } = bridge;
  const { url } = await emulator.listen({ port: 0, refusedOwner: async () => undefined });
  const send = async (what: string, body: unknown, application?: string) => {
    const [method = '', path = ''] = what.split(' ');
    const record = emulator.tables.applications.get(application ?? '');
    const headers = new Headers(record === undefined ? {} : { authorization: `Bot ${botTokenOf(record)}` });
    const isForm = body instanceof FormData;
    if (!isForm && body !== undefined) headers.set('content-type', 'application/json');
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
    const response = await fetch(`${url}/v10${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const fill = async (request: () => readonly [what: string, body: unknown, application?: string]) => {
    for (let count = 0; count < 5000; count += 1) {
      const answer = await send(...request());
      if (answer.status >= 300) return { ...answer, count };
    }
    throw new Error('it is never full');
  };
  return { ...bridge, send, fill };
}

let word = 0;
const fresh = (letters: number) => `${++word} `.repeat(letters / 5).slice(0, letters);
const large = () => ({ content: fresh(1900), embeds: [{ description: fresh(4000) }] });

/** Of 50 messages, activities and operator's acts each, the number that succeed. */
async function successes({ send, app, run, emulator }: Awaited<ReturnType<typeof crowd>>) {
  const game = await app();
  const counts = { messages: 0, activities: 0, acts: 0, patches: 0 };
  for (let n = 0; n < 50; n += 1) {
    if ((await send(`POST ${MESSAGES}`, { content: `small ${n}` }, OTHER)).status === 200)
      counts.messages += 1;
    const activity = { state: `at the river ${n}`, details: 'x'.repeat(100) };
    if ((await game.call('SET_ACTIVITY', { pid: 1, activity })).evt === null) counts.activities += 1;
    const sent = await run('channel.say', { channel: 'general', text: `act ${n}` }).then(
      () => 1,
      () => 0,
    );
    counts.acts += sent;
  }
  const before = emulator.tables.messages.size;
  await emulator.apply({
    messages: [{ id: '611000000000000001', channel: ids.general, author: ids.otter, content: 'patched' }],
  });
  counts.patches = emulator.tables.messages.size - before;
  return counts;
}
const all = { messages: 50, activities: 50, acts: 50, patches: 1 };

it('a bot that fills its share leaves room for another bot, for apps and for the operator', {
  timeout,
}, async () => {
  const platform = await crowd();
  const { status, body, count } = await platform.fill(() => [`POST ${MESSAGES}`, large(), APP]);
  expect(count).toBeGreaterThan(40);
  expect(status).toBe(503);
  expect(body.message).toMatch(/this application or webhook counts for .* a record; delete some/);
  expect(await successes(platform)).toEqual(all);
  const { tables } = platform.emulator;
  const [oldest] = [...tables.messages].filter(({ author }) => author === APP);
  expect((await platform.send(`DELETE ${MESSAGES}/${oldest?.id}`, undefined, APP)).status).toBe(204);
});

it('a webhook has a share of its own, and the webhook of a bot takes from its application', {
  timeout,
}, async () => {
  const platform = await crowd();
  const { send, fill, emulator } = platform;
  const made = await send(`POST /channels/${ids.general}/webhooks`, { name: 'of the bot' }, APP);
  await emulator.apply({
    channel_webhooks: [
      { id: '77', channel: ids.general, name: 'of a user', token: 'token', user: ids.river },
    ],
  });
  const { count } = await fill(() => [`POST /webhooks/77/token?wait=true`, large()]);
  expect(count).toBeGreaterThan(40);
  const hook = `/webhooks/${made.body.id}/${made.body.token}`;
  await fill(() => [`POST ${hook}?wait=true`, large()]);
  // A message of the bot is smaller than one of a webhook, so one more may fit.
  const rest = await fill(() => [`POST ${MESSAGES}`, large(), APP]);
  expect(rest.status).toBe(503);
  expect(rest.count).toBeLessThan(2);
  expect(await successes(platform)).toEqual(all);
});

it.each<[what: string, request: (application: string) => readonly [what: string, body: unknown]]>([
  ['threads', () => [`POST /channels/${ids.general}/threads`, { name: fresh(90), type: 11 }]],
  ['lobbies', () => ['POST /lobbies', { metadata: { text: fresh(900) } }]],
  [
    'files',
    () => {
      const form = new FormData();
      form.set('files[0]', new Blob([fresh(50)]), 'a.txt');
      form.set('payload_json', JSON.stringify({ content: fresh(1900) }));
      return [`POST ${MESSAGES}`, form];
    },
  ],
])(
  'a bot that fills its share with %s leaves room for everyone else',
  { timeout },
  async (_what, request) => {
    const platform = await crowd();
    const { status } = await platform.fill(() => [...request(APP), APP]);
    expect(status).toBe(503);
    expect(await successes(platform)).toEqual(all);
    expect((await platform.send(...request(OTHER), OTHER)).status).toBeLessThan(300);
  },
);
