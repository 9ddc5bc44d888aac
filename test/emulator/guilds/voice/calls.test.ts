import { describe, expect, it } from 'vitest';
import { SettingError } from '../../../../src/emulator/kernel/errors.ts';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';
import { rpcWorld } from '../../../helpers/rpc-feed.ts';

const connecting = Array(5).fill('VOICE_CONNECTION_STATUS');

describe('joining a call', () => {
  it('puts one user into one channel at a time', async () => {
    const { emulator, sent, types } = await rpcWorld();
    emulator.calls.join(ids.otter, ids.lounge);
    expect(emulator.calls.in(ids.lounge).map(({ user }) => user)).toEqual([ids.otter]);
    expect(types()).toEqual(['VOICE_STATE_CREATE']);
    emulator.calls.join(ids.otter, ids.lounge);
    expect(types()).toEqual([]);
    emulator.calls.join(ids.otter, ids.quay);
    expect(sent()).toMatchObject([
      { event: 'VOICE_STATE_DELETE', data: { user: { id: ids.otter } } },
      { event: 'VOICE_STATE_CREATE', data: { user: { id: ids.otter } } },
    ]);
    expect(emulator.calls.of(ids.otter)?.channel).toBe(ids.quay);
    expect(emulator.calls.leave(ids.otter)).toBe(true);
    expect(emulator.calls.leave(ids.otter)).toBe(false);
    expect(types()).toEqual(['VOICE_STATE_DELETE']);
  });

  it('starts the call of a channel with the first user, and the last user to leave ends the call [O-24]', async () => {
    const { emulator, clock } = await emulatorWorld();
    const start = () => emulator.tables.channels.get(ids.lounge)?.voice_start_time;
    const began = new Date(clock.now()).toISOString();
    emulator.calls.join(ids.otter, ids.lounge);
    clock.advance(1000);
    emulator.calls.join(ids.heron, ids.lounge);
    emulator.calls.leave(ids.otter);
    expect(start()).toBe(began);
    emulator.calls.join(ids.heron, ids.quay);
    expect(start()).toBeUndefined();
    emulator.calls.join(ids.heron, ids.lounge);
    expect(start()).toBe(new Date(clock.now()).toISOString());
  });

  it('as the logged-in user selects the channel, with the mute of the voice settings', async () => {
    const { emulator, types } = await rpcWorld({ voice: { mute: true } });
    emulator.selectVoiceChannel(ids.lounge);
    expect(emulator.calls.of(ids.river)).toMatchObject({ self_mute: true, self_deaf: false });
    expect(types()).toEqual([
      'VOICE_CHANNEL_SELECT',
      'VOICE_STATE_CREATE',
      'VOICE_SESSION_PARTICIPANTS_UPDATE',
      ...connecting,
    ]);
    emulator.setVoice('mute', 'off');
    expect(types()).toEqual(['VOICE_SETTINGS_UPDATE', 'VOICE_STATE_UPDATE']);
    expect(emulator.calls.of(ids.river)).toMatchObject({ self_mute: false });
  });

  it.each([
    ['unknown', ids.otter, '1', {}],
    ['may not view', ids.otter, ids.lounge, { deny: ['otter'] }],
    ['no voice', ids.otter, ids.general, {}],
    ['full', ids.otter, ids.quay, { user_limit: 1 }],
    ['no such user', '1', ids.lounge, {}],
  ])('is refused: %s', async (reason, user, channel, more) => {
    const { emulator, types } = await rpcWorld({
      guilds: [
        { id: ids.riverBank, channels: [{ id: ids.lounge, ...more }] },
        { id: ids.harbour, channels: [{ id: ids.quay, ...more }] },
      ],
    });
    expect(() => emulator.calls.join(user, channel)).toThrow(SettingError);
    expect(() => emulator.calls.join(user, channel)).toThrow(reason);
    expect(types()).toEqual([]);
  });

  it('does not count a user who is already in the channel towards the user limit', async () => {
    const { emulator } = await emulatorWorld({
      guilds: [{ id: ids.harbour, channels: [{ id: ids.quay, user_limit: 1 }] }],
    });
    expect(emulator.calls.check(ids.heron, ids.quay).kind).toBe('found');
    expect(emulator.calls.check(ids.otter, ids.quay).kind).toBe('full');
  });

  it('ignores the user limit for a user with MOVE_MEMBERS', async () => {
    const { emulator } = await emulatorWorld({
      guilds: [
        {
          id: ids.harbour,
          channels: [
            { id: ids.quay, user_limit: 1, user_overwrites: [{ user: 'otter', allow: ['MOVE_MEMBERS'] }] },
          ],
        },
      ],
    });
    expect(emulator.calls.join(ids.otter, ids.quay).id).toBe(ids.quay);
    expect(emulator.calls.in(ids.quay)).toHaveLength(2);
  });
});

