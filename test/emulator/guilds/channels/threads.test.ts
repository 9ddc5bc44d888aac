import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const GENERAL = `/channels/${ids.general}`;
const GUILD = `/guilds/${ids.riverBank}`;
const HIGH = '600000000000000001';

const idsOf = (body: { readonly threads: readonly { readonly id: string }[] }) =>
  body.threads.map(({ id }) => id);

it('a message starts at most one thread, and reports the thread', async () => {
  const { ask, refused } = await botPlatform();
  const { status, body } = await ask(`POST ${GENERAL}/messages/${HIGH}/threads`, {
    name: 'Tide',
    auto_archive_duration: 60,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    id: HIGH,
    type: 11,
    name: 'Tide',
    parent_id: ids.general,
    owner_id: APP,
    member_count: 1,
    thread_metadata: { archived: false, locked: false, auto_archive_duration: 60 },
    member: { user_id: APP },
  });
  expect((await ask(`GET ${GENERAL}/messages/${HIGH}`)).body).toMatchObject({
    flags: 32,
    thread: { id: HIGH },
  });
  expect((await ask(`GET /channels/${HIGH}/messages`)).body).toMatchObject([
    { type: 21, referenced_message: { id: HIGH } },
  ]);
  expect((await refused(`POST ${GENERAL}/messages/${HIGH}/threads`, { name: 'x' })).body.code).toBe(160004);
  expect((await ask(`POST /channels/${HIGH}/messages`, { content: 'in it' })).body.channel_id).toBe(HIGH);
  expect((await ask(`GET /channels/${HIGH}`)).body.message_count).toBe(2);
});

it('a thread starts without a message, as a public or a private one', async () => {
  const { ask, only, emulator } = await botPlatform();
  const open = (await ask(`POST ${GENERAL}/threads`, { name: 'a', type: 11 })).body;
  const closed = (await ask(`POST ${GENERAL}/threads`, { name: 'b' })).body;
  expect([open.type, closed.type]).toEqual([11, 12]);
  expect((await ask(`GET ${GENERAL}/messages?limit=1`)).body).toMatchObject([
    { type: 18, content: 'a', message_reference: { channel_id: open.id } },
  ]);
  await only('VIEW_CHANNEL', 'SEND_MESSAGES_IN_THREADS');
  const sees = () => emulator.tables.channels.has(closed.id) && emulator.channel(closed.id).kind;
  await emulator.apply({ me: ids.heron });
  expect(sees()).toBe('denied');
  expect((await ask(`PUT /channels/${closed.id}/thread-members/${ids.heron}`)).status).toBe(204);
  expect(sees()).toBe('found');
  expect(
    (await ask(`GET /channels/${closed.id}/thread-members`)).body.map(
      (one: { user_id: string }) => one.user_id,
    ),
  ).toEqual([APP, ids.heron]);
});

it('a user who writes in a thread becomes a member of the thread', async () => {
  const { ask, emulator } = await botPlatform();
  const thread = (await ask(`POST ${GENERAL}/threads`, { name: 'a', type: 11 })).body.id;
  const members = () => [...emulator.tables.thread_members.by('thread', thread)].map(({ user }) => user);
  await ask(`DELETE /channels/${thread}/thread-members/@me`);
  expect(members()).toEqual([]);
  for (const content of ['in it', 'again']) await ask(`POST /channels/${thread}/messages`, { content });
  expect(members()).toEqual([APP]);
  emulator.messages.send(thread, 'me too', ids.heron);
  expect(members()).toEqual([APP, ids.heron]);
  expect((await ask(`GET /channels/${thread}`)).body).toMatchObject({
    member_count: 2,
    member: { user_id: APP },
  });
});

