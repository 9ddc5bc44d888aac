import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';
import { rpcFeed } from '../../../helpers/rpc-feed.ts';

const GUILD = `/guilds/${ids.riverBank}`;
const GENERAL = `/channels/${ids.general}`;
const VIEW = String(1 << 10);

const namesOf = (body: readonly { readonly name: string }[]) => body.map(({ name }) => name);

describe('a channel', () => {
  it.each([
    ['text', { name: 'New Place' }, { type: 0, name: 'new-place', topic: null, rate_limit_per_user: 0 }],
    [
      'voice',
      { name: 'New Place', type: 2, bitrate: 96_000, user_limit: 4 },
      { type: 2, name: 'New Place', bitrate: 96_000, user_limit: 4 },
    ],
    ['stage', { name: 'x', type: 13 }, { type: 13, bitrate: 64_000 }],
    ['category', { name: 'New Place', type: 4 }, { type: 4, name: 'New Place', parent_id: null }],
    ['announcement', { name: 'x', type: 5 }, { type: 5 }],
    [
      'forum',
      { name: 'x', type: 15, available_tags: [{ name: 'tide' }] },
      { type: 15, available_tags: [{ name: 'tide', moderated: false }], default_forum_layout: 0 },
    ],
    [
      'in a category',
      { name: 'x', parent_id: ids.category, nsfw: true },
      { parent_id: ids.category, nsfw: true },
    ],
  ])('is created from the request: %s', async (_, json, expected) => {
    const { ask, emulator } = await botPlatform();
    const told = rpcFeed(emulator).types;
    const { status, body } = await ask(`POST ${GUILD}/channels`, json);
    expect(status).toBe(201);
    expect(body).toMatchObject({ guild_id: ids.riverBank, position: 6, ...expected });
    expect((await ask(`GET /channels/${body.id}`)).body).toEqual(body);
    expect(told()).toEqual(['CHANNEL_CREATE']);
  });

  it.each([
    ['without a name', {}, 50035],
    ['with a name of 101 characters', { name: 'x'.repeat(101) }, 50035],
    ['of a kind that is none', { name: 'x', type: 1 }, 50035],
    ['in a channel that is no category', { name: 'x', parent_id: ids.general }, 50035],
    ['in a category of another guild', { name: 'x', parent_id: '1' }, 50035],
    ['with slowmode of seven hours', { name: 'x', rate_limit_per_user: 25_200 }, 50035],
    ['with overwrites of nobody', { name: 'x', permission_overwrites: [{ id: '1', type: 0 }] }, 50035],
    ['with a topic of 1,025 characters', { name: 'x', topic: 'x'.repeat(1025) }, 50035],
  ])('%s is refused', async (_, json, code) => {
    const { refused } = await botPlatform();
    expect(await refused(`POST ${GUILD}/channels`, json)).toMatchObject({ status: 400, body: { code } });
  });

  it('cannot be added to a category that has 50 channels, by any request', async () => {
    const { ask, refused, emulator } = await botPlatform();
    const inside = { name: 'x', parent_id: ids.category };
    const { size } = emulator.tables.channels.by('parent', ids.category);
    for (let count = size; count < 50; count += 1) await ask(`POST ${GUILD}/channels`, inside);
    const [first] = emulator.tables.channels.by('parent', ids.category);
    const outside = (await ask(`POST ${GUILD}/channels`, { name: 'y' })).body.id;
    for (const [what, json] of [
      [`POST ${GUILD}/channels`, inside],
      [`PATCH /channels/${outside}`, { parent_id: ids.category }],
      [`PATCH ${GUILD}/channels`, [{ id: outside, parent_id: ids.category }]],
    ] as const) {
      const { status, body } = await refused(what, json);
      expect([status, body.code, body.errors.parent_id._errors[0].code]).toEqual([
        400,
        50035,
        'CHANNEL_PARENT_MAX_CHANNELS',
      ]);
    }
    // One that is there already stays.
    const same = await ask(`PATCH /channels/${first?.id}`, { name: 'z', parent_id: ids.category });
    expect(same.status).toBe(200);
  });

  it.each([
    ['bitrate', 96_000, {}],
    ['bitrate', 128_000, { premium_tier: 1 }],
    ['bitrate', 256_000, { premium_tier: 2 }],
    ['bitrate', 384_000, { premium_tier: 3 }],
    ['bitrate', 384_000, { features: ['VIP_REGIONS'] }],
    ['user_limit', 99, {}],
  ])('with voice limits its %s to %i', async (field, max, guild) => {
    const { ask, refused } = await botPlatform({ guilds: [{ id: ids.riverBank, ...guild }] });
    const made = await ask(`POST ${GUILD}/channels`, { name: 'x', type: 2, [field]: max });
    expect(made.body[field]).toBe(max);
    for (const [what, json] of [
      [`POST ${GUILD}/channels`, { name: 'x', type: 2 }],
      [`PATCH /channels/${made.body.id}`, {}],
    ] as const) {
      const { status, body } = await refused(what, { ...json, [field]: max + 1 });
      expect([status, body.code, body.errors[field]._errors[0]]).toEqual([
        400,
        50035,
        { code: 'NUMBER_TYPE_MAX', message: `int value should be less than or equal to ${max}.` },
      ]);
    }
  });

  it('of type stage has its own limits', async () => {
    const { ask, refused } = await botPlatform({ guilds: [{ id: ids.riverBank, premium_tier: 3 }] });
    const stage = { name: 'x', type: 13, bitrate: 64_000, user_limit: 10_000 };
    const { body } = await ask(`POST ${GUILD}/channels`, stage);
    expect(body).toMatchObject(stage);
    const loud = { bitrate: 64_001 };
    for (const [what, json] of [
      [`POST ${GUILD}/channels`, { ...stage, ...loud }],
      [`PATCH /channels/${body.id}`, loud],
    ] as const) {
      expect(await refused(what, json)).toMatchObject({ status: 400, body: { code: 30052 } });
    }
    const crowded = await refused(`PATCH /channels/${body.id}`, { user_limit: 10_001 });
    expect(crowded.body.errors.user_limit._errors[0].code).toBe('NUMBER_TYPE_MAX');
  });

  it('changes only in the fields that PATCH names', async () => {
    const { ask, emulator } = await botPlatform();
    const told = rpcFeed(emulator).types;
    const before = (await ask(`GET ${GENERAL}`)).body;
    const changed = await ask(`PATCH ${GENERAL}`, { topic: 'x', rate_limit_per_user: 5, type: 5 });
    expect(changed.body).toEqual({ ...before, topic: 'x', rate_limit_per_user: 5, type: 5 });
    expect((await ask(`PATCH ${GENERAL}`, { topic: null, parent_id: null })).body.topic).toBeNull();
    expect(told()).toEqual([]);
  });

  it('is deleted with its messages and threads, but a category leaves its channels', async () => {
    const { ask, emulator } = await botPlatform();
    const child = (await ask(`POST ${GUILD}/channels`, { name: 'x', parent_id: ids.category })).body.id;
    await ask(`POST ${GENERAL}/threads`, { name: 'x', type: 11 });
    expect((await ask(`DELETE ${GENERAL}`)).body.id).toBe(ids.general);
    expect([...emulator.tables.channels].filter(({ type }) => type === 11)).toEqual([]);
    expect([...emulator.tables.messages.by('channel', ids.general)]).toEqual([]);
    await ask(`DELETE /channels/${ids.category}`);
    expect((await ask(`GET /channels/${child}`)).body.parent_id).toBeNull();
  });

  it.each([
    [`POST ${GUILD}/channels`, { name: 'x' }],
    [`PATCH ${GENERAL}`, { name: 'x' }],
    [`PATCH ${GUILD}/channels`, [{ id: ids.general, position: 9 }]],
    [`DELETE ${GENERAL}`, undefined],
    [`PUT ${GENERAL}/permissions/${ids.river}`, { type: 1, deny: VIEW }],
    [`DELETE ${GENERAL}/permissions/${ids.river}`, undefined],
  ])('requires a permission for %s', async (what, json) => {
    const { refused, only } = await botPlatform();
    await only('VIEW_CHANNEL', 'SEND_MESSAGES');
    expect(await refused(what, json)).toMatchObject({ status: 403, body: { code: 50013 } });
  });

  it.each(['GET', 'PATCH', 'DELETE'])(
    'that does not exist or is hidden from the bot refuses %s',
    async (method) => {
      const { refused } = await botPlatform();
      const json = method === 'PATCH' ? { name: 'x' } : undefined;
      expect((await refused(`${method} /channels/1`, json)).body.code).toBe(10003);
      expect((await refused(`${method} /channels/${ids.arrivals}`, json)).body.code).toBe(50001);
    },
  );

  it('moves together with others in one step, or not at all when one cannot move', async () => {
    const { ask, refused } = await botPlatform();
    const child = (await ask(`POST ${GUILD}/channels`, { name: 'x' })).body.id;
    await ask(`PUT /channels/${ids.category}/permissions/${ids.otter}`, { type: 1, deny: VIEW });
    expect(
      (
        await refused(`PATCH ${GUILD}/channels`, [
          { id: child, position: 1 },
          { id: ids.arrivals, position: 1 },
        ])
      ).body.code,
    ).toBe(50001);
    const moved = [{ id: child, position: 1, parent_id: ids.category, lock_permissions: true }];
    expect((await ask(`PATCH ${GUILD}/channels`, moved)).status).toBe(204);
    expect((await ask(`GET /channels/${child}`)).body).toMatchObject({
      position: 1,
      parent_id: ids.category,
      permission_overwrites: [{ id: ids.otter, type: 1, allow: '0', deny: VIEW }],
    });
  });
});

