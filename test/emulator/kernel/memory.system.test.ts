import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { memoryLimits } from '../../../src/emulator/kernel/memory.ts';
import { type BotPlatform, botPlatform } from '../../helpers/bot-member.ts';
import { emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../helpers/gateway-client.ts';
import { APP } from '../../helpers/platform.ts';

const GENERAL = `/channels/${ids.general}/messages`;
const SEARCH = `/guilds/${ids.riverBank}/messages/search`;
const KIB = 1024;

/** The built-in world takes some of it. */
const small = { ...memoryLimits(), room: { soft: 400 * KIB, hard: 450 * KIB, whole: 4000 * KIB } };

it('memory limits follow --max-old-space-size, whatever V8 adds to the limit', () => {
  const source = new URL('../../../src/emulator/kernel/memory.ts', import.meta.url).href;
  const wholeOf = (megabytes: number): number =>
    Number(
      execFileSync(
        process.execPath,
        [
          `--max-old-space-size=${megabytes}`,
          '--import',
          import.meta.resolve('tsx'),
          '--input-type=module',
          '--eval',
          `console.log((await import('${source}')).memoryLimits().room.whole / 1024 / 1024)`,
        ],
        { encoding: 'utf8' },
      ),
    );
  expect(wholeOf(64)).toBeCloseTo(0.6 * (64 - 24), 3);
  expect(wholeOf(1024)).toBeCloseTo(0.6 * (1024 - 24), 3);
});

let word = 0;
/** About so many letters, of words that nobody has said. */
const fresh = (letters: number) =>
  Array.from({ length: letters / 10 }, () => `word${++word + 10_000}`).join(' ');

/** Posts until it is refused; the ids of what was taken, and the answer that refuses. */
async function fill({ ask }: BotPlatform) {
  const written: string[] = [];
  for (;;) {
    const answer = await ask(`POST ${GENERAL}`, {
      content: fresh(1900),
      embeds: [{ description: fresh(4000) }],
    });
    if (answer.status !== 200) return { written, refusal: answer };
    written.push(answer.body.id);
    if (written.length > 1000) throw new Error('it is never full');
  }
}

it('a full platform refuses writes with 503, serves reads, and accepts writes after a deletion', async () => {
  const memory = { ...small, room: { ...small.room } };
  const platform = await botPlatform({}, undefined, { memory });
  const { ask } = platform;
  const { written, refusal } = await fill(platform);
  Object.assign(memory.room, { soft: 1 });
  expect(refusal).toMatchObject({ status: 503, body: { code: 0 } });
  expect(refusal.body.message).toMatch(/has memory for .*delete some, such as messages/);
  expect(written.length).toBeGreaterThan(10);
  const before = platform.emulator.exportState();
  for (const what of [
    `PATCH ${GENERAL}/${written[0]}`,
    `PUT /guilds/${ids.riverBank}/members/${ids.otter}/roles/${ids.riverBank}`,
    `POST /guilds/${ids.riverBank}/roles`,
  ]) {
    expect((await ask(what, {})).status).toBe(503);
  }
  expect(platform.emulator.exportState()).toBe(before);
  Object.assign(memory.room, small.room);
  expect((await ask(`GET ${GENERAL}/${written[0]}`)).status).toBe(200);
  expect((await ask(`GET ${GENERAL}?limit=100`)).body.length).toBeGreaterThan(10);
  expect((await ask(`DELETE ${GENERAL}/${written[0]}`)).status).toBe(204);
  expect((await ask(`POST ${GENERAL}/bulk-delete`, { messages: written.slice(1, 6) })).status).toBe(204);
  expect((await ask(`POST ${GENERAL}`, { content: 'room again' })).status).toBe(200);
});

it('an index without enough memory is refused with 503, and built once it fits', async () => {
  const platform = await botPlatform({}, undefined, { memory: small });
  const { ask } = platform;
  await platform.emulator.messageIndex.force(ids.riverBank, 'ready');
  expect((await ask(`GET ${SEARCH}?content=water`)).status).toBe(200);
  const { written } = await fill(platform);
  const refused = await ask(`GET ${SEARCH}?content=water`);
  expect(refused.status).toBe(503);
  expect(refused.body.message).toMatch(/no memory for their index/);
  await expect(platform.emulator.messageIndex.force(ids.riverBank, 'ready')).rejects.toThrow(/no memory/);
  for (const id of written.slice(2)) expect((await ask(`DELETE ${GENERAL}/${id}`)).status).toBe(204);
  await platform.emulator.messageIndex.force(ids.riverBank, 'ready');
  const found = await ask(`GET ${SEARCH}?content=water`);
  expect(found.status).toBe(200);
  expect(found.body.total_results).toBeGreaterThan(0);
});

it('a full platform takes the one presence of an app and of a gateway session, and its changes', async () => {
  const full = { ...memoryLimits(), room: { soft: 1, hard: 400 * KIB, whole: 4000 * KIB } };
  const bridge = await emulatorBridge({}, { memory: full });
  const app = await bridge.app();
  for (const state of ['on', 'off']) {
    expect((await app.call('SET_ACTIVITY', { pid: 1, activity: { state } })).evt).toBeNull();
    expect(bridge.emulator.presences.visible()).toMatchObject([{ activity: { state } }]);
  }

  const platform = await botPlatform({}, undefined, { memory: full });
  const client = new GatewayClient(platform.url);
  const presenceOf = (name: string) => ({
    status: 'online',
    activities: [{ name, type: 0 }],
    since: null,
    afk: false,
  });
  await client.identify(tokenOf(platform), { intents: 1, presence: presenceOf('chess') });
  await client.event('GUILD_CREATE');
  client.send({ op: 3, d: presenceOf('go') });
  client.send({ op: 1, d: null });
  await client.op(11);
  expect([...platform.emulator.tables.session_presences]).toMatchObject([{ activities: [{ name: 'go' }] }]);
  expect(platform.lines.filter((line) => /has memory for/.test(line))).toEqual([]);
});

it('a state beyond the memory limit is refused, and the previous state stays', async () => {
  const { emulator } = await botPlatform({}, undefined, { memory: small });
  const before = emulator.exportState();
  const messages = Array.from({ length: 200 }, (_, index) => ({
    id: String(610_000_000_000_000_000n + BigInt(index)),
    channel: ids.general,
    author: ids.otter,
    content: fresh(3000),
  }));
  await expect(emulator.apply({ messages })).rejects.toThrow(/has memory for/);
  expect(emulator.exportState()).toBe(before);
});

it('an action that is due by the clock happens even when memory is full', async () => {
  const platform = await botPlatform({}, undefined, { memory: small });
  const { ask, emulator } = platform;
  const answers = [{ poll_media: { text: 'yes' } }, { poll_media: { text: 'no' } }];
  const poll = { question: { text: 'go?' }, answers, duration: 1, allow_multiselect: false };
  const { body } = await ask(`POST ${GENERAL}`, { poll });
  await fill(platform);
  const written = emulator.tables.messages.size;
  emulator.clock.advance(2 * 3_600_000);
  expect(emulator.tables.messages.get(body.id)?.poll?.finalized).toBe(true);
  expect(emulator.tables.messages.size).toBe(written + 1);
});

it('a removal is done beyond the hard limit, even when its audit log entry is larger', async () => {
  const room = { ...memoryLimits().room };
  const owned = { guilds: [{ id: ids.riverBank, owner: APP }] };
  const platform = await botPlatform(owned, undefined, { memory: { ...memoryLimits(), room } });
  const { ask } = platform;
  const guild = `/guilds/${ids.riverBank}`;
  const made = async (what: string, json: unknown): Promise<string> =>
    (await ask(`POST ${what}`, json)).body.id;
  const channel = await made(`${guild}/channels`, { name: 'spare', topic: 'words '.repeat(150) });
  const role = await made(`${guild}/roles`, { name: 'spare' });
  const [pinned, ...messages] = [
    await made(GENERAL, { content: 'pinned' }),
    await made(GENERAL, { content: 'one' }),
    await made(GENERAL, { content: 'two' }),
    await made(GENERAL, { content: 'three' }),
  ];
  await ask(`PUT /channels/${ids.general}/messages/pins/${pinned}`);
  await ask(`PUT ${guild}/members/${ids.otter}/roles/${role}`);
  const overwrite = `/channels/${ids.general}/permissions/${role}`;
  await ask(`PUT ${overwrite}`, { type: 0, allow: '1024' });
  const webhook = await made(`/channels/${ids.general}/webhooks`, { name: 'spare' });
  Object.assign(room, { soft: 1, hard: 1 });
  expect((await ask(`POST ${GENERAL}`, { content: 'no' })).status).toBe(503);
  const headers = { 'x-audit-log-reason': 'r'.repeat(400) };
  for (const what of [
    `DELETE /channels/${ids.general}/messages/pins/${pinned}`,
    `DELETE ${overwrite}`,
    `DELETE ${guild}/members/${ids.otter}/roles/${role}`,
    `DELETE ${guild}/roles/${role}`,
    `DELETE /channels/${channel}`,
    `DELETE /webhooks/${webhook}`,
    `DELETE ${GENERAL}/${messages[0]}`,
    `DELETE ${guild}/members/${ids.heron}`,
  ]) {
    const { status, body } = await ask(what, undefined, headers);
    expect({ what, taken: status < 300, body: status < 300 ? undefined : body }).toEqual({
      what,
      taken: true,
    });
  }
  expect((await ask(`POST ${GENERAL}/bulk-delete`, { messages: messages.slice(1) }, headers)).status).toBe(
    204,
  );
  const bans = `${guild}/bans/${ids.otter}`;
  expect((await ask(`PUT ${bans}`, { delete_message_seconds: 604_800 }, headers)).status).toBe(204);
  expect((await ask(`GET ${guild}/members/${ids.otter}`)).status).toBe(404);
  expect((await ask(`DELETE ${bans}`, undefined, headers)).status).toBe(204);
  // Who is no member has nothing that goes.
  expect((await ask(`PUT ${guild}/bans/${ids.heron}`, {}, headers)).status).toBe(503);
});

it('bans that add more than they remove are refused beyond the hard limit, but deletions are not', async () => {
  const room = { ...memoryLimits().room };
  const platform = await botPlatform({ guilds: [{ id: ids.riverBank, owner: APP }] }, undefined, {
    memory: { ...memoryLimits(), room },
  });
  const { ask, emulator } = platform;
  const strangers = Array.from({ length: 199 }, (_, n) => ({
    id: `${720_000 + n}`,
    username: `stranger${n}`,
  }));
  await emulator.apply({ users: strangers });
  const { id: message } = (await ask(`POST ${GENERAL}`, { content: 'short' })).body;
  const guild = `/guilds/${ids.riverBank}`;
  const headers = { 'x-audit-log-reason': encodeURIComponent('Ω'.repeat(512)) };
  const full = { soft: 1, hard: 1, whole: Number.MAX_SAFE_INTEGER };
  Object.assign(room, full);
  const before = emulator.exportState();
  const user_ids = [ids.otter, ...strangers.map(({ id }) => id)];
  expect((await ask(`POST ${guild}/bulk-ban`, { user_ids }, headers)).status).toBe(503);
  expect(emulator.exportState()).toBe(before);
  // From the ceiling on nothing is added.
  Object.assign(room, { ...full, whole: 1 });
  const notes = emulator.tables.audit_log.size;
  expect(emulator.transfer.free()).toBe(0);
  expect((await ask(`DELETE ${guild}/members/${ids.heron}`, undefined, headers)).status).toBe(204);
  expect((await ask(`DELETE ${GENERAL}/${message}`, undefined, headers)).status).toBe(204);
  expect(emulator.tables.audit_log.size).toBe(notes);
});