it('a forum post starts as a thread with its first message', async () => {
  const { ask, refused } = await botPlatform();
  const forum = (
    await ask(`POST ${GUILD}/channels`, { name: 'forum', type: 15, available_tags: [{ name: 'tide' }] })
  ).body;
  const path = `POST /channels/${forum.id}/threads`;
  const tag = forum.available_tags[0].id;
  const { status, body } = await ask(path, {
    name: 'Post',
    applied_tags: [tag],
    message: { content: 'first' },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ type: 11, applied_tags: [tag], message: { id: body.id, content: 'first' } });
  expect((await refused(path, { name: 'Post' })).body.errors.message._errors[0].code).toBe(
    'BASE_TYPE_REQUIRED',
  );
  expect((await refused(path, { name: 'Post', message: {} })).body.code).toBe(50006);
  expect(
    (await refused(path, { name: 'Post', applied_tags: ['1'], message: { content: 'x' } })).body.code,
  ).toBe(50035);
  expect((await refused(`POST /channels/${forum.id}/messages`, { content: 'x' })).body.code).toBe(50008);
});

it('users join and leave a thread, and active threads are listed', async () => {
  const { ask, refused } = await botPlatform();
  const { id } = (await ask(`POST ${GENERAL}/threads`, { name: 'a', type: 11 })).body;
  const members = `/channels/${id}/thread-members`;
  expect((await ask(`DELETE ${members}/@me`)).status).toBe(204);
  expect((await refused(`GET ${members}/${APP}`)).body.code).toBe(10007);
  expect((await ask(`PUT ${members}/@me`)).status).toBe(204);
  expect((await ask(`GET ${members}/${APP}`)).body).toMatchObject({ id, user_id: APP });
  expect((await refused(`PUT ${members}/1`)).body.code).toBe(10007);
  expect((await refused(`PUT ${GENERAL}/thread-members/@me`)).body.code).toBe(50024);
  await ask(`PUT ${members}/${ids.otter}`);
  expect((await ask(`DELETE ${members}/${ids.otter}`)).status).toBe(204);
  expect((await refused(`DELETE ${members}/${ids.otter}`)).body.code).toBe(10007);
  expect(idsOf((await ask(`GET ${GUILD}/threads/active`)).body)).toEqual([id]);
});

it('archived threads are listed by archive time, and a message unarchives a thread', async () => {
  const { ask, refused, emulator } = await botPlatform();
  emulator.clock.freeze();
  const made: string[] = [];
  for (const name of ['a', 'b']) {
    const { id } = (await ask(`POST ${GENERAL}/threads`, { name, type: 11 })).body;
    made.push(id);
    emulator.clock.advance(1000);
    expect((await ask(`PATCH /channels/${id}`, { archived: true })).body.thread_metadata.archived).toBe(true);
  }
  const archived = `GET ${GENERAL}/threads/archived/public`;
  const { body } = await ask(archived);
  expect(idsOf(body)).toEqual([made[1], made[0]]);
  const before = encodeURIComponent(body.threads[0].thread_metadata.archive_timestamp);
  expect(idsOf((await ask(`${archived}?before=${before}`)).body)).toEqual([made[0]]);
  expect(idsOf((await ask(`GET ${GENERAL}/threads/archived/private`)).body)).toEqual([]);
  expect(idsOf((await ask(`GET ${GENERAL}/users/@me/threads/archived/private`)).body)).toEqual([]);
  expect((await refused(`${archived}?limit=1`)).body.code).toBe(50035);
  expect((await refused(`PUT /channels/${made[0]}/thread-members/@me`)).body.code).toBe(50083);
  await ask(`POST /channels/${made[0]}/messages`, { content: 'x' });
  expect(idsOf((await ask(archived)).body)).toEqual([made[1]]);
});

it.each([
  [`POST ${GENERAL}/threads`, { type: 11 }, 50035],
  [`POST ${GENERAL}/threads`, { name: 'x', type: 10 }, 50024],
  [`POST ${GENERAL}/threads`, { name: 'x', auto_archive_duration: 61 }, 50035],
  [`POST ${GENERAL}/messages/1/threads`, { name: 'x' }, 10008],
  [`POST /channels/${ids.lounge}/threads`, { name: 'x', type: 11 }, 50024],
])('the thread routes refuse %s with %j', async (what, json, code) => {
  const { refused } = await botPlatform();
  expect((await refused(what, json)).body.code).toBe(code);
});

