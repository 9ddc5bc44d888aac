import { describe, expect, it } from 'vitest';
import { directMessageEvents } from '../../../../src/emulator/accounts/direct/webhook-events.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { inGuild } from '../../../helpers/guild-platform.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { APP } from '../../../helpers/platform.ts';
import { type Player, players } from '../../../helpers/players.ts';

const HOUR = 3_600_000;

async function two() {
  const platform = await players();
  const [river, otter] = [await platform.person(ids.river), await platform.person(ids.otter)];
  return { platform, emulator: platform.emulator, river, otter };
}

const with_ = (id: string) => `/users/${id}/messages`;

async function said(player: Player, other: string, query = ''): Promise<string[]> {
  const { status, body } = await player.ask(`GET ${with_(other)}${query}`);
  expect(status).toBe(200);
  return body.map((one: { content: string }) => one.content);
}

describe('messages between two players [K-12]', () => {
  it('are written, answered, changed and deleted, and both players read the same', async () => {
    const { river, otter, emulator } = await two();
    const first = await river.ask(`POST ${with_(ids.otter)}`, {
      json: { content: 'ready?', metadata: { round: '3' }, nonce: 'n1' },
    });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      content: 'ready?',
      author: { id: ids.river },
      metadata: { round: '3' },
      nonce: 'n1',
      application_id: ids.harbourExample,
    });
    const second = await otter.ask(`POST ${with_(ids.river)}`, { json: { content: 'aye' } });
    expect(second.body.channel_id).toBe(first.body.channel_id);
    expect(await said(river, ids.otter)).toEqual(['aye', 'ready?']);
    expect(await said(otter, ids.river)).toEqual(['aye', 'ready?']);
    const path = `${with_(ids.otter)}/${first.body.id}`;
    expect((await river.ask(`PATCH ${path}`, { json: { content: 'ready!' } })).body).toMatchObject({
      content: 'ready!',
      metadata: { round: '3' },
    });
    const own = `${with_(ids.river)}/${first.body.id}`;
    const foreign = [
      await otter.refused(`PATCH ${own}`, { json: { content: 'x' } }),
      await otter.refused(`DELETE ${own}`),
    ];
    expect(foreign.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 50005],
      [403, 50003],
    ]);
    expect((await river.ask(`DELETE ${path}`)).status).toBe(204);
    expect(await said(otter, ids.river)).toEqual(['aye']);
    expect(emulator.tables.private_channels.size).toBe(1);
  });

  it('can have files', async () => {
    const { river, otter } = await two();
    const body = new FormData();
    body.append('payload_json', JSON.stringify({ content: 'chart' }));
    body.append('files[0]', new Blob(['x']), 'chart.txt');
    const sent = await river.ask(`POST ${with_(ids.otter)}`, { body });
    expect(sent.body.attachments).toMatchObject([{ filename: 'chart.txt', size: 1 }]);
    const { body: list } = await otter.ask(`GET ${with_(ids.river)}`);
    expect(list[0].attachments).toHaveLength(1);
  });

  it('are listed for 72 hours, and 200 at most', async () => {
    const { river, emulator } = await two();
    await river.ask(`POST ${with_(ids.otter)}`, { json: { content: 'old' } });
    emulator.clock.advance(71 * HOUR);
    for (const content of ['b', 'c', 'd']) await river.ask(`POST ${with_(ids.otter)}`, { json: { content } });
    expect(await said(river, ids.otter)).toEqual(['d', 'c', 'b', 'old']);
    expect(await said(river, ids.otter, '?limit=2')).toEqual(['d', 'c']);
    emulator.clock.advance(2 * HOUR);
    expect(await said(river, ids.otter)).toEqual(['d', 'c', 'b']);
    for (const limit of ['0', '201', 'x']) {
      expect((await river.refused(`GET ${with_(ids.otter)}?limit=${limit}`)).body.code).toBe(50035);
    }
  });

  it('include those of the platform, whichever player wrote them there', async () => {
    const { river, emulator } = await two();
    emulator.messages.sendTo(ids.river, 'from the sofa', ids.otter);
    expect(await said(river, ids.otter)).toEqual(['from the sofa']);
  });

  it.each([
    ['to nobody', 'POST', '5', { content: 'x' }, 404, 10013],
    ['to no id', 'POST', 'x', { content: 'x' }, 400, 50035],
    ['to themselves', 'POST', ids.river, { content: 'x' }, 403, 50007],
    ['without words', 'POST', ids.otter, {}, 400, 50006],
    ['of 2,001 characters', 'POST', ids.otter, { content: 'x'.repeat(2001) }, 400, 50035],
    ['of a number', 'POST', ids.otter, { content: 5 }, 400, 50035],
    ['with 26 names', 'POST', ids.otter, { content: 'x', metadata: names(26) }, 400, 50035],
    [
      'with a long name',
      'POST',
      ids.otter,
      { content: 'x', metadata: { ['x'.repeat(1025)]: '' } },
      400,
      50035,
    ],
    ['with a number beside', 'POST', ids.otter, { content: 'x', metadata: { a: 1 } }, 400, 50035],
    ['with embeds', 'POST', ids.otter, { content: 'x', embeds: [{}] }, 501, 0],
    ['that is none', 'PATCH', `${ids.otter}/9`, { content: 'x' }, 404, 10003],
  ])('are refused %s', async (_, method, user, json, status, code) => {
    const { river } = await two();
    const [id, message] = user.split('/');
    const path = `${with_(id ?? '')}${message === undefined ? '' : `/${message}`}`;
    const answer = await river.refused(`${method} ${path}`, { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('are an empty list at first, and cannot be read with a user who plays something else', async () => {
    const { river, emulator } = await two();
    expect(await said(river, ids.otter)).toEqual([]);
    emulator.messages.sendTo(ids.heron, 'hello', ids.river);
    expect((await river.refused(`GET ${with_(ids.heron)}`)).body.code).toBe(10003);
    expect((await river.refused(`GET ${with_('5')}`)).body.code).toBe(10013);
  });

  it('can be changed and deleted by their author, also with a friend who plays nothing', async () => {
    const { river, emulator } = await two();
    await emulator.apply({ relationships: [{ of: 'river', user: 'heron' }] });
    const { body } = await river.ask(`POST ${with_(ids.heron)}`, { json: { content: 'ahoy' } });
    const path = `${with_(ids.heron)}/${body.id}`;
    expect((await river.ask(`PATCH ${path}`, { json: { content: 'ahoy!' } })).body.content).toBe('ahoy!');
    expect((await river.ask(`DELETE ${path}`)).status).toBe(204);
  });

  it.each([
    [`GET ${with_(ids.otter)}`, 'dm_channels.messages.write'],
    [`POST ${with_(ids.otter)}`, 'dm_channels.messages.read'],
    [`PATCH ${with_(ids.otter)}/9`, 'dm_channels.messages.read'],
    [`DELETE ${with_(ids.otter)}/9`, 'dm_channels.messages.read'],
  ])('need the scope: %s fails with %s alone, and as a bot', async (what, scope) => {
    const platform = await players();
    const river = await platform.person(ids.river, ['identify', scope]);
    const request = what.startsWith('P') ? { json: { content: 'x' } } : {};
    const { status, body } = await river.refused(what, request);
    expect([status, body.code]).toEqual([403, 50026]);
    const bot = await platform.call(what, { ...request, headers: platform.bot() });
    expect([bot.status, bot.body.code]).toEqual([403, 20001]);
  });
});

function names(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
}

describe('a direct message', () => {
  const json = { content: 'hello' };

  it('is allowed between players, friends, and users who share a guild and have written before', async () => {
    const { river, emulator } = await two();
    // Heron plays nothing.
    expect((await river.refused(`POST ${with_(ids.heron)}`, { json })).body.code).toBe(50007);
    await emulator.apply({ relationships: [{ of: 'heron', user: 'river' }] });
    expect((await river.ask(`POST ${with_(ids.heron)}`, { json })).status).toBe(200);
    await emulator.apply({ relationships: [{ of: 'heron', user: 'river', remove: true }] });
    // Everybody is in the built-in guilds.
    expect((await river.ask(`POST ${with_(ids.heron)}`, { json })).status).toBe(200);
    await emulator.apply({ guilds: [ids.riverBank, ids.harbour].map((id) => ({ id, remove: true })) });
    expect((await river.refused(`POST ${with_(ids.heron)}`, { json })).body.code).toBe(50007);
  });

  it.each(['by the writer', 'by the other'])('is refused when a user is blocked %s', async (by) => {
    const { river, otter } = await two();
    const [blocker, blocked] = by === 'by the writer' ? [river, otter] : [otter, river];
    await blocker.ask(`PUT /users/@me/relationships/${blocked.id}`, { json: { type: 2 } });
    expect((await river.refused(`POST ${with_(ids.otter)}`, { json })).body.code).toBe(50007);
  });

  it('is refused when the recipient is a bot', async () => {
    const { river, platform } = await two();
    await inGuild(platform, []);
    expect((await river.refused(`POST ${with_(APP)}`, { json })).body.code).toBe(50007);
  });

  it('can be written and received by a provisional account, and moves with it in a merge', async () => {
    const { platform, river, emulator } = await two();
    const gull = await platform.provisional('gull');
    expect((await gull.ask(`POST ${with_(ids.river)}`, { json: { content: 'caw' } })).status).toBe(200);
    expect((await river.ask(`POST ${with_(gull.id)}`, { json: { content: 'hush' } })).status).toBe(200);
    expect(await said(gull, ids.river)).toEqual(['hush', 'caw']);
    expect((await gull.refused(`POST ${with_(ids.heron)}`, { json })).body.code).toBe(50007);
    const external = { provider: 'DISCORD_BOT', externalUserId: 'gull', name: null };
    emulator.external.link(ids.harbourExample, external, ids.otter);
    emulator.clock.advance(2000);
    expect(await said(river, ids.otter)).toEqual(['hush', 'caw']);
  });
});

it('before approval is limited to a hundred per game in two hours, for all users together [L-13]', async () => {
  const { platform, river, otter, emulator } = await two();
  await emulator.apply({ communication_limits: 'pre-approval' });
  const write = (at: number) => {
    const [one, other] = at % 2 === 0 ? [river, otter] : [otter, river];
    return one.ask(`POST ${with_(other.id)}`, { json: { content: 'x' } });
  };
  for (let at = 0; at < 100; at += 1) expect((await write(at)).status).toBe(200);
  const before = emulator.exportState();
  const { status, body, headers } = await write(100);
  expect([status, body.global, headers.get('x-ratelimit-scope')]).toEqual([429, false, 'shared']);
  expect(emulator.exportState()).toBe(before);
  // What reads, changes and deletes is not counted; another game is another count.
  expect((await river.ask(`GET ${with_(ids.otter)}`)).status).toBe(200);
  const [elsewhere] = [await platform.person(ids.river, undefined, ids.lighthouse)];
  await platform.person(ids.otter, undefined, ids.lighthouse);
  expect((await elsewhere.ask(`POST ${with_(ids.otter)}`, { json: { content: 'x' } })).status).toBe(200);
  emulator.clock.advance(2 * HOUR);
  expect((await write(0)).status).toBe(200);
});

describe('moderation metadata of a direct message [P-18, O-20]', () => {
  const path = (one: string, other: string, message: string) =>
    `PUT /partner-sdk/dms/${one}/${other}/messages/${message}/moderation-metadata`;

  it('is returned to both users, set in either order of their ids, until the content changes', async () => {
    const { platform, river, otter, emulator } = await two();
    const { body } = await river.ask(`POST ${with_(ids.otter)}`, { json: { content: 'x' } });
    const told: string[] = [];
    await emulator.apply({ event_webhooks: [{ application: APP, url: 'http://127.0.0.1:9/' }] });
    const ofAll = directMessageEvents(() => true);
    emulator.subscribe(ofAll, ({ type }) => void told.push(type), justListening);
    const headers = platform.bot();
    const set = (json: object, one: string = ids.river, other: string = ids.otter) =>
      platform.call(path(one, other, body.id), { headers, json });
    expect((await set({ verdict: 'fine' })).status).toBe(204);
    expect((await set({ verdict: 'rude' }, ids.otter, ids.river)).status).toBe(204);
    const read = async () => (await otter.ask(`GET ${with_(ids.river)}`)).body[0].moderation_metadata;
    expect(await read()).toEqual({ verdict: 'rude' });
    const form = { verdict: '1' };
    expect((await platform.call(path(ids.river, ids.otter, body.id), { headers, form })).status).toBe(204);
    expect(await read()).toEqual({ verdict: '1' });
    // What moderation says is told to no game, and that the words change is.
    expect(told).toEqual([]);
    await river.ask(`PATCH ${with_(ids.otter)}/${body.id}`, { json: { content: 'y' } });
    expect(await read()).toBeUndefined();
    expect(told).toEqual(['GAME_DIRECT_MESSAGE_UPDATE']);
  });

  it('is refused for another game, for other users, and beyond its limits', async () => {
    const { platform, river, emulator } = await two();
    const { body } = await river.ask(`POST ${with_(ids.otter)}`, { json: { content: 'x' } });
    const free = emulator.messages.sendTo(ids.river, 'x', ids.otter);
    // The first call of a bot writes its user down.
    for (const app of [APP, ids.lighthouse])
      await platform.call('GET /users/@me', { headers: platform.bot(app) });
    const before = emulator.exportState();
    const code = async (what: string, json: unknown, headers = platform.bot()) => {
      const { status, body: told } = await platform.call(what, { headers, json });
      return [status, told.code];
    };
    const good = path(ids.river, ids.otter, body.id);
    expect(await code(good, {}, platform.bot(ids.lighthouse))).toEqual([404, 10008]);
    expect(await code(path(ids.river, ids.heron, body.id), {})).toEqual([404, 10008]);
    expect(await code(path(ids.river, ids.otter, free.id), {})).toEqual([404, 10008]);
    expect(await code(path(ids.river, ids.otter, '9'), {})).toEqual([404, 10008]);
    expect(await code(good, names(6))).toEqual([400, 50035]);
    expect(await code(good, { a: 'x'.repeat(2001) })).toEqual([400, 50035]);
    expect(await code(good, { a: 1 })).toEqual([400, 50035]);
    expect(await code(good, [])).toEqual([400, 50035]);
    const person = await river.ask(good, { json: {} });
    expect([person.status, person.body.code]).toEqual([403, 20002]);
    expect(emulator.exportState()).toBe(before);
  });
});
