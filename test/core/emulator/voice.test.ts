import { describe, expect, it } from 'vitest';
import { settled } from '../../helpers/app-peer.ts';
import { allScopes, emulatorBridge, eventsOf } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

const slow = { client: { select_delay_ms: 3000, guild_delay_ms: 3000 } };

describe('a command with a delay', () => {
  it.each([
    ['SELECT_VOICE_CHANNEL', { channel_id: ids.lounge }, 5001],
    ['SELECT_TEXT_CHANNEL', { channel_id: ids.general }, 5001],
    ['GET_GUILD', { guild_id: ids.harbour }, 5002],
  ])('is answered when it is done, or with an error at its timeout: %s', async (cmd, args, code) => {
    const { app, clock } = await emulatorBridge(slow);
    const peer = await app({ scopes: ['rpc'] });
    // The session's own end, at the expiry of its token.
    const resting = clock.pending;
    const late = peer.request(cmd, { ...args, timeout: 2 });
    await settled();
    clock.advance(1999);
    expect(await peer.rest()).toEqual([]);
    clock.advance(1);
    expect(await peer.answer()).toMatchObject({ nonce: late, evt: 'ERROR', data: { code } });
    const done = peer.request(cmd, { ...args, timeout: 3 });
    const patient = peer.request(cmd, args);
    await settled();
    clock.advance(3000);
    expect(await peer.answer()).toMatchObject({ nonce: done, evt: null });
    expect(await peer.answer()).toMatchObject({ nonce: patient, evt: null });
    expect(clock.pending).toBe(resting);
  });

  it('has no effect when the app disconnects first, or when another change makes it impossible', async () => {
    const { app, clock, emulator, run } = await emulatorBridge(slow);
    const leaver = await app({ scopes: ['rpc'] });
    const resting = clock.pending;
    leaver.request('SELECT_VOICE_CHANNEL', { channel_id: ids.lounge });
    await settled();
    expect(clock.pending).toBe(resting + 1);
    leaver.end();
    await settled();
    expect(clock.pending).toBe(0);
    const stayer = await app({ scopes: ['rpc'] });
    stayer.request('SELECT_VOICE_CHANNEL', { channel_id: ids.lounge });
    await settled();
    await run('voice.join', { user: 'river', channel: 'Quay' });
    clock.advance(3000);
    expect((await stayer.answer()).data.code).toBe(5003);
    expect(emulator.selectedVoiceChannel()?.id).toBe(ids.quay);
  });
});

describe('messages of a channel', () => {
  it('are returned only to a token with messages.read', async () => {
    const { app } = await emulatorBridge();
    const [reader, other] = [await app({ scopes: ['rpc', 'messages.read'] }), await app({ scopes: ['rpc'] })];
    const args = { channel_id: ids.general };
    expect((await reader.call('GET_CHANNEL', args)).data.messages).toHaveLength(3);
    expect((await other.call('GET_CHANNEL', args)).data.messages).toEqual([]);
  });

  it('are limited to the newest 50, regardless of their size', async () => {
    const { app, emulator } = await emulatorBridge();
    for (let i = 0; i < 60; i++) emulator.messages.send(ids.general, `${i} ${'x'.repeat(3000)}`, ids.otter);
    const peer = await app({ scopes: ['rpc', 'messages.read'] });
    const { data } = await peer.call('GET_CHANNEL', { channel_id: ids.general });
    expect(JSON.stringify(data).length).toBeGreaterThan(60_000);
    expect(data.messages).toHaveLength(50);
    expect(data.messages[0].content).toMatch(/^10 /);
    expect(data.messages.at(-1).content).toMatch(/^59 /);
  });
});

describe('the voice connection', () => {
  async function call(release: string) {
    const bridge = await emulatorBridge({ client: { sdk_release: release } });
    const app = await bridge.app({ scopes: ['rpc'] });
    await app.call('SELECT_VOICE_CHANNEL', { channel_id: ids.lounge });
    await app.subscribe('VOICE_CONNECTION_STATUS');
    const states = async () => (await eventsOf(app)).map(({ data }) => data.state);
    const network = (state: string) => bridge.run('voice.network', { state });
    return { app, states, network };
  }

  it('reconnects from release 1.6 on, and never reports DISCONNECTED [T-5]', async () => {
    const { states, network } = await call('1.6');
    expect(await states()).toEqual(['VOICE_CONNECTED']);
    await network('drop');
    await network('restore');
    const seen = await states();
    expect(seen).not.toContain('DISCONNECTED');
    expect(seen).toContain('AWAITING_ENDPOINT');
    expect(seen.at(-1)).toBe('VOICE_CONNECTED');
  });

  it('reports DISCONNECTED below release 1.6, until the app joins the call again', async () => {
    const { app, states, network } = await call('1.5');
    await states();
    await network('drop');
    await network('restore');
    expect(await states()).toEqual(['DISCONNECTED']);
    await app.call('SELECT_VOICE_CHANNEL', { channel_id: null });
    await app.call('SELECT_VOICE_CHANNEL', { channel_id: ids.lounge });
    expect((await states()).at(-1)).toBe('VOICE_CONNECTED');
  });

  it('reports its pings once it is established', async () => {
    const { app, clock } = await emulatorBridge();
    const peer = await app({ scopes: ['rpc'] });
    await peer.subscribe('VOICE_CONNECTION_STATUS');
    expect(await eventsOf(peer)).toMatchObject([
      { data: { state: 'DISCONNECTED', hostname: null, pings: [] } },
    ]);
    await peer.call('SELECT_VOICE_CHANNEL', { channel_id: ids.lounge });
    expect((await eventsOf(peer)).at(-1)?.data).toEqual({
      state: 'VOICE_CONNECTED',
      hostname: expect.any(String),
      pings: [{ time: clock.now(), value: 20 }],
      average_ping: 20,
      last_ping: 20,
    });
  });
});

