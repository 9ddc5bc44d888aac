import { expect, it } from 'vitest';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const GENERAL = `/channels/${ids.general}`;
const WAVE = encodeURIComponent('🌊');
const FISH = encodeURIComponent('🐟');
const LOCKED = { status: 400, body: { code: 160005, message: 'Thread is locked' } };
const ARCHIVED = { status: 400, body: { code: 50083, message: 'Thread is archived' } };

/** All that a member needs in a thread, but MANAGE_THREADS. */
const MEMBER: readonly Permission[] = [
  'VIEW_CHANNEL',
  'READ_MESSAGE_HISTORY',
  'SEND_MESSAGES_IN_THREADS',
  'ADD_REACTIONS',
  'PIN_MESSAGES',
  'MANAGE_MESSAGES',
];

/** A thread in which the bot has written, with a reaction and a pin; then in the state that is asked for. */
async function thread(state: object, ...more: readonly Permission[]) {
  const platform = await botPlatform();
  const { ask } = platform;
  const { id } = (await ask(`POST ${GENERAL}/threads`, { name: 'tide', type: 11 })).body;
  const write = async (content: string): Promise<string> =>
    (await ask(`POST /channels/${id}/messages`, { content })).body.id;
  const [own, pinned] = [await write('high'), await write('low')];
  const messages = `/channels/${id}/messages`;
  await ask(`PUT ${messages}/${own}/reactions/${WAVE}/@me`);
  await ask(`PUT ${messages}/pins/${pinned}`);
  expect((await ask(`PATCH /channels/${id}`, state)).status).toBe(200);
  await platform.only(...MEMBER, ...more);
  return { ...platform, id, own, pinned, path: `/channels/${id}`, messages };
}
type Thread = Awaited<ReturnType<typeof thread>>;

type Attempt = readonly [name: string, what: (of: Thread) => string, json?: object];

const SENDS: readonly Attempt[] = [['a message', ({ messages }) => `POST ${messages}`, { content: 'x' }]];
const CHANGES: readonly Attempt[] = [
  ['an edit', ({ messages, own }) => `PATCH ${messages}/${own}`, { content: 'x' }],
  ['hidden embeds', ({ messages, own }) => `PATCH ${messages}/${own}`, { flags: 4 }],
  ['a pin', ({ messages, own }) => `PUT ${messages}/pins/${own}`],
  ['the end of a pin', ({ messages, pinned }) => `DELETE ${messages}/pins/${pinned}`],
  ['a pin by the older route', ({ path, own }) => `PUT ${path}/pins/${own}`],
];
const REACTIONS: readonly Attempt[] = [
  ['a reaction', ({ messages, own }) => `PUT ${messages}/${own}/reactions/${FISH}/@me`],
  ['the end of a reaction', ({ messages, own }) => `DELETE ${messages}/${own}/reactions/${WAVE}/@me`],
  ["the end of another's", ({ messages, own }) => `DELETE ${messages}/${own}/reactions/${WAVE}/${APP}`],
  ['the end of all with an emoji', ({ messages, own }) => `DELETE ${messages}/${own}/reactions/${WAVE}`],
  ['the end of all reactions', ({ messages, own }) => `DELETE ${messages}/${own}/reactions`],
];
const SETTINGS: readonly Attempt[] = [
  ['a name', ({ path }) => `PATCH ${path}`, { name: 'x' }],
  ['archiving', ({ path }) => `PATCH ${path}`, { archived: true }],
];
const OPENING: Attempt = ['opening', ({ path }) => `PATCH ${path}`, { archived: false }];
const DELETIONS: readonly Attempt[] = [
  ['a deletion', ({ messages, own }) => `DELETE ${messages}/${own}`],
  ['a deletion in bulk', ({ messages }) => `POST ${messages}/bulk-delete`],
];

/** The code that each attempt is refused with; the state has to stay as it was. */
async function codesOf(of: Thread, attempts: readonly Attempt[]) {
  const codes: (readonly [name: string, code: number])[] = [];
  for (const [name, what, json] of attempts) {
    codes.push([
      name,
      (await of.refused(what(of), name.includes('bulk') ? { messages: [of.own, of.pinned] } : json)).body
        .code,
    ]);
  }
  return codes;
}

const all = (attempts: readonly Attempt[], code: number) => attempts.map(([name]) => [name, code]);

it('a locked thread refuses messages and changes without MANAGE_THREADS', async () => {
  const of = await thread({ locked: true });
  const attempts = [...SENDS, ...CHANGES, ...SETTINGS];
  expect(await codesOf(of, attempts)).toEqual(all(attempts, 160005));
  expect(await of.refused(`POST ${of.messages}`, { content: 'x' })).toMatchObject(LOCKED);
});

it('a locked thread that is archived refuses everything without MANAGE_THREADS', async () => {
  const of = await thread({ locked: true, archived: true });
  const attempts = [...SENDS, ...CHANGES, ...REACTIONS, ...SETTINGS, OPENING, ...DELETIONS];
  expect(await codesOf(of, attempts)).toEqual(all(attempts, 160005));
});

