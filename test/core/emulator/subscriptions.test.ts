import { describe, expect, it } from 'vitest';
import { allScopes, emulatorBridge, eventsOf } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

describe('SUBSCRIBE', () => {
  it.each<[number, string, object?]>([
    [4003, 'GUILD_STATUS', { guild_id: '1' }],
    [4003, 'CURRENT_GUILD_MEMBER_UPDATE', { guild_id: '1' }],
    [4005, 'MESSAGE_CREATE', { channel_id: '1' }],
    [4005, 'MESSAGE_UPDATE', { channel_id: ids.hidden }],
    [4005, 'MESSAGE_DELETE', { channel_id: ids.arrivals }],
    [4005, 'VOICE_STATE_CREATE', { channel_id: '1' }],
    [4005, 'VOICE_STATE_UPDATE', { channel_id: ids.hidden }],
    [4005, 'VOICE_STATE_DELETE', { channel_id: ids.hidden }],
    [4005, 'SPEAKING_START', { channel_id: ids.hidden }],
    [4005, 'SPEAKING_STOP', { channel_id: '1' }],
    [4005, 'VOICE_SESSION_PARTICIPANTS_UPDATE', { session_id: ids.quay }],
    [4005, 'VOICE_SESSION_SPEAKING_START', { session_id: 'made up' }],
    [4000, 'VOICE_SESSION_SPEAKING_STOP', {}],
    [4004, 'OVERLAY_UPDATE', { pid: 9 }],
    [1000, 'QUEST_ENROLLMENT_STATUS_UPDATE'],
    [4004, 'LOBBY_UPDATE'],
    [4004, 'READY'],
  ])('is refused with %i: %s %j', async (code, evt, args) => {
    const { app } = await emulatorBridge({
      guilds: [{ id: ids.harbour, channels: [{ id: ids.arrivals, nsfw: true }] }],
    });
    const peer = await app({ scopes: allScopes });
    const { data } = await peer.subscribe(evt, args);
    expect(data.code).toBe(code);
    expect(await peer.rest()).toEqual([]);
  });

  it('replays one VOICE_STATE_UPDATE for each member of the channel', async () => {
    const { app, run } = await emulatorBridge();
    await run('voice.join', { user: 'otter', channel: 'Quay' });
    const peer = await app({ scopes: ['rpc'] });
    await peer.subscribe('VOICE_STATE_UPDATE', { channel_id: ids.quay });
    const members = (await eventsOf(peer)).map(({ data }) => data.user.username);
    expect(members).toEqual(['heron', 'otter']);
  });
});

describe.each([
  ['VIDEO_STATE_UPDATE', 'rpc.video.read'],
  ['SCREENSHARE_STATE_UPDATE', 'rpc.screenshare.read'],
])('%s', (event, scope) => {
  it.each([
    ['a local app without a token', {}],
    ['a local app whose token has other scopes', { scopes: ['rpc', 'rpc.voice.read', 'rpc.voice.write'] }],
    ['a web page with the scope', { scopes: [scope], via: 'web' }],
  ] as const)('is refused to %s', async (_name, options) => {
    const { app, run } = await emulatorBridge();
    const peer = await app(options);
    const { evt, data } = await peer.subscribe(event);
    expect([evt, data.code]).toEqual(['ERROR', 4006]);
    await run('emulator.apply', { patch: { client: { video_active: true, screenshare: { active: true } } } });
    expect(await peer.rest()).toEqual([]);
  });

  it(`is sent to a local app that was granted ${scope}`, async () => {
    const { app } = await emulatorBridge();
    const peer = await app({ scopes: [scope] });
    await peer.subscribe(event);
    expect(await eventsOf(peer)).toMatchObject([{ evt: event, data: { active: false } }]);
  });
});