it('public and private threads each require a permission of their own', async () => {
  const { refused, ask, only } = await botPlatform();
  await only('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'CREATE_PUBLIC_THREADS');
  expect((await refused(`POST ${GENERAL}/threads`, { name: 'x', type: 12 })).body.code).toBe(50013);
  const { id } = (await ask(`POST ${GENERAL}/threads`, { name: 'x', type: 11 })).body;
  expect((await refused(`POST /channels/${id}/messages`, { content: 'x' })).body.code).toBe(50013);
  expect((await refused(`PATCH /channels/${id}`, { locked: true })).body.code).toBe(50013);
  expect((await ask(`PATCH /channels/${id}`, { name: 'y' })).body.name).toBe('y');
  expect((await refused(`DELETE /channels/${id}`)).body.code).toBe(50013);
});

describe('a thread archives itself by the clock', () => {
  const HOUR = 3_600_000;
  const started = async () => {
    const platform = await botPlatform();
    const { clock } = platform.emulator;
    clock.freeze();
    const { id } = (
      await platform.ask(`POST ${GENERAL}/threads`, { name: 'tide', type: 11, auto_archive_duration: 60 })
    ).body;
    const thread = async () => (await platform.ask(`GET /channels/${id}`)).body.thread_metadata;
    return { ...platform, clock, id, thread };
  };

  it('after its duration without a message, and not before', async () => {
    const { ask, clock, id, thread } = await started();
    const begun = clock.now();
    clock.advance(HOUR / 2);
    await ask(`POST /channels/${id}/messages`, { content: 'still here' });
    clock.advance(HOUR - 1000);
    expect(await thread()).toMatchObject({ archived: false });
    clock.advance(HOUR);
    expect(await thread()).toMatchObject({ archived: true });
    const at = Date.parse((await thread()).archive_timestamp) - begun;
    expect(at).toBeGreaterThanOrEqual(HOUR * 1.5);
    expect(at).toBeLessThan(HOUR * 1.5 + 5000);
  });

  it('again after it was unarchived by a message, or by a request with another duration', async () => {
    const { ask, clock, id, thread } = await started();
    clock.advance(HOUR);
    expect((await thread()).archived).toBe(true);
    await ask(`POST /channels/${id}/messages`, { content: 'awake' });
    expect((await thread()).archived).toBe(false);
    clock.advance(HOUR);
    expect((await thread()).archived).toBe(true);
    await ask(`PATCH /channels/${id}`, { archived: false, auto_archive_duration: 1440 });
    clock.advance(23 * HOUR);
    expect((await thread()).archived).toBe(false);
    clock.advance(HOUR);
    expect((await thread()).archived).toBe(true);
  });

  it('counting from when a fixture adds it, however old it is', async () => {
    const platform = await botPlatform();
    const { clock } = platform.emulator;
    clock.freeze();
    const thread = { id: '9', name: 'old', type: 'public_thread', parent: ids.general, owner: APP };
    await platform.emulator.apply({ guilds: [{ id: ids.riverBank, channels: [thread] }] });
    const archived = () => platform.emulator.tables.channels.get('9')?.thread?.archived;
    clock.advance(23 * HOUR);
    expect(archived()).toBe(false);
    clock.advance(HOUR);
    expect(archived()).toBe(true);
    await platform.emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: '9', remove: true }] }] });
    clock.advance(48 * HOUR);
    expect(archived()).toBeUndefined();
  });
});

