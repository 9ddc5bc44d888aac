import { describe, expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { LOBBY, lobbyPlatform } from '../../helpers/lobby-platform.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';

const WINDOW_MS = 2 * 3_600_000;

describe('the communication limits of an application before approval', () => {
  it.each<
    [kind: string, most: number, ways: readonly [what: string, by?: string | undefined, json?: unknown][]]
  >([
    [
      'making and joining',
      100,
      [
        ['POST /lobbies', undefined, {}],
        ['PUT /lobbies', 'river', { secret: 'under the pier' }],
      ],
    ],
    [
      'changing',
      100,
      [
        ['PATCH ', undefined, {}],
        [`PUT /members/${ids.heron}`, undefined, {}],
        [`DELETE /members/${ids.otter}`],
        ['POST /members/bulk', undefined, [{ id: ids.heron }]],
        ['POST /members/@me/invites', 'river'],
        [`POST /members/${ids.heron}/invites`],
      ],
    ],
    ['linking', 20, [['PATCH /channel-linking', 'river', {}]]],
    ['messages', 100, [['POST /messages', 'river', { content: 'x' }]]],
  ])('count %s for all of its users: %i in two hours [L-13]', async (_, most, ways) => {
    const clock = new ManualClock();
    const { call, as, bot, emulator } = await lobbyPlatform({ clock });
    await emulator.apply({
      communication_limits: 'pre-approval',
      lobbies: [{ id: LOBBY, linked_channel: ids.general }],
    });
    const headers = { river: await as('river'), heron: await as('heron'), bot: bot() };
    const ask = (at: number) => {
      const [what, by, json] = ways[at % ways.length] ?? ['GET '];
      const [method, path = ''] = what.split(' ');
      // Half of them come from somebody else.
      const who = by === undefined ? 'bot' : at % 2 === 0 || most === 20 ? 'river' : 'heron';
      const place = path === '/lobbies' ? path : `/lobbies/${LOBBY}${path}`;
      return call(`${method} ${place}`, {
        headers: headers[who],
        ...(json === undefined ? {} : { json }),
      });
    };
    const first = await ask(0);
    expect(first.status).toBeLessThan(400);
    expect(first.headers.get('x-ratelimit-limit')).toBe(String(most));
    expect(first.headers.get('x-ratelimit-remaining')).toBe(String(most - 1));
    expect(first.headers.get('x-ratelimit-reset-after')).toBe('7200.000');
    for (let at = 1; at < most; at += 9) {
      const some = Array.from({ length: Math.min(9, most - at) }, (_none, next) => ask(at + next));
      expect((await Promise.all(some)).filter(({ status }) => status >= 400)).toEqual([]);
    }
    clock.advance(1000);
    const state = emulator.exportState();
    for (let at = 0; at < ways.length; at += 1) {
      const no = await ask(at);
      expect(no.status).toBe(429);
      expect(no.body).toEqual({
        message: 'You are being rate limited.',
        code: 0,
        retry_after: 7199,
        global: false,
      });
      expect(no.headers.get('x-ratelimit-scope')).toBe('shared');
      expect(no.headers.get('retry-after')).toBe('7199');
    }
    expect(emulator.exportState()).toBe(state);
    clock.advance(WINDOW_MS - 1000);
    expect((await ask(0)).status).toBeLessThan(400);
  });

  it('count messages between users in games, too [L-13]', async () => {
    const { call, bearer, emulator } = await lobbyPlatform();
    await emulator.apply({ communication_limits: 'pre-approval' });
    const headers = await bearer(['dm_channels.messages.write']);
    for (const left of ['99', '98']) {
      const what = `POST /users/${ids.heron}/messages`;
      const answer = await call(what, { headers, json: { content: 'x' } });
      expect(answer.headers.get('x-ratelimit-limit')).toBe('100');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(left);
    }
  });

  it('count each application and each kind separately, and only when the state sets the limits [L-13]', async () => {
    const { ask, as, call, emulator } = await lobbyPlatform();
    const link = () => ask('PATCH /channel-linking', { by: 'river', json: {} });
    for (let at = 0; at < 21; at += 1) expect((await link()).status).toBe(200);
    await emulator.apply({ communication_limits: 'pre-approval' });
    for (let at = 0; at < 20; at += 1) await link();
    expect((await link()).status).toBe(429);
    expect((await ask('PATCH ', { json: {} })).status).toBe(200);
    // What only looks, or ends something, is not counted.
    expect((await ask('GET ')).headers.get('x-ratelimit-limit')).toBe('50');
    expect((await ask('DELETE ')).headers.get('x-ratelimit-limit')).toBe('50');
    const own = { id: '9', application: ids.lighthouse, members: [{ user: 'river', flags: 1 }] };
    await emulator.apply({ lobbies: [own] });
    const other = await call('PATCH /lobbies/9/channel-linking', {
      headers: await as('river', ids.lighthouse),
      json: {},
    });
    expect(other.status).toBe(200);
  });
});