describe('the overwrites of a channel', () => {
  it('take effect at once, and can be deleted', async () => {
    const { ask, refused, emulator } = await botPlatform();
    const path = `${GENERAL}/permissions/${ids.river}`;
    expect(emulator.channel(ids.general).kind).toBe('found');
    expect((await ask(`PUT ${path}`, { type: 1, deny: Number(VIEW) })).status).toBe(204);
    expect(emulator.guild(ids.riverBank)?.owner).toBe(ids.river);
    const other = `${GENERAL}/permissions/${ids.riverBank}`;
    expect((await ask(`PUT ${other}`, { type: 0, deny: VIEW, allow: '0' })).status).toBe(204);
    expect((await ask(`GET ${GENERAL}`)).body.permission_overwrites).toEqual([
      { id: ids.riverBank, type: 0, allow: '0', deny: VIEW },
      { id: ids.river, type: 1, allow: '0', deny: VIEW },
    ]);
    expect((await ask(`DELETE ${path}`)).status).toBe(204);
    expect((await refused(`DELETE ${path}`)).body.code).toBe(10009);
    expect((await refused(`PUT ${GENERAL}/permissions/1`, { type: 0 })).body.code).toBe(10009);
  });

  it('cannot allow a permission that the bot lacks', async () => {
    const { refused, ask, only } = await botPlatform();
    await only('VIEW_CHANNEL', 'MANAGE_ROLES', 'SEND_MESSAGES');
    const path = `${GENERAL}/permissions/${ids.otter}`;
    expect((await refused(`PUT ${path}`, { type: 1, allow: String(1 << 13) })).body.code).toBe(50013);
    expect((await ask(`PUT ${path}`, { type: 1, allow: String(1 << 11) })).status).toBe(204);
  });
});