it('threads are searched by name, tags and times [P-12, R-4]', async () => {
  const { ask, refused, emulator } = await botPlatform();
  const forum = (
    await ask(`POST ${GUILD}/channels`, {
      name: 'forum',
      type: 15,
      available_tags: [{ name: 'high' }, { name: 'low' }],
    })
  ).body;
  const [high, low] = forum.available_tags.map(({ id }: { id: string }) => id);
  const post = async (name: string, applied_tags: string[]): Promise<string> =>
    (await ask(`POST /channels/${forum.id}/threads`, { name, applied_tags, message: { content: name } })).body
      .id;
  const spring = await post('The spring tide', [high]);
  const neap = await post('Neap tide', [high, low]);
  const boats = await post('Boats', []);
  await ask(`POST /channels/${spring}/messages`, { content: 'later' });
  await ask(`PATCH /channels/${boats}`, { archived: true });
  const path = `GET /channels/${forum.id}/threads/search`;
  const found = async (query: string) => idsOf((await ask(`${path}?${query}`)).body);
  expect(await found('')).toEqual([spring, boats, neap]);
  expect(await found('sort_by=creation_time')).toEqual([boats, neap, spring]);
  expect(await found('sort_by=creation_time&sort_order=asc')).toEqual([spring, neap, boats]);
  expect(await found('sort_by=archive_time&limit=1')).toEqual([boats]);
  expect(await found('name=tide')).toEqual([spring, neap]);
  expect(await found('name=tid&sort_by=relevance')).toEqual([neap, spring]);
  expect(await found('name=the%20tide&slop=0')).toEqual([]);
  expect(await found('name=the%20tide&slop=1')).toEqual([spring]);
  expect(await found(`tag=${low}&tag=${high}&tag_setting=match_all`)).toEqual([neap]);
  expect(await found(`tag=${low},${high}`)).toEqual([spring, neap]);
  expect(await found('archived=true')).toEqual([boats]);
  expect(await found(`min_id=${spring}&max_id=${boats}`)).toEqual([neap]);
  expect((await ask(`${path}?limit=1&offset=1`)).body).toMatchObject({
    threads: [{ id: boats }],
    members: [{ id: boats, user_id: APP }],
    has_more: true,
    first_messages: [{ id: boats, content: 'Boats' }],
    total_results: 3,
  });
  for (const wrong of ['limit=26', 'tag=x', 'sort_by=colour', `name=${'x'.repeat(101)}`]) {
    expect((await refused(`${path}?${wrong}`)).body.code).toBe(50035);
  }
  expect((await refused(`GET /channels/${ids.lounge}/threads/search`)).body.code).toBe(50024);
  await emulator.messageIndex.force(ids.riverBank, 'indexing', 4);
  expect(await refused(path)).toMatchObject({ status: 202, body: { code: 110000, documents_indexed: 4 } });
});

it('the members of a thread are listed in pages, with their guild members on request', async () => {
  const { ask, refused } = await botPlatform();
  const { id } = (await ask(`POST ${GENERAL}/threads`, { name: 'a', type: 11 })).body;
  for (const user of [ids.otter, ids.heron]) await ask(`PUT /channels/${id}/thread-members/${user}`);
  const path = `/channels/${id}/thread-members`;
  const users = async (query: string) =>
    (await ask(`GET ${path}${query}`)).body.map((one: { user_id: string }) => one.user_id);
  expect(await users('')).toEqual([APP, ids.otter, ids.heron]);
  expect(await users('?limit=1')).toHaveLength(3);
  expect(await users('?with_member=true')).toEqual([ids.heron, ids.otter, APP]);
  expect(await users('?with_member=true&limit=1')).toEqual([ids.heron]);
  expect(await users(`?with_member=true&limit=1&after=${ids.heron}`)).toEqual([ids.otter]);
  expect((await ask(`GET ${path}?with_member=true`)).body[0].member).toMatchObject({
    nick: 'Heron on the Bank',
    user: { id: ids.heron },
  });
  expect((await ask(`GET ${path}/${ids.heron}?with_member=true`)).body.member.nick).toBe('Heron on the Bank');
  expect((await ask(`GET ${path}/${ids.heron}`)).body).not.toHaveProperty('member');
  expect((await refused(`GET ${path}?with_member=true&limit=101`)).body.code).toBe(50035);
});
