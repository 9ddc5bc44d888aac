import { describe, expect, it } from 'vitest';
import { findProxied, readPrefix } from '../../../../src/emulator/interactions/activities/mapping.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

const MAPPED = { url_mappings: [{ application: APP, prefix: '/', target: '127.0.0.1:5173' }] };

async function world() {
  const platform = await testPlatform();
  const { emulator } = platform;
  await emulator.apply(MAPPED);
  const { activities } = emulator;
  const launch = (user: string = emulator.me().id, channel: string = ids.lounge) =>
    activities.launch({ application: APP, user, channel });
  const get = (id: string, app = APP) =>
    platform.call(`GET /applications/${app}/activity-instances/${id}`, { headers: platform.bot() });
  return { ...platform, activities, launch, get };
}

describe('an instance of an activity', () => {
  it('is returned to the bot as documented, and ends when the last user leaves [W-4]', async () => {
    const { emulator, activities, launch, get } = await world();
    const instance = launch();
    expect(launch(ids.otter)).toBe(emulator.tables.activity_instances.get(instance.id));
    expect(instance.id).toBe(`i-${instance.launch}-gc-${ids.riverBank}-${ids.lounge}`);
    expect(await get(instance.id)).toMatchObject({
      status: 200,
      body: {
        application_id: APP,
        instance_id: instance.id,
        launch_id: instance.launch,
        location: {
          id: `gc-${ids.riverBank}-${ids.lounge}`,
          kind: 'gc',
          channel_id: ids.lounge,
          guild_id: ids.riverBank,
        },
        users: [emulator.me().id, ids.otter],
      },
    });
    expect(activities.leave(instance.id, emulator.me().id)).toBe(true);
    expect((await get(instance.id)).body.users).toEqual([ids.otter]);
    // Who goes takes no part in anything.
    await emulator.apply({ users: [{ id: ids.otter, remove: true }] });
    expect(await get(instance.id)).toMatchObject({ status: 404, body: { code: 0 } });
    expect(activities.leave(instance.id, ids.otter)).toBe(false);
  });

  it('is launched by a callback of type 12 to an interaction [W-4]', async () => {
    const { emulator, call, get } = await world();
    const begun = emulator.interactions.begin({
      application: APP,
      user: ids.otter,
      channel: ids.lounge,
      type: 2,
      data: { id: '1', name: 'launch', type: 4 },
    });
    const answer = () =>
      call(`POST /interactions/${begun.id}/${begun.token}/callback?with_response=true`, {
        json: { type: 12 },
      });
    await emulator.apply({ url_mappings: [{ application: APP, prefix: '/', remove: true }] });
    expect((await answer()).body).toMatchObject({ code: 50035, errors: { type: {} } });
    await emulator.apply(MAPPED);
    const { body } = await answer();
    const { id } = body.resource.activity_instance;
    expect(body).toMatchObject({
      interaction: { activity_instance_id: id },
      resource: { type: 12, activity_instance: { id } },
    });
    expect((await get(id)).body.users).toEqual([ids.otter]);
    await emulator.interactions.settled(begun.id);
    expect(emulator.userActions.viewOf(begun.id)).toMatchObject({ state: 'launched', instance: id });
  });

  it('runs in a private channel, too, and each channel has its own [W-4]', async () => {
    const { emulator, launch, get } = await world();
    const pair = { id: '9', recipients: [emulator.me().id, ids.otter] };
    await emulator.apply({ private_channels: [pair] });
    const { id } = launch(ids.otter, '9');
    expect(id).not.toBe(launch().id);
    expect((await get(id)).body).toMatchObject({
      location: { id: 'pc-9', kind: 'pc', channel_id: '9' },
      users: [ids.otter],
    });
  });

  it('requires a channel that the user can see, and an application with a URL mapping', async () => {
    const { launch, emulator, activities, get, call, bot } = await world();
    expect(() => launch(ids.otter, '9')).toThrow('channel: user');
    expect(() => launch(undefined, 'x'.repeat(9999))).toThrow(/^.{1,150}$/);
    expect(() => activities.launch({ application: '7', user: ids.otter, channel: ids.lounge })).toThrow(
      'application 7 has no activity; give it one: [[url_mappings]]',
    );
    const { id } = launch();
    expect((await get(id, '7')).status).toBe(404);
    expect((await get(`${id}x`)).status).toBe(404);
    // EMBEDDED.
    const { body } = await call('GET /applications/@me', { headers: bot() });
    expect(body.flags & (1 << 17)).toBe(1 << 17);
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.lounge, remove: true }] }] });
    expect((await get(id)).status).toBe(404);
  });
});

