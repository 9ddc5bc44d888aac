import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { type Player, players } from '../../../helpers/players.ts';
import { rpcFeed } from '../../../helpers/rpc-feed.ts';

const PEOPLE = '/users/@me/relationships';
const GAME = '/users/@me/game-relationships';

/** Who is what to a player, by id. */
async function listed(player: Player, path = PEOPLE): Promise<Record<string, number>> {
  const { status, body } = await player.ask(`GET ${path}`);
  expect(status).toBe(200);
  return Object.fromEntries(body.map((one: { id: string; type: number }) => [one.id, one.type]));
}

async function two() {
  const platform = await players();
  const [river, otter] = [await platform.person(ids.river), await platform.person(ids.otter)];
  return { platform, river, otter };
}

describe.each([
  ['on the platform', PEOPLE],
  ['in a game', GAME],
])('a friendship %s', (_, path) => {
  it('starts with a request and an acceptance, and is listed for both users', async () => {
    const { river, otter, platform } = await two();
    const asked = platform.emulator.clock.now();
    expect((await river.ask(`POST ${path}`, { json: { username: 'otter' } })).status).toBe(204);
    expect(await listed(river, path)).toEqual({ [ids.otter]: 4 });
    expect(await listed(otter, path)).toEqual({ [ids.river]: 3 });
    platform.emulator.clock.advance(60_000);
    expect((await otter.ask(`PUT ${path}/${ids.river}`, { json: { type: 1 } })).status).toBe(204);
    expect(await listed(river, path)).toEqual({ [ids.otter]: 1 });
    expect(await listed(otter, path)).toEqual({ [ids.river]: 1 });
    const { body } = await river.ask(`GET ${path}`);
    expect(body).toMatchObject([{ id: ids.otter, user: { id: ids.otter, username: 'otter' } }]);
    expect(Date.parse(body[0].since)).toBeLessThan(asked + 60_000);
  });

  it('is not changed by a repeated request, and is accepted by mutual requests', async () => {
    const { river, otter } = await two();
    await river.ask(`PUT ${path}/${ids.otter}`, { json: {} });
    await river.ask(`PUT ${path}/${ids.otter}`, { json: { type: -1 } });
    expect(await listed(river, path)).toEqual({ [ids.otter]: 4 });
    await otter.ask(`PUT ${path}/${ids.river}`, { json: {} });
    expect(await listed(river, path)).toEqual({ [ids.otter]: 1 });
    await river.ask(`PUT ${path}/${ids.otter}`, { json: {} });
    expect(await listed(otter, path)).toEqual({ [ids.river]: 1 });
  });

  it.each(['river', 'otter'] as const)('is removed by %s, requested or accepted', async (who) => {
    const { river, otter } = await two();
    const other = who === 'river' ? ids.otter : ids.river;
    for (const accepts of [false, true]) {
      await river.ask(`PUT ${path}/${ids.otter}`, { json: {} });
      if (accepts) await otter.ask(`PUT ${path}/${ids.river}`, { json: {} });
      const one = who === 'river' ? river : otter;
      expect((await one.ask(`DELETE ${path}/${other}`)).status).toBe(204);
      expect(await listed(river, path)).toEqual({});
      expect(await listed(otter, path)).toEqual({});
    }
  });

  it.each<[string, string, unknown, number, number]>([
    ['of themselves', `PUT ${path}/${ids.river}`, {}, 400, 80003],
    ['of nobody', `PUT ${path}/5`, {}, 404, 10013],
    ['of no id', `PUT ${path}/x`, {}, 400, 50035],
    ['of a name that nobody has', `POST ${path}`, { username: 'nobody' }, 400, 80004],
    ['of no name', `POST ${path}`, {}, 400, 50035],
    ['of a long name', `POST ${path}`, { username: 'x'.repeat(33) }, 400, 50035],
    ['by a number', `POST ${path}`, { username: 5 }, 400, 50035],
    ['of another kind', `PUT ${path}/${ids.otter}`, { type: 4 }, 400, 50035],
    ['that was not asked for', `PUT ${path}/${ids.otter}`, { type: 1 }, 400, 80005],
    ['of a bot', `PUT ${path}/${ids.harbourExample}`, {}, 400, 80002],
    ['that ends with nobody', `DELETE ${path}/5`, undefined, 404, 10013],
  ])('is refused %s', async (_name, what, json, status, code) => {
    const { river, platform } = await two();
    await platform.emulator.apply({ users: [{ id: ids.harbourExample, username: 'tug', bot: true }] });
    const answer = await river.refused(what, json === undefined ? {} : { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    [`GET ${path}`, 'relationships.write'],
    [`POST ${path}`, 'relationships.read'],
    [`PUT ${path}/${ids.otter}`, 'relationships.read'],
    [`DELETE ${path}/${ids.otter}`, 'relationships.read'],
  ])('needs the scope: %s is refused with %s alone, and for a bot', async (what, scope) => {
    const platform = await players();
    const river = await platform.person(ids.river, ['identify', scope]);
    const { status, body } = await river.refused(what, what.startsWith('GET') ? {} : { json: {} });
    expect([status, body.code]).toEqual([403, 50026]);
    const bot = await platform.call(what, { headers: platform.bot() });
    expect([bot.status, bot.body.code]).toEqual([403, 20001]);
  });
});

describe('a friendship in one game', () => {
  it('is refused with a user who does not play the game', async () => {
    const { river } = await two();
    const { body } = await river.refused(`PUT ${GAME}/${ids.heron}`, { json: {} });
    expect(body.code).toBe(80000);
  });

  it('does not exist in another game or on the platform', async () => {
    const { platform, river, otter } = await two();
    await river.ask(`PUT ${GAME}/${ids.otter}`, { json: {} });
    await otter.ask(`PUT ${GAME}/${ids.river}`, { json: {} });
    const elsewhere = await platform.person(ids.river, undefined, ids.lighthouse);
    expect(await listed(elsewhere, GAME)).toEqual({});
    expect(await listed(river)).toEqual({});
    expect((await river.ask(`GET ${GAME}`)).body).toMatchObject([
      { application_id: ids.harbourExample, user_id: ids.river, dm_access_type: 0 },
    ]);
  });

  it('may be with a provisional account, and is moved by a merge', async () => {
    const { platform, river } = await two();
    const gull = await platform.provisional('gull');
    await river.ask(`PUT ${GAME}/${gull.id}`, { json: {} });
    expect((await gull.ask(`PUT ${GAME}/${ids.river}`, { json: { type: 1 } })).status).toBe(204);
    expect(await listed(gull, GAME)).toEqual({ [ids.river]: 1 });
    const { emulator } = platform;
    const external = { provider: 'DISCORD_BOT', externalUserId: 'gull', name: null };
    emulator.external.link(ids.harbourExample, external, ids.heron);
    emulator.clock.advance(2000);
    expect(await listed(river, GAME)).toEqual({ [ids.heron]: 1 });
    const heron = await platform.person(ids.heron);
    expect(await listed(heron, GAME)).toEqual({ [ids.river]: 1 });
    await emulator.oauth2.revokeAll(ids.heron, ids.harbourExample);
    const again = await platform.provisional('gull');
    expect(again.id).not.toBe(gull.id);
    expect(await listed(again, GAME)).toEqual({ [ids.river]: 1 });
  });
});

describe('a provisional account', () => {
  it.each(['asks', 'is asked'])('cannot have friends on the whole platform: %s', async (who) => {
    const { platform, river } = await two();
    const gull = await platform.provisional('gull');
    const [one, other] = who === 'asks' ? [gull, river] : [river, gull];
    const { status, body } = await one.refused(`PUT ${PEOPLE}/${other.id}`, { json: {} });
    expect([status, body.code]).toEqual([400, 50229]);
  });

  it('can block and be blocked', async () => {
    const { platform, river } = await two();
    const gull = await platform.provisional('gull');
    await gull.ask(`PUT ${PEOPLE}/${ids.river}`, { json: { type: 2 } });
    await river.ask(`PUT ${PEOPLE}/${gull.id}`, { json: { type: 2 } });
    expect(await listed(gull)).toEqual({ [ids.river]: 2 });
    expect(await listed(river)).toEqual({ [gull.id]: 2 });
  });
});

describe('a blocked user', () => {
  it('is removed from all friendships, and cannot see who blocks them', async () => {
    const { river, otter } = await two();
    for (const path of [PEOPLE, GAME]) {
      await river.ask(`PUT ${path}/${ids.otter}`, { json: {} });
      await otter.ask(`PUT ${path}/${ids.river}`, { json: {} });
    }
    expect((await river.ask(`PUT ${PEOPLE}/${ids.otter}`, { json: { type: 2 } })).status).toBe(204);
    expect(await listed(river)).toEqual({ [ids.otter]: 2 });
    expect([await listed(otter), await listed(otter, GAME), await listed(river, GAME)]).toEqual([{}, {}, {}]);
    for (const path of [PEOPLE, GAME]) {
      expect((await otter.refused(`PUT ${path}/${ids.river}`, { json: {} })).body.code).toBe(80001);
    }
    // What they say of themselves does not lift it.
    await otter.ask(`DELETE ${PEOPLE}/${ids.river}`);
    expect(await listed(river)).toEqual({ [ids.otter]: 2 });
    await river.ask(`DELETE ${PEOPLE}/${ids.otter}`);
    expect(await listed(river)).toEqual({});
    expect((await otter.ask(`PUT ${PEOPLE}/${ids.river}`, { json: {} })).status).toBe(204);
  });

  it('cannot be the requester', async () => {
    const { river } = await two();
    expect((await river.refused(`PUT ${PEOPLE}/${ids.river}`, { json: { type: 2 } })).body.code).toBe(80003);
  });
});

it('relationship changes of a game over HTTP are sent to the logged-in user over RPC [K-15]', async () => {
  const { platform, river, otter } = await two();
  const { sent } = rpcFeed(platform.emulator);
  await otter.ask(`PUT ${PEOPLE}/${ids.river}`, { json: {} });
  await river.ask(`PUT ${PEOPLE}/${ids.otter}`, { json: {} });
  await otter.ask(`DELETE ${PEOPLE}/${ids.river}`);
  expect(sent()).toMatchObject([
    { data: { user: { id: ids.otter }, type: 3 } },
    { data: { user: { id: ids.otter }, type: 1 } },
    { data: { user: { id: ids.otter }, type: 0 } },
  ]);
  expect(platform.emulator.accounts.relationship(ids.otter)).toBeUndefined();
});

it('implicit relationships are listed only on request', async () => {
  const { platform, river } = await two();
  await platform.emulator.apply({ relationships: [{ user: 'heron', type: 'implicit' }] });
  expect(await listed(river)).toEqual({});
  expect(await listed(river, `${PEOPLE}?with_implicit=true`)).toEqual({ [ids.heron]: 5 });
});