it('a locked thread that is open accepts reactions and deletions from every member', async () => {
  const of = await thread({ locked: true });
  for (const [, what] of [REACTIONS[0], REACTIONS[1], DELETIONS[0]] as readonly Attempt[]) {
    expect((await of.ask(what(of))).status).toBe(204);
  }
});

it('a locked thread accepts every change from a member with MANAGE_THREADS', async () => {
  const of = await thread({ locked: true }, 'MANAGE_THREADS');
  for (const [name, what, json] of [...SENDS, ...CHANGES, ...REACTIONS, ...SETTINGS, OPENING]) {
    expect([name, (await of.ask(what(of), json)).status < 300]).toEqual([name, true]);
  }
});

it('a message of a moderator unarchives a thread that is locked and archived', async () => {
  const of = await thread({ locked: true, archived: true }, 'MANAGE_THREADS');
  expect((await of.ask(`POST ${of.messages}`, { content: 'x' })).status).toBe(200);
  const { thread_metadata } = (await of.ask(`GET ${of.path}`)).body;
  expect(thread_metadata).toMatchObject({ archived: false, locked: true });
});

it('an archived thread refuses changes and reactions of moderators, too', async () => {
  const of = await thread({ archived: true }, 'MANAGE_THREADS');
  const attempts = [...CHANGES, ...REACTIONS, ...SETTINGS];
  expect(await codesOf(of, attempts)).toEqual(all(attempts, 50083));
  expect(await of.refused(`PATCH ${of.path}`, { locked: true })).toMatchObject(ARCHIVED);
  const { body } = await of.ask(`PATCH ${of.path}`, { archived: false, locked: true, name: 'x' });
  expect(body).toMatchObject({ name: 'x', thread_metadata: { archived: false, locked: true } });
});

it('an archived thread accepts deletions of messages, and a new message unarchives it', async () => {
  const of = await thread({ archived: true });
  expect((await of.ask(`DELETE ${of.messages}/${of.own}`)).status).toBe(204);
  expect((await of.ask(`POST ${of.messages}`, { content: 'x' })).status).toBe(200);
  expect((await of.ask(`GET ${of.path}`)).body.thread_metadata.archived).toBe(false);
});

it('the creator of a thread may change its name and duration, but not its slowmode', async () => {
  const of = await thread({});
  for (const json of [
    { name: 'x' },
    { auto_archive_duration: 60 },
    { archived: true },
    { archived: false },
  ]) {
    expect((await of.ask(`PATCH ${of.path}`, json)).status).toBe(200);
  }
  for (const json of [{ rate_limit_per_user: 5 }, { locked: true }, { name: 'y', locked: true }]) {
    expect((await of.refused(`PATCH ${of.path}`, json)).body.code).toBe(50013);
  }
});

it.each([
  ['a message', (of: Thread) => of.ask(`POST ${of.messages}`, { content: 'x' })],
  ['hand', (of: Thread) => of.ask(`PATCH ${of.path}`, { archived: false })],
])('archive_timestamp is updated when a thread is unarchived by %s', async (_, opens) => {
  const of = await thread({ archived: true });
  const { clock } = of.emulator;
  clock.freeze();
  clock.advance(3_600_000);
  await opens(of);
  const { archived, archive_timestamp } = (await of.ask(`GET ${of.path}`)).body.thread_metadata;
  expect([archived, Date.parse(archive_timestamp)]).toEqual([false, clock.now()]);
});

it('archive_timestamp is updated when the auto-archive duration changes', async () => {
  const of = await thread({});
  const { clock } = of.emulator;
  clock.freeze();
  clock.advance(1000);
  const set = async (json: object) => (await of.ask(`PATCH ${of.path}`, json)).body.thread_metadata;
  const { archive_timestamp: before } = await set({ name: 'x', auto_archive_duration: 1440 });
  expect(Date.parse(before)).toBeLessThan(clock.now());
  const { archive_timestamp: after } = await set({ auto_archive_duration: 60 });
  expect(Date.parse(after)).toBe(clock.now());
});

it('a webhook writes in a locked thread, but edits no message in an archived one', async () => {
  const of = await thread({ locked: true }, 'MANAGE_THREADS', 'MANAGE_WEBHOOKS');
  const hook = (await of.ask(`POST ${GENERAL}/webhooks`, { name: 'lighthouse' })).body;
  const at = `/webhooks/${hook.id}/${hook.token}`;
  const written = await of.ask(`POST ${at}?wait=true&thread_id=${of.id}`, { content: 'x' });
  expect(written.status).toBe(200);
  await of.ask(`PATCH ${of.path}`, { archived: true });
  const message = `${at}/messages/${written.body.id}?thread_id=${of.id}`;
  expect(await of.refused(`PATCH ${message}`, { content: 'y' })).toMatchObject(ARCHIVED);
  expect((await of.ask(`DELETE ${message}`)).status).toBe(204);
});
