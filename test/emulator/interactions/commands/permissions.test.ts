import { expect, it } from 'vitest';
import { botTokenOf } from '../../../../src/emulator/applications/bot.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient } from '../../../helpers/gateway-client.ts';
import { told } from '../../../helpers/gateway-told.ts';
import { guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';
import { APP } from '../../../helpers/platform.ts';

const GUILD = `/applications/${APP}/guilds/${ids.riverBank}/commands`;
const ONE = `${GUILD}/990/permissions`;
const COMMAND = { id: '990', application: APP, name: 'ferry', description: 'x' };
const entry = (type: number, id: string, permission = true) => ({ id, type, permission });

async function permitting() {
  const platform = await guildPlatform(['MANAGE_GUILD']);
  const { emulator, call, bearer } = platform;
  await emulator.apply({ commands: [COMMAND], guilds: [{ id: ids.riverBank, owner: 'river' }] });
  const headers = await bearer(['applications.commands.permissions.update']);
  const put = (permissions: unknown, path = ONE) => call(`PUT ${path}`, { headers, json: { permissions } });
  return {
    ...platform,
    headers,
    put,
    get: (path: string) => call(`GET ${path}`, { headers: platform.bot() }),
  };
}

it('command permissions are replaced as a whole, and removed by an empty list [W-3]', async () => {
  const { put, get } = await permitting();
  expect((await get(ONE)).body).toMatchObject({ code: 10066 });
  const everyChannel = String(BigInt(ids.riverBank) - 1n);
  const permissions = [
    entry(1, ROLES.crew),
    entry(1, ids.riverBank, false),
    entry(2, ids.otter),
    entry(3, ids.general, false),
    entry(3, everyChannel),
  ];
  const row = { id: '990', application_id: APP, guild_id: ids.riverBank, permissions };
  expect(await put(permissions)).toMatchObject({ status: 200, body: row });
  expect((await get(ONE)).body).toEqual(row);
  const ofAll = `${GUILD}/${APP}/permissions`;
  expect((await put([entry(2, ids.otter, false)], ofAll)).body).toMatchObject({ id: APP });
  expect((await get(`${GUILD}/permissions`)).body.map(({ id }: { id: string }) => id).sort()).toEqual(
    [APP, '990'].sort(),
  );
  expect((await put([])).body).toMatchObject({ permissions: [] });
  expect((await get(ONE)).status).toBe(404);
});

it('command permissions refuse unknown targets, users who may not manage them, and the bot itself [W-3]', async () => {
  const { put, call, bot, emulator, headers } = await permitting();
  const before = emulator.exportState();
  for (const [id, type] of [
    ['9', 1],
    ['9', 2],
    [ids.riverBank, 3],
    ['9', 3],
    [ROLES.crew, 2],
  ] as const) {
    const { body } = await put([entry(2, ids.otter), entry(type, id)]);
    expect(body.errors?.permissions?.[1]?.id?._errors[0].code, `${type} ${id}`).toBe('BASE_TYPE_INVALID');
  }
  const twice = await put([entry(2, ids.otter), entry(2, ids.otter, false)]);
  expect(twice.body.errors.permissions[1].id._errors[0].code).toBe('SET_TYPE_ALREADY_CONTAINS_VALUE');
  const most = Array.from({ length: 101 }, () => entry(2, ids.otter));
  expect((await put(most)).body.errors.permissions._errors[0].code).toBe('BASE_TYPE_BAD_LENGTH');
  const asBot = await call(`PUT ${ONE}`, { headers: bot(), json: { permissions: [] } });
  expect([asBot.status, asBot.body.code]).toEqual([403, 20001]);
  expect(emulator.exportState() === before).toBe(true);
  await emulator.apply({
    guilds: [
      {
        id: ids.riverBank,
        owner: 'heron',
        roles: [{ id: '905', name: 'keeper', position: 1, permissions: ['MANAGE_GUILD', 'MANAGE_ROLES'] }],
        members: [{ user: 'river', roles: ['905'], joined_at: '2026-01-01T00:00:00Z' }],
      },
    ],
  });
  expect((await put([entry(1, ROLES.captain)])).body).toMatchObject({ code: 50013 });
  expect((await put([entry(2, ids.otter)])).status).toBe(200);
  // A command that they may not use themselves is not theirs to give.
  await emulator.apply({
    commands: [{ id: '990', default_member_permissions: '0' }],
    command_permissions: [],
  });
  expect((await put([entry(2, ids.otter)])).body).toMatchObject({ code: 50013 });
  await emulator.apply({ guilds: [{ id: ids.riverBank, roles: [{ id: '905', permissions: [] }] }] });
  const refused = await call(`PUT ${ONE}`, { headers, json: { permissions: [] } });
  expect(refused.body).toMatchObject({ code: 50013 });
});

it('command permissions are sent only to sessions of the application that owns the command [W-2, W-3]', async () => {
  const { url, emulator, put } = await permitting();
  const other = '915000000000000001';
  await emulator.apply({
    applications: [{ id: other, name: 'Other' }],
    users: [{ id: other, username: 'other', bot: true, discriminator: '0000' }],
    guilds: [{ id: ids.riverBank, members: [{ user: other, joined_at: '2026-01-01T00:00:00Z' }] }],
  });
  const tokenOf = (id: string) => botTokenOf({ id, bot_token: null });
  const [own, foreign] = [new GatewayClient(url), new GatewayClient(url)];
  await own.identify(tokenOf(APP));
  await foreign.identify(tokenOf(other));
  await own.rest();
  await foreign.rest();
  const permissions = [entry(2, ids.otter)];
  await put(permissions);
  const row = { id: '990', application_id: APP, guild_id: ids.riverBank, permissions };
  const of = async (client: GatewayClient) =>
    (await told(client)).filter(({ t }) => t === 'APPLICATION_COMMAND_PERMISSIONS_UPDATE').map(({ d }) => d);
  expect(await of(own)).toEqual([row]);
  await put([]);
  expect(await of(own)).toEqual([{ ...row, permissions: [] }]);
  await put(permissions);
  await emulator.apply({ users: [{ id: ids.otter, remove: true }] });
  expect((await of(own)).map((data) => data.permissions.length)).toEqual([1, 0]);
  await put([entry(2, ids.heron)]);
  await emulator.apply({ commands: [{ id: '990', remove: true }] });
  expect(await of(own)).toHaveLength(1);
  expect(await of(foreign)).toEqual([]);
});