it('a channel is never reported as obfuscated, whatever a fixture or a request sets [O-8]', async () => {
  const { ask } = await botPlatform({
    guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, flags: (1 << 17) | (1 << 4) }] }],
  });
  expect((await ask(`GET /channels/${ids.general}`)).body.flags).toBe(1 << 4);
  const { body } = await ask(`GET ${GUILD}/channels`);
  expect(body.find(({ id }: { id: string }) => id === ids.general).flags).toBe(1 << 4);
  expect((await ask(`PATCH /channels/${ids.general}`, { flags: 1 << 17 })).body.flags).toBe(0);
});

describe('the channel list of a guild', () => {
  it('has all channels until 2026-11-16, then only visible ones, and never threads [E-2, N-3]', async () => {
    const { ask, emulator } = await botPlatform({
      guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, deny: [APP] }] }],
    });
    await ask(`POST /channels/500000000000000003/threads`, { name: 'Thread', type: 10 });
    emulator.clock.set(Date.parse('2026-11-15T23:59:59Z'));
    expect(namesOf((await ask(`GET ${GUILD}/channels`)).body)).toEqual([
      'Text',
      'general',
      'news',
      'Voice',
      'Lounge',
      'Boat',
    ]);
    emulator.clock.set(Date.parse('2026-11-16T00:00:00Z'));
    expect(namesOf((await ask(`GET ${GUILD}/channels`)).body)).toEqual([
      'Text',
      'news',
      'Voice',
      'Lounge',
      'Boat',
    ]);
  });

  it('is returned to a user with the scope, and refused without the scope or the membership [K-17]', async () => {
    const { call, bearer, refused } = await botPlatform();
    const headers = await bearer(['guilds.channels.read']);
    expect(namesOf((await call(`GET ${GUILD}/channels`, { headers })).body)).toContain('general');
    expect((await call(`GET ${GUILD}/channels`, { headers: await bearer() })).body.code).toBe(50026);
    expect((await refused(`GET /guilds/1/channels`)).body.code).toBe(10004);
    expect((await refused(`GET /guilds/${ids.harbour}/channels`)).body.code).toBe(50001);
  });
});