describe('PUSH_TO_TALK', () => {
  it('makes the user speak in push-to-talk mode, and is released when the app disconnects', async () => {
    const { app, emulator } = await emulatorBridge();
    const [presser, watcher] = [await app({ scopes: allScopes }), await app({ scopes: allScopes })];
    await watcher.subscribe('SPEAKING_START');
    await watcher.subscribe('SPEAKING_STOP');
    await presser.call('SELECT_VOICE_CHANNEL', { channel_id: ids.lounge });
    await presser.call('PUSH_TO_TALK', { active: true });
    expect(await watcher.rest()).toEqual([]);
    emulator.setVoice('mode.type', 'PUSH_TO_TALK');
    await presser.call('PUSH_TO_TALK', { active: true });
    const second = await app({ scopes: allScopes });
    await second.call('PUSH_TO_TALK', { active: true });
    // The other app keeps it down.
    await second.call('PUSH_TO_TALK', { active: false });
    presser.end();
    const events = await eventsOf(watcher);
    expect(events.map(({ evt, data }) => [evt, data.user_id])).toEqual([
      ['SPEAKING_START', ids.river],
      ['SPEAKING_STOP', ids.river],
    ]);
  });
});

describe('voice settings of another user', () => {
  it('reach every app, or with SET_USER_VOICE_SETTINGS_2 only apps of the same application', async () => {
    const { app } = await emulatorBridge();
    const peer = await app({ scopes: allScopes });
    const sibling = await app({ scopes: allScopes });
    const other = await app({ clientId: ids.lighthouse, scopes: allScopes });
    for (const watcher of [sibling, other]) {
      await watcher.subscribe('VOICE_STATE_UPDATE', { channel_id: ids.quay });
      await watcher.rest();
      await watcher.subscribe('VOICE_SETTINGS_UPDATE_2');
      await watcher.rest();
    }
    await peer.call('SET_USER_VOICE_SETTINGS', {
      user_id: ids.heron,
      volume: 30,
      pan: { left: 0, right: 1 },
    });
    const heard = {
      evt: 'VOICE_STATE_UPDATE',
      data: { volume: 30, mute: false, pan: { left: 0, right: 1 } },
    };
    expect(await eventsOf(sibling)).toMatchObject([heard]);
    expect(await eventsOf(other)).toMatchObject([heard]);
    await peer.call('SET_USER_VOICE_SETTINGS_2', { user_id: ids.heron, volume: 10, mute: true });
    const own = { local_mutes: [ids.heron], local_volumes: { [ids.heron]: 10 } };
    expect(await eventsOf(sibling)).toMatchObject([{ evt: 'VOICE_SETTINGS_UPDATE_2', data: own }]);
    expect(await other.rest()).toEqual([]);
  });
});

describe('certified devices', () => {
  const device = (id: string, ...related: string[]) => ({
    type: 'audioinput',
    id,
    vendor: { name: 'V', url: 'http://v.test' },
    model: { id: 'm', name: 'M' },
    related,
  });

  it('are stored until the connection closes, without links to missing devices [§9 case 32]', async () => {
    const { app, run } = await emulatorBridge();
    const peer = await app();
    const devices = [device('a', 'b', 'zzz'), device('b', 'a')];
    await peer.call('SET_CERTIFIED_DEVICES', { devices });
    expect(await run('emulator.show')).toMatchObject({
      certified_devices: [{ clientId: ids.harbourExample, devices: [device('a', 'b'), device('b', 'a')] }],
    });
    await peer.call('SET_CERTIFIED_DEVICES', { devices: [] });
    expect(await run('emulator.show')).toMatchObject({ certified_devices: [] });
    await peer.call('SET_CERTIFIED_DEVICES', { devices });
    peer.end();
    await settled();
    expect(await run('emulator.show')).toMatchObject({ certified_devices: [] });
  });
});

it('TOGGLE_VOICE_CHANNEL_CHAT opens and closes only the chat of the channel that the user is in', async () => {
  const { app, run } = await emulatorBridge();
  const peer = await app();
  expect((await peer.call('TOGGLE_VOICE_CHANNEL_CHAT')).data.code).toBe(4005);
  await run('voice.join', { user: 'river', channel: 'Quay' });
  const toggle = async (args?: object) => (await peer.call('TOGGLE_VOICE_CHANNEL_CHAT', args)).data;
  expect(await toggle()).toEqual({ channel_id: ids.quay, chat_open: true });
  expect(await toggle()).toEqual({ channel_id: ids.quay, chat_open: false });
  expect(await toggle({ open: true })).toEqual({ channel_id: ids.quay, chat_open: true });
  expect(await toggle({ open: true })).toEqual({ channel_id: ids.quay, chat_open: true });
  await run('voice.join', { user: 'river', channel: 'Lounge' });
  expect(await toggle()).toEqual({ channel_id: ids.lounge, chat_open: true });
});
