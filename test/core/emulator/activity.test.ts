import { describe, expect, it } from 'vitest';
import { type AppPeer, settled } from '../../helpers/app-peer.ts';
import { attachBridge } from '../../helpers/attach-bridge.ts';
import { type EmulatorBridge, emulatorBridge, eventsOf } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

const set = (app: AppPeer, activity: object | null) => app.call('SET_ACTIVITY', { pid: 1, activity });
const party = { party: { id: 'the-party', size: [1, 4] }, secrets: { join: 'let-me-in' } };

async function shown({ run }: EmulatorBridge): Promise<unknown[]> {
  const { activities } = (await run('emulator.show')) as { activities: { activity: unknown }[] };
  return activities.map(({ activity }) => activity);
}

describe('SET_ACTIVITY', () => {
  it('is answered at once at any rate, and only the visible presence is delayed', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app();
    for (let n = 1; n <= 30; n++) {
      expect((await set(app, { state: `state ${n}` })).data.state).toBe(`state ${n}`);
    }
    expect(await shown(bridge)).toMatchObject([{ state: 'state 5' }]);
    bridge.clock.advance(20_000);
    expect(await shown(bridge)).toMatchObject([{ state: 'state 30' }]);
  });

  it('stores one activity for each connection, and removes the activity of a closed connection', async () => {
    const bridge = await emulatorBridge();
    const [first, second] = [await bridge.app(), await bridge.app({ clientId: '42' })];
    await set(first, { state: 'one' });
    await set(second, { state: 'two' });
    await set(first, { state: 'uno' });
    expect(await shown(bridge)).toMatchObject([
      { state: 'uno', name: 'Harbour Example' },
      { state: 'two', name: 'Application 42' },
    ]);
    first.end();
    await settled();
    expect(await shown(bridge)).toMatchObject([{ state: 'two' }]);
    await set(second, null);
    expect(await shown(bridge)).toEqual([null]);
  });

  it('drops unknown keys in any number and stores the other keys', async () => {
    const { app, emulator } = await emulatorBridge();
    const one = await app();
    const known = {
      ...{ name: 'n'.repeat(128), state: 's'.repeat(128), details: '\u0001'.repeat(128) },
      assets: { large_image: 'i'.repeat(313), large_text: 'ß'.repeat(128), small_image: 'j'.repeat(313) },
      party: { id: 'p1', size: [1, 2] },
    };
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, 'x'.repeat(30)]));
    const activity = {
      ...{ ...known, ...many },
      assets: { ...known.assets, ...many },
      party: { ...known.party, ...many },
    };
    const { evt, data } = await one.call('SET_ACTIVITY', { pid: 1, activity });
    expect(evt).toBeNull();
    expect(data).toMatchObject(known);
    for (const text of [data, emulator.presences.visible()].map((shown) => JSON.stringify(shown))) {
      expect(text).not.toContain('"k1"');
    }
  });
  it('returns the activity as rendered, and the state hides its secrets (§9 cases 14 and 21)', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app();
    const { data } = await set(app, {
      ...party,
      party: { ...party.party, privacy: 1 },
      timestamps: { start: 1_800_000_000, end: 1_800_000_001_234 },
      instance: true,
    });
    expect(data).toEqual({
      application_id: ids.harbourExample,
      name: 'Harbour Example',
      type: 0,
      platform: 'desktop',
      metadata: {},
      party: party.party,
      secrets: party.secrets,
      timestamps: { start: 1_800_000_000_000, end: 1_800_000_001_234 },
      flags: 3,
    });
    expect(JSON.stringify(await bridge.run('emulator.show'))).not.toContain('let-me-in');
    const buttons = [{ label: 'Go', url: 'https://example.test/' }];
    expect((await set(app, { name: 'Mine', type: 5, buttons })).data).toMatchObject({
      name: 'Mine',
      type: 5,
      buttons: ['Go'],
      metadata: { button_urls: ['https://example.test/'] },
    });
  });
});