describe('a direct message', () => {
  it('creates a notification for its recipient only', async () => {
    const { app, run } = await emulatorBridge();
    const peer = await app({ scopes: allScopes });
    await peer.subscribe('NOTIFICATION_CREATE');
    await run('channel.say', { channel: '@heron', text: 'hello', author: 'otter' });
    await run('channel.say', { channel: '@river', text: 'hello', author: 'otter' });
    const told = await eventsOf(peer);
    expect(told).toMatchObject([{ evt: 'NOTIFICATION_CREATE', data: { body: 'hello' } }]);
    const { channel_id } = told[0]?.data ?? {};
    await run('channel.say', { channel: channel_id, text: 'again', author: 'otter' });
    expect(await eventsOf(peer)).toHaveLength(1);
  });
});

describe('a channel that becomes hidden', () => {
  it('sends no further events, even to earlier subscribers', async () => {
    const { app, run } = await emulatorBridge();
    const peer = await app({ scopes: allScopes });
    for (const evt of ['MESSAGE_CREATE', 'MESSAGE_DELETE']) {
      await peer.subscribe(evt, { channel_id: ids.arrivals });
    }
    for (const evt of ['VOICE_STATE_CREATE', 'VOICE_STATE_DELETE', 'SPEAKING_START']) {
      await peer.subscribe(evt, { channel_id: ids.quay });
    }
    const channels = [ids.arrivals, ids.quay].map((id) => ({ id, deny: ['river'] }));
    await run('emulator.apply', { patch: { guilds: [{ id: ids.harbour, channels }] } });
    await run('channel.say', { channel: 'arrivals', text: '@everyone', author: 'otter' });
    await run('voice.join', { user: 'otter', channel: 'Quay' });
    await run('voice.speak', { user: 'otter', on: true });
    await run('voice.leave', { user: 'otter' });
    expect(await peer.rest()).toEqual([]);
  });
});

describe('SPEAKING_START', () => {
  const speak = { user: 'otter', on: true };

  it('without a channel applies to the voice channel that the user is currently in', async () => {
    const { app, run } = await emulatorBridge();
    const peer = await app();
    await peer.subscribe('SPEAKING_START');
    await run('voice.join', { user: 'otter', channel: 'Quay' });
    await run('voice.speak', speak);
    expect(await peer.rest()).toEqual([]);
    await run('voice.speak', { ...speak, on: false });
    await run('voice.join', { user: 'river', channel: 'Quay' });
    await run('voice.speak', speak);
    expect(await eventsOf(peer)).toMatchObject([{ data: { channel_id: ids.quay, user_id: ids.otter } }]);
  });

  it('with and without a channel are two subscriptions, and each receives the event once', async () => {
    const { app, run } = await emulatorBridge();
    const peer = await app();
    await peer.subscribe('SPEAKING_START', { channel_id: null });
    await peer.subscribe('SPEAKING_START', { channel_id: ids.quay });
    await run('voice.join', { user: 'otter', channel: 'Quay' });
    await run('voice.speak', speak);
    // The user is elsewhere: only the subscription that names the channel is meant.
    expect(await eventsOf(peer)).toHaveLength(1);
    await run('voice.speak', { ...speak, on: false });
    await run('voice.join', { user: 'river', channel: 'Quay' });
    await run('voice.speak', speak);
    expect(await eventsOf(peer)).toHaveLength(2);
    await run('voice.speak', { ...speak, on: false });
    await run('voice.leave', { user: 'river' });
    await peer.call('UNSUBSCRIBE', { channel_id: ids.quay }, { evt: 'SPEAKING_START' });
    await run('voice.speak', speak);
    expect(await peer.rest()).toEqual([]);
  });
});

it('a change by one app reaches another app, after the answer to the first app', async () => {
  const { app } = await emulatorBridge();
  const [changer, watcher] = [await app({ scopes: ['rpc'] }), await app({ scopes: ['rpc.voice.read'] })];
  for (const peer of [changer, watcher]) {
    await peer.subscribe('VOICE_SETTINGS_UPDATE');
    await peer.rest();
  }
  // `call` demands that the answer is the very next frame.
  await changer.call('SET_VOICE_SETTINGS', { mute: true });
  expect(await eventsOf(changer)).toMatchObject([{ evt: 'VOICE_SETTINGS_UPDATE', data: { mute: true } }]);
  expect(await eventsOf(watcher)).toMatchObject([{ evt: 'VOICE_SETTINGS_UPDATE', data: { mute: true } }]);
});