describe('speaking', () => {
  it('starts and stops with one event each', async () => {
    const { emulator, sent, types } = await rpcWorld();
    emulator.calls.join(ids.otter, ids.quay);
    types();
    emulator.calls.speak(ids.otter, true);
    emulator.calls.speak(ids.otter, true);
    expect(sent()).toEqual([{ event: 'SPEAKING_START', data: { user_id: ids.otter, channel_id: ids.quay } }]);
    emulator.calls.speak(ids.otter, false);
    expect(types()).toEqual(['SPEAKING_STOP']);
  });

  it('stops when the user leaves or is muted', async () => {
    const { emulator, types } = await rpcWorld();
    emulator.calls.join(ids.otter, ids.quay);
    emulator.calls.speak(ids.otter, true);
    types();
    await emulator.apply({ voice_states: [{ user: 'otter', mute: true }] });
    expect(types()).toEqual(['SPEAKING_STOP', 'VOICE_STATE_UPDATE']);
    await emulator.apply({ voice_states: [{ user: 'otter', mute: false, speaking: true }] });
    types();
    emulator.calls.leave(ids.otter);
    expect(types()).toEqual(['SPEAKING_STOP', 'VOICE_STATE_DELETE']);
  });

  it('is refused for a muted user and for a user without a channel', async () => {
    const { emulator } = await emulatorWorld();
    expect(() => emulator.calls.speak(ids.heron, true)).toThrow(/muted/);
    expect(() => emulator.calls.speak(ids.otter, true)).toThrow(/no voice channel/);
  });

  it('follows push to talk in that mode only', async () => {
    const { emulator, types } = await rpcWorld();
    emulator.calls.pushToTalk(true);
    emulator.selectVoiceChannel(ids.lounge);
    types();
    emulator.calls.pushToTalk(true);
    expect(types()).toEqual([]);
    emulator.setVoice('mode.type', 'push_to_talk');
    types();
    emulator.calls.pushToTalk(true);
    emulator.calls.pushToTalk(true);
    emulator.calls.pushToTalk(false);
    expect(types()).toEqual([
      'SPEAKING_START',
      'VOICE_SESSION_SPEAKING_START',
      'SPEAKING_STOP',
      'VOICE_SESSION_SPEAKING_STOP',
    ]);
    emulator.setVoice('mute', 'on');
    types();
    emulator.calls.pushToTalk(true);
    expect(types()).toEqual([]);
  });
});

describe('the playback settings', () => {
  it('are stored per user, and each change is sent', async () => {
    const { emulator, types } = await rpcWorld({ voice_states: [{ user: 'otter', channel: ids.quay }] });
    expect(emulator.playback.of(ids.otter)).toEqual({
      user: ids.otter,
      volume: 100,
      pan: { left: 1, right: 1 },
      mute: false,
    });
    emulator.playback.set(ids.otter, { volume: 30, mute: undefined });
    expect(emulator.playback.set(ids.otter, { mute: true })).toMatchObject({ volume: 30, mute: true });
    expect(types()).toEqual(Array(2).fill('VOICE_STATE_UPDATE'));
    expect(() => emulator.playback.set(ids.river, {})).toThrow(/logged-in user/);
    expect(() => emulator.playback.set('1', {})).toThrow(/no such user/);
  });

  it('are stored per application', async () => {
    const { emulator, changes } = await emulatorWorld();
    emulator.playback.setForApplication('7', { self_mute: true });
    emulator.playback.setUserForApplication('7', ids.otter, { mute: true, volume: 10 });
    emulator.playback.setUserForApplication('7', ids.otter, { mute: true });
    expect(changes().map(({ type }) => type)).toEqual([
      'application_voice created',
      'application_voice updated',
    ]);
    expect(emulator.playback.forApplication('7')).toMatchObject({
      self_mute: true,
      local_mutes: [ids.otter],
      local_volumes: { [ids.otter]: 10 },
    });
    expect(emulator.playback.forApplication('8').self_mute).toBe(false);
    emulator.playback.setUserForApplication('7', ids.otter, { mute: false });
    expect(emulator.playback.forApplication('7').local_mutes).toEqual([]);
  });

  it('are stored for the 256 applications that changed them last', async () => {
    const { emulator } = await emulatorWorld();
    for (let id = 1; id <= 300; id++) emulator.playback.setForApplication(`${id}`, { self_mute: true });
    expect(emulator.toFixture().application_voice).toHaveLength(256);
    expect(emulator.playback.forApplication('300').self_mute).toBe(true);
    expect(emulator.playback.forApplication('44').self_mute).toBe(false);
  });
});