describe('the status of a voice channel [E-7]', () => {
  const path = `PUT /channels/${ids.lounge}/voice-status`;
  const statusIn = ({ emulator }: Awaited<ReturnType<typeof botPlatform>>) =>
    emulator.tables.channels.get(ids.lounge)?.status;

  it('is set, cleared and audited, and is not part of the channel [E-7, O-23]', async () => {
    const platform = await botPlatform();
    expect(
      (await platform.ask(path, { status: 'Rowing' }, { 'x-audit-log-reason': 'a%20boat' })).status,
    ).toBe(204);
    expect(statusIn(platform)).toBe('Rowing');
    expect((await platform.ask(`GET /channels/${ids.lounge}`)).body).not.toHaveProperty('status');
    await platform.ask(path, { status: null });
    expect(statusIn(platform)).toBeUndefined();
    expect([...platform.emulator.tables.audit_log]).toMatchObject([
      {
        action_type: 192,
        user: APP,
        target: ids.lounge,
        reason: 'a boat',
        options: [{ key: 'status', value: 'Rowing' }],
      },
      { action_type: 193, reason: null, options: [] },
    ]);
    await platform.ask(path, { status: 'x'.repeat(500) });
    await platform.ask(path, { status: '' });
    expect(statusIn(platform)).toBeUndefined();
  });

  it('has at most 500 characters, and only in a voice channel [L-6]', async () => {
    const { refused } = await botPlatform();
    expect((await refused(path, { status: 'x'.repeat(501) })).body.code).toBe(50035);
    expect((await refused(path, { status: 5 })).body.code).toBe(50035);
    expect((await refused(`PUT ${GENERAL}/voice-status`, { status: 'x' })).body.code).toBe(50024);
  });

  it('requires one permission of a bot in the channel, and two of a bot outside', async () => {
    const platform = await botPlatform();
    await platform.only('VIEW_CHANNEL', 'CONNECT', 'SET_VOICE_CHANNEL_STATUS');
    expect((await platform.refused(path, { status: 'x' })).body.code).toBe(50013);
    await platform.emulator.apply({ voice_states: [{ user: APP, channel: ids.lounge }] });
    expect((await platform.ask(path, { status: 'x' })).status).toBe(204);
    await platform.only('VIEW_CHANNEL', 'CONNECT', 'MANAGE_CHANNELS');
    expect((await platform.refused(path, { status: 'y' })).body.code).toBe(50013);
  });
});

it('changes of channels, overwrites, threads and pins are audited, each with its reason', async () => {
  const { ask, emulator } = await botPlatform();
  const because = (what: string, json?: unknown) => ask(what, json, { 'x-audit-log-reason': 'why' });
  const { id } = (await because(`POST ${GUILD}/channels`, { name: 'x' })).body;
  await because(`PATCH /channels/${id}`, { name: 'y' });
  await because(`PUT /channels/${id}/permissions/${ids.otter}`, { type: 1, deny: '0' });
  await because(`PUT /channels/${id}/permissions/${ids.otter}`, { type: 1, deny: VIEW });
  await because(`DELETE /channels/${id}/permissions/${ids.otter}`);
  const message = (await because(`POST /channels/${id}/messages`, { content: 'x' })).body.id;
  const thread = (await because(`POST /channels/${id}/messages/${message}/threads`, { name: 'x' })).body.id;
  await because(`PATCH /channels/${thread}`, { name: 'y' });
  await because(`DELETE /channels/${thread}`);
  await because(`PUT /channels/${id}/messages/pins/${message}`);
  await because(`DELETE /channels/${id}/messages/pins/${message}`);
  // A single message is deleted without an entry.
  await because(`DELETE /channels/${id}/messages/${message}`);
  await because(`DELETE ${GENERAL}/messages/600000000000000001`);
  const made = [];
  for (const content of ['a', 'b'])
    made.push((await because(`POST ${GENERAL}/messages`, { content })).body.id);
  await because(`POST ${GENERAL}/messages/bulk-delete`, { messages: made });
  await because(`DELETE /channels/${id}`);
  const noted = [...emulator.tables.audit_log];
  expect(noted.map(({ action_type }) => action_type)).toEqual([
    10, 11, 13, 14, 15, 110, 111, 112, 74, 75, 73, 12,
  ]);
  expect(new Set(noted.map(({ reason }) => reason))).toEqual(new Set(['why']));
  expect(noted[1]?.changes).toEqual([{ key: 'name', old_value: '"x"', new_value: '"y"' }]);
});