const buttonTo = (url: unknown) => ({ buttons: [{ label: 'Go', url }] });
const links: readonly [field: string, activityWith: (link: unknown) => object, max: number][] = [
  ['state_url', (state_url) => ({ state_url }), 256],
  ['details_url', (details_url) => ({ details_url }), 256],
  ['assets.large_url', (large_url) => ({ assets: { large_url } }), 256],
  ['assets.small_url', (small_url) => ({ assets: { small_url } }), 256],
  ['buttons[0].url', buttonTo, 512],
];

describe.each([
  ['the emulator', async () => (await emulatorBridge()).app()],
  ['a client that attaches', async () => (await attachBridge()).app()],
])('SET_ACTIVITY with %s', (_core, connect) => {
  it.each(links)(
    'refuses a link that is no URI in %s, and takes one of the longest',
    async (field, activityWith, max) => {
      const app = await connect();
      for (const link of [
        'https://a b',
        ' https://example.test/',
        'https://example.test/{}',
        'https://ö.example/',
      ]) {
        expect(await set(app, activityWith(link))).toMatchObject({
          evt: 'ERROR',
          data: { code: 4000, message: `args.activity.${field}: must be a valid uri` },
        });
      }
      const [start, bare] = ['https://example.test:99999/', 'https://'];
      for (const link of [start.padEnd(max, 'x'), bare])
        expect((await set(app, activityWith(link))).evt).toBeNull();
      const { data } = await set(app, activityWith(start.padEnd(max + 1, ' ')));
      expect(data).toMatchObject({
        code: 4000,
        message: `args.activity.${field}: must be at most ${max} characters`,
      });
    },
  );

  it('publishes times in milliseconds, and those with a fraction as sent', async () => {
    const app = await connect();
    for (const [sent, published] of [
      [1_800_000_000, 1_800_000_000_000],
      [1_800_000_000.5, 1_800_000_000.5],
      [1_800_000_000_123.5, 1_800_000_000_123.5],
      [1_800_000_000_123, 1_800_000_000_123],
      [99_999_999_999, 99_999_999_999],
      [17.5, 17_500],
      [1, 1000],
    ]) {
      const { data } = await set(app, { timestamps: { start: sent, end: sent } });
      expect(data.timestamps).toEqual({ start: published, end: published });
    }
    expect((await set(app, { timestamps: { end: 5 } })).data.timestamps).toEqual({ end: 5000 });
  });
});

