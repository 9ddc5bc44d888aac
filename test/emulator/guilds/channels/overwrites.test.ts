import { expect, it } from 'vitest';
import { bitsOf, type Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const GUILD = `/guilds/${ids.riverBank}`;
const GENERAL = `/channels/${ids.general}`;

const bits = (...names: readonly Permission[]) => String(bitsOf(...names));

/** A bot with rights by which it manages channels and their overwrites, without being an administrator. */
async function manager(...more: readonly Permission[]) {
  const platform = await botPlatform();
  await platform.only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'MANAGE_ROLES', ...more);
  /** Lets the bot have permissions by an overwrite of a channel. */
  const allowIn = (channel: string, ...allow: readonly Permission[]) =>
    platform.emulator.apply({
      guilds: [{ id: ids.riverBank, channels: [{ id: channel, user_overwrites: [{ user: APP, allow }] }] }],
    });
  return { ...platform, allowIn };
}

type Request = readonly [what: string, json: object];

/** The two ways to set an overwrite of the otter in a channel. */
const waysOf = (channel: string, allow: string, deny: string): readonly Request[] => [
  [`PUT /channels/${channel}/permissions/${ids.otter}`, { type: 1, allow, deny }],
  [`PATCH /channels/${channel}`, { permission_overwrites: [{ id: ids.otter, type: 1, allow, deny }] }],
];

const creation = (allow: string, deny: string, parent_id?: string) =>
  [
    `POST ${GUILD}/channels`,
    { name: 'x', parent_id, permission_overwrites: [{ id: ids.otter, type: 1, allow, deny }] },
  ] as const;

it('an overwrite of MANAGE_ROLES in a new channel requires ADMINISTRATOR', async () => {
  const { ask, refused, only } = await manager();
  const roles = bits('MANAGE_ROLES');
  for (const [allow, deny] of [
    [roles, '0'],
    ['0', roles],
  ] as const) {
    expect((await refused(...creation(allow, deny))).body.code).toBe(50013);
    for (const way of waysOf(ids.general, allow, deny)) {
      expect((await refused(...way)).body.code).toBe(50013);
    }
  }
  await only('ADMINISTRATOR');
  expect((await ask(...creation(roles, '0'))).status).toBe(201);
  for (const way of waysOf(ids.general, roles, '0')) expect((await ask(...way)).status).toBeLessThan(300);
});

it('an overwrite may allow and deny only permissions that the bot has in the guild', async () => {
  const { ask, refused } = await manager('SEND_MESSAGES');
  const [own, other] = [bits('SEND_MESSAGES'), bits('ATTACH_FILES')];
  for (const way of [creation(other, '0'), creation('0', other)]) {
    expect((await refused(...way)).body.code).toBe(50013);
  }
  for (const way of [...waysOf(ids.general, other, '0'), ...waysOf(ids.general, '0', other)]) {
    expect((await refused(...way)).body.code).toBe(50013);
  }
  expect((await ask(...creation(own, '0'))).status).toBe(201);
  for (const way of waysOf(ids.general, '0', own)) expect((await ask(...way)).status).toBeLessThan(300);
});

it('an overwrite may allow and deny permissions that the bot has in the category', async () => {
  const { ask, refused, allowIn } = await manager();
  const files = bits('ATTACH_FILES');
  await ask(`PATCH ${GENERAL}`, { parent_id: ids.category });
  expect((await refused(...creation(files, '0', ids.category))).body.code).toBe(50013);
  await allowIn(ids.category, 'SEND_MESSAGES', 'ATTACH_FILES');
  expect((await ask(...creation(files, '0', ids.category))).status).toBe(201);
  expect((await refused(...creation(files, '0'))).body.code).toBe(50013);
  for (const way of waysOf(ids.general, files, '0')) expect((await ask(...way)).status).toBeLessThan(300);
});

it('a bot with MANAGE_ROLES from an overwrite sets every permission in that channel', async () => {
  const { ask, refused, allowIn } = await manager();
  const some = bits('ATTACH_FILES', 'MANAGE_ROLES');
  await allowIn(ids.general, 'MANAGE_ROLES');
  for (const way of waysOf(ids.general, some, '0')) expect((await ask(...way)).status).toBeLessThan(300);
  expect((await refused(...creation(some, '0'))).body.code).toBe(50013);
});

it('an existing overwrite may be sent again after the bot lost its permissions', async () => {
  const { ask, only } = await manager('ATTACH_FILES');
  const files = bits('ATTACH_FILES');
  for (const way of waysOf(ids.general, files, '0')) expect((await ask(...way)).status).toBeLessThan(300);
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'MANAGE_ROLES');
  for (const way of waysOf(ids.general, files, '0')) expect((await ask(...way)).status).toBeLessThan(300);
});