describe('the key of an activity address', () => {
  it('is valid once, for ten minutes, for its application, while its user is in the instance', async () => {
    let monotonic = 0;
    const machine = { now: () => Date.now(), monotonic: () => monotonic, setTimeout: () => () => {} };
    const { emulator } = await testPlatform(undefined, { clock: machine });
    await emulator.apply(MAPPED);
    const { activities } = emulator;
    const me = emulator.me().id;
    const instance = activities.launch({ application: APP, user: me, channel: ids.lounge });
    await expect(activities.address(instance, me)).rejects.toThrow('pages of activities are not served here');
    activities.serveBy({ open: async () => 4000 });
    expect(await activities.address(instance, ids.otter)).toBe(undefined);
    const key = async () => {
      const [address = '', secret = ''] = ((await activities.address(instance, me)) ?? '').split('#');
      expect(address).toBe(`http://${APP}.localhost:4000/.footbridge/activity`);
      return secret;
    };
    const first = await key();
    expect(activities.enter('7', first)).toBe(undefined);
    expect(activities.enter(APP, `${first}x`)).toBe(undefined);
    const place = activities.enter(APP, first);
    expect(Object.fromEntries(new URLSearchParams(place?.query))).toEqual({
      instance_id: instance.id,
      location_id: `gc-${ids.riverBank}-${ids.lounge}`,
      launch_id: instance.launch,
      guild_id: ids.riverBank,
      channel_id: ids.lounge,
      frame_id: place?.frame,
      platform: 'desktop',
    });
    expect(activities.enter(APP, first)).toBe(undefined);
    const late = await key();
    monotonic = 10 * 60_000;
    expect(activities.enter(APP, late)).toBe(undefined);
    // That of a page that loads again has the time of the page.
    const again = activities.enter(APP, place?.key ?? '');
    expect(again?.instance).toBe(instance.id);
    let ended = 0;
    again?.onEnd(() => {
      ended += 1;
    });
    activities.leave(instance.id, me);
    expect(ended).toBe(1);
    expect(activities.enter(APP, again?.key ?? '')).toBe(undefined);
  });

  it('lets a page return within five seconds, after which its user leaves the instance', async () => {
    const { emulator, activities, launch } = await world();
    activities.serveBy({ open: async () => 4000 });
    emulator.clock.freeze();
    const me = emulator.me().id;
    const instance = launch();
    const [, key = ''] = ((await activities.address(instance, me)) ?? '').split('#');
    const page = activities.enter(APP, key);
    page?.leave();
    emulator.clock.advance(4_999);
    const again = activities.enter(APP, page?.key ?? '');
    emulator.clock.advance(60_000);
    expect(activities.users(instance)).toEqual([me]);
    again?.leave();
    emulator.clock.advance(5_000);
    expect(emulator.tables.activity_instances.get(instance.id)).toBe(undefined);
  });
});

describe('a URL mapping', () => {
  const mappings = [
    { prefix: '/', target: '127.0.0.1:5173/app/' },
    { prefix: '/api', target: 'http://localhost:3000' },
    { prefix: '/api/deep', target: '[::1]:3001/x' },
  ];
  it.each([
    ['/', '127.0.0.1', 5173, '/app/'],
    ['/?a=1', '127.0.0.1', 5173, '/app/?a=1'],
    ['/apix', '127.0.0.1', 5173, '/app/apix'],
    ['/api', '127.0.0.1', 3000, '/'],
    ['/api?x', '127.0.0.1', 3000, '/?x'],
    ['/api/token?x=%2e%2e', '127.0.0.1', 3000, '/token?x=%2e%2e'],
    ['/.proxy/api/token', '127.0.0.1', 3000, '/token'],
    ['/.proxy', '127.0.0.1', 5173, '/app/'],
    ['/api/deep/er', '::1', 3001, '/x/er'],
  ])('resolves %s to %s:%i%s, with /.proxy and without [N-6]', (url, host, port, path) => {
    expect(findProxied(mappings, url)).toMatchObject({ host, port, path });
    if (!url.startsWith('/.proxy'))
      expect(findProxied(mappings, `/.proxy${url}`)).toMatchObject({ port, path });
  });

  it.each([
    '/api/../x',
    '/api/%2E%2e/x',
    '/..',
    '/api/.%2e',
    '/a\\..\\b',
    '/api/..%2Fx',
    '/api%2f%2e%2e%5cx',
  ])('refuses to leave its prefix by %s', (url) => {
    expect(findProxied(mappings, url)).toBe(undefined);
  });

  it('without the prefix / resolves no other path', () => {
    expect(findProxied(mappings.slice(1), '/apix')).toBe(undefined);
    expect(findProxied([], '/')).toBe(undefined);
  });

  it.each([
    '',
    'api',
    '/api/',
    '//',
    '/a b',
    '/{x}',
    '/a?b',
    '/a#b',
    '/..',
    '/a/../b',
    '/.proxy',
    '/.proxy/a',
    '/.footbridge',
  ])('refuses the prefix %j', (prefix) => expect(readPrefix(prefix)).toBe(undefined));

  it.each([
    ['prefix', { prefix: 'api' }, 'must be a path such as'],
    ['target', { target: 'example.com' }, 'must be on this machine'],
    ['target', { target: 'https://127.0.0.1:1' }, 'must be on this machine'],
    ['target', { target: '127.0.0.1:1/?a' }, 'must be on this machine'],
    ['target', { target: '0x7f.1:1' }, 'must be on this machine'],
    ['target', { target: 'a:b@127.0.0.1:1' }, 'must be on this machine'],
  ])('refuses an invalid %s: %j', async (key, wrong, why) => {
    const { emulator } = await world();
    const mapping = { application: APP, prefix: '/a', target: 'localhost:1', ...wrong };
    await expect(emulator.apply({ url_mappings: [mapping] })).rejects.toThrow(new RegExp(`${key}: ${why}`));
  });
});
