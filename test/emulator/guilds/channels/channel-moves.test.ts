import { expect, it } from 'vitest';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const GUILD = `/guilds/${ids.riverBank}`;
const GENERAL = `/channels/${ids.general}`;
const MOVES = `PATCH ${GUILD}/channels`;

/** A bot that manages channels, and what an overwrite of a channel says of it. */
async function manager() {
  const platform = await botPlatform();
  const { ask, emulator } = platform;
  await ask(`PATCH ${GENERAL}`, { parent_id: null });
  const { id } = (await ask(`POST ${GUILD}/channels`, { name: 'other' })).body;
  await platform.only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'MANAGE_ROLES');
  const set = (channel: string, overwrite: { readonly [kind in 'allow' | 'deny']?: readonly Permission[] }) =>
    emulator.apply({
      guilds: [
        { id: ids.riverBank, channels: [{ id: channel, user_overwrites: [{ user: APP, ...overwrite }] }] },
      ],
    });
  const placeOf = (channel: string) => emulator.tables.channels.get(channel);
  return { ...platform, other: id as string, set, placeOf };
}

it('a request that moves two channels into categories at once is refused', async () => {
  const { ask, refused, other, placeOf } = await manager();
  const moves = [ids.general, other].map((id) => ({ id, parent_id: ids.category }));
  expect(await refused(MOVES, moves)).toMatchObject({
    status: 400,
    body: { code: 40009, message: 'Only one channel can have a parent_id modified at a time' },
  });
  const one = [moves[0], { id: other, position: 3 }];
  expect((await ask(MOVES, one)).status).toBe(204);
  expect([placeOf(ids.general)?.parent, placeOf(other)?.position]).toEqual([ids.category, 3]);
});

it('moving a channel into a category requires MANAGE_CHANNELS in the category', async () => {
  const { ask, refused, set } = await manager();
  await set(ids.category, { deny: ['MANAGE_CHANNELS'] });
  const into = { parent_id: ids.category };
  for (const [what, json] of [
    [MOVES, [{ id: ids.general, ...into }]],
    [`PATCH ${GENERAL}`, into],
    [`POST ${GUILD}/channels`, { name: 'x', ...into }],
  ] as const) {
    expect(await refused(what, json)).toMatchObject({ status: 403, body: { code: 50013 } });
  }
  expect((await ask(`PATCH ${GENERAL}`, { parent_id: null })).status).toBe(200);
});

it('a bot with MANAGE_CHANNELS in one category alone creates a channel there', async () => {
  const { ask, refused, only, set } = await manager();
  await only('VIEW_CHANNEL');
  await set(ids.category, { allow: ['MANAGE_CHANNELS'] });
  expect((await ask(`POST ${GUILD}/channels`, { name: 'x', parent_id: ids.category })).status).toBe(201);
  expect((await refused(`POST ${GUILD}/channels`, { name: 'x' })).body.code).toBe(50013);
});

it('a bot changes the position of a hidden channel, but not its parent or its overwrites', async () => {
  const { ask, refused, set, placeOf } = await manager();
  await set(ids.general, { deny: ['VIEW_CHANNEL'] });
  expect((await ask(MOVES, [{ id: ids.general, position: 4 }])).status).toBe(204);
  expect(placeOf(ids.general)?.position).toBe(4);
  for (const more of [{ parent_id: ids.category }, { lock_permissions: true }]) {
    expect((await refused(MOVES, [{ id: ids.general, position: 1, ...more }])).body.code).toBe(50001);
  }
  expect((await refused(MOVES, [{ id: '1', position: 1 }])).body.code).toBe(10003);
});

it('PATCH of the guild channels refuses a thread and leaves the thread unchanged', async () => {
  const { ask, refused, only, other, placeOf } = await manager();
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'CREATE_PUBLIC_THREADS', 'SEND_MESSAGES_IN_THREADS');
  const { id } = (await ask(`POST ${GENERAL}/threads`, { name: 'precious', type: 11 })).body;
  const said = (await ask(`POST /channels/${id}/messages`, { content: 'stays' })).body;
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'MANAGE_ROLES', 'READ_MESSAGE_HISTORY');
  for (const more of [
    { parent_id: null },
    { parent_id: ids.category },
    { position: 3 },
    { lock_permissions: true },
  ]) {
    const moves = [
      { id: other, position: 7 },
      { id, ...more },
    ];
    expect(await refused(MOVES, moves)).toMatchObject({ status: 400, body: { code: 50024 } });
  }
  expect(placeOf(id)?.parent).toBe(ids.general);
  expect((await ask(`GET /channels/${id}/messages/${said.id}`)).status).toBe(200);
});