describe('two connected apps', () => {
  async function players(bridge: EmulatorBridge) {
    const [host, guest] = [await bridge.app(), await bridge.app()];
    const other = await bridge.app({ clientId: ids.lighthouse });
    for (const app of [host, guest, other]) {
      for (const evt of ['ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE', 'ACTIVITY_JOIN', 'GAME_JOIN']) {
        await app.subscribe(evt);
      }
    }
    await set(host, { ...party, details: 'On the river' });
    return { host, guest, other };
  }

  it('meet through a join request, which is answered once', async () => {
    const bridge = await emulatorBridge();
    const { host, guest, other } = await players(bridge);
    await bridge.run('activity.request-join', { user: 'otter', app: 'Harbour Example' });
    const [request] = await eventsOf(host);
    expect(request).toMatchObject({
      evt: 'ACTIVITY_JOIN_REQUEST',
      data: { type: 5, user: { username: 'otter' }, activity: { details: 'On the river' } },
    });
    expect(JSON.stringify(request)).not.toContain('let-me-in');
    await guest.rest();
    const answer = await host.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: ids.otter });
    expect(answer).toMatchObject({ evt: null, data: null });
    expect((await eventsOf(guest)).map(({ evt, data }) => [evt, data.secret])).toEqual([
      ['ACTIVITY_JOIN', 'let-me-in'],
      ['GAME_JOIN', 'let-me-in'],
    ]);
    expect(await host.rest()).toEqual([]);
    expect(await other.rest()).toEqual([]);
    expect((await host.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: ids.otter })).data.code).toBe(4012);
  });

  it('do not meet when the join request is closed by either command (§9 case 29)', async () => {
    const bridge = await emulatorBridge();
    const { host, guest } = await players(bridge);
    for (const cmd of ['CLOSE_ACTIVITY_JOIN_REQUEST', 'CLOSE_ACTIVITY_REQUEST']) {
      await bridge.run('activity.request-join', { user: 'otter', app: 'Harbour Example' });
      await host.rest();
      expect((await host.call(cmd, { user_id: ids.otter })).evt).toBeNull();
      expect((await host.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: ids.otter })).data.code).toBe(4012);
    }
    expect((await eventsOf(guest)).map(({ evt }) => evt)).toEqual(Array(2).fill('ACTIVITY_JOIN_REQUEST'));
  });

  it('meet through an invite, which is accepted once', async () => {
    const bridge = await emulatorBridge();
    const { host, guest, other } = await players(bridge);
    await host.call('ACTIVITY_INVITE_USER', { user_id: ids.otter, type: 1, pid: 1 });
    const [invite] = await eventsOf(guest);
    expect(invite).toMatchObject({ evt: 'ACTIVITY_INVITE', data: { type: 1, user: { username: 'river' } } });
    expect(JSON.stringify(invite)).not.toContain('let-me-in');
    const { channel_id, message_id, user, activity } = invite?.data ?? {};
    const args = { type: 1, user_id: user.id, session_id: activity.session_id, channel_id, message_id };
    expect((await other.call('ACCEPT_ACTIVITY_INVITE', args)).data.code).toBe(4011);
    expect((await guest.call('ACCEPT_ACTIVITY_INVITE', { ...args, message_id: '1' })).data.code).toBe(4011);
    expect((await guest.call('ACCEPT_ACTIVITY_INVITE', args)).evt).toBeNull();
    expect((await eventsOf(guest)).map(({ data }) => data.secret)).toEqual(['let-me-in', 'let-me-in']);
    expect((await guest.call('ACCEPT_ACTIVITY_INVITE', args)).data.code).toBe(4011);
    expect(await host.rest()).toEqual([]);
    expect(await other.rest()).toEqual([]);
  });

  it('of sibling applications meet when the guest names the application of the invite', async () => {
    const bridge = await emulatorBridge();
    const { host, guest, other } = await players(bridge);
    await host.call('ACTIVITY_INVITE_USER', { user_id: ids.otter, type: 1, pid: 1 });
    const { channel_id, message_id, activity } = (await eventsOf(guest))[0]?.data ?? {};
    const args = { type: 1, user_id: ids.river, session_id: activity.session_id, channel_id, message_id };
    const accept = { ...args, application_id: ids.harbourExample };
    expect((await other.call('ACCEPT_ACTIVITY_INVITE', accept)).evt).toBeNull();
    expect((await eventsOf(other)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN', 'GAME_JOIN']);
  });

  it('do not meet after the host has disconnected', async () => {
    const bridge = await emulatorBridge();
    const { host, guest } = await players(bridge);
    await host.call('ACTIVITY_INVITE_USER', { user_id: ids.otter, type: 1, pid: 1 });
    const { channel_id, message_id, activity } = (await eventsOf(guest))[0]?.data ?? {};
    host.end();
    await settled();
    const args = { type: 1, user_id: ids.river, session_id: activity.session_id, channel_id, message_id };
    expect((await guest.call('ACCEPT_ACTIVITY_INVITE', args)).data.code).toBe(4011);
    await bridge.run('activity.request-join', { user: 'otter', app: 'Harbour Example' });
    guest.end();
    await settled();
    expect(await bridge.run('emulator.show')).toMatchObject({ invitations: { requests: [], invites: [] } });
  });
});

describe('an activity operation', () => {
  it.each([
    ['activity.join', { app: 'Harbour Example' }, /no activity with a join secret/],
    ['activity.spectate', { app: 'Harbour Example' }, /no activity with a spectate secret/],
    ['activity.invite', { user: 'river', app: 'Harbour Example' }, /logged-in user/],
    ['activity.request-join', { user: 'nobody', app: 'Harbour Example' }, /no user "nobody"/],
    ['activity.join', { app: 'Nothing' }, /no application "Nothing"/],
  ])('%s %j is rejected with a plain message', async (operation, args, reason) => {
    const { run } = await emulatorBridge();
    await expect(run(operation, args)).rejects.toThrow(reason);
  });
});