/** The ways to take back the one overwrite of a channel. */
const lossesOf = (channel: string): readonly (readonly [what: string, json?: object])[] => [
  [`DELETE /channels/${channel}/permissions/${ids.otter}`],
  [`PATCH /channels/${channel}`, { permission_overwrites: [] }],
  [`PATCH /channels/${channel}`, { permission_overwrites: null }],
  [`PATCH /channels/${channel}`, { permission_overwrites: [{ id: ids.heron, type: 1 }] }],
  [
    `PATCH /channels/${channel}`,
    {
      permission_overwrites: [
        { id: ids.otter, type: 1, deny: bits('ATTACH_FILES') },
        { id: ids.otter, type: 1 },
      ],
    },
  ],
  // Its category has none.
  [`PATCH ${GUILD}/channels`, [{ id: channel, parent_id: ids.category, lock_permissions: true }]],
];

it('no request removes an overwrite of a permission that the bot lacks', async () => {
  const { ask, refused, only } = await manager('ATTACH_FILES');
  const there = [`PUT ${GENERAL}/permissions/${ids.otter}`, { type: 1, deny: bits('ATTACH_FILES') }] as const;
  await ask(...there);
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'MANAGE_ROLES');
  for (const way of lossesOf(ids.general)) {
    expect(await refused(...way)).toMatchObject({ status: 403, body: { code: 50013 } });
  }
  for (const way of lossesOf(ids.general)) {
    await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'MANAGE_ROLES', 'ATTACH_FILES');
    await ask(...there);
    expect((await ask(...way)).status).toBeLessThan(300);
  }
});

it('emptying the overwrites of a channel requires MANAGE_ROLES', async () => {
  const { ask, refused, only } = await manager('SEND_MESSAGES');
  await ask(`PUT ${GENERAL}/permissions/${ids.otter}`, { type: 1, deny: bits('SEND_MESSAGES') });
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'SEND_MESSAGES');
  for (const permission_overwrites of [[], null]) {
    expect((await refused(`PATCH ${GENERAL}`, { permission_overwrites })).body.code).toBe(50013);
  }
});

it('lock_permissions is refused when the bot may not set the overwrites of the category', async () => {
  const { ask, refused, only, emulator } = await manager();
  const overwritesOf = async (channel: string) =>
    (await ask(`GET /channels/${channel}`)).body.permission_overwrites;
  const sync = [`PATCH ${GUILD}/channels`, [{ id: ids.general, lock_permissions: true }]] as const;
  await ask(`PATCH ${GENERAL}`, { parent_id: ids.category });
  const before = await overwritesOf(ids.general);
  for (const name of ['MANAGE_ROLES', 'ATTACH_FILES'] as const) {
    for (const of of ['allow', 'deny']) {
      const user_overwrites = [{ user: ids.otter, allow: [], deny: [], [of]: [name] }];
      const channels = [{ id: ids.category, user_overwrites }];
      await emulator.apply({ guilds: [{ id: ids.riverBank, channels }] });
      expect(await refused(...sync)).toMatchObject({ status: 403, body: { code: 50013 } });
      expect(await overwritesOf(ids.general)).toEqual(before);
    }
  }
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'ATTACH_FILES');
  expect((await refused(...sync)).body.code).toBe(50013);
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS', 'MANAGE_ROLES', 'ATTACH_FILES');
  expect((await ask(...sync)).status).toBe(204);
  expect(await overwritesOf(ids.general)).toEqual(await overwritesOf(ids.category));
});

it('a new channel copies the overwrites of its category, even those that the bot may not set', async () => {
  const { ask, refused, only, emulator } = await manager();
  const user_overwrites = [{ user: ids.otter, allow: ['MANAGE_ROLES', 'ATTACH_FILES'] }];
  const channels = [{ id: ids.category, user_overwrites }];
  await emulator.apply({ guilds: [{ id: ids.riverBank, channels }] });
  await only('VIEW_CHANNEL', 'MANAGE_CHANNELS');
  const { status, body } = await ask(`POST ${GUILD}/channels`, { name: 'x', parent_id: ids.category });
  expect(status).toBe(201);
  const category = (await ask(`GET /channels/${ids.category}`)).body;
  expect(body.permission_overwrites).toEqual(category.permission_overwrites);
  // The same overwrites, named one by one, are set by those who may.
  const named = { name: 'x', permission_overwrites: category.permission_overwrites };
  expect((await refused(`POST ${GUILD}/channels`, named)).body.code).toBe(50013);
});
