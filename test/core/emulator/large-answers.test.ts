import { describe, expect, it } from 'vitest';
import { emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

const number = (base: string, index: number): string => String(BigInt(base) + BigInt(index));
const SILENT = {
  ...{ nick: null, mute: false, deaf: false, self_mute: false, self_deaf: false },
  ...{ suppress: false, speaking: false },
};

/** People who are in a voice channel. */
function crowd(count: number, channel: string, nick: string | null = null) {
  const people = Array.from({ length: count }, (_, i) => number('210000000000000000', i));
  return {
    users: people.map((id, i) => ({ id, username: `guest_${i}` })),
    voice_states: people.map((user) => ({ ...SILENT, user, channel, nick })),
  };
}

describe('an answer above 60,000 bytes', () => {
  it('to GET_SOUNDBOARD_SOUNDS has every sound', async () => {
    const sound = { guild: null, volume: 1, available: true, emoji_id: null, emoji_name: '🌊', user: null };
    const soundboard_sounds = Array.from({ length: 480 }, (_, i) => ({
      ...sound,
      id: number('810000000000000000', i),
      name: `sound ${i} ${'~'.repeat(20)}`,
    }));
    const bridge = await emulatorBridge({ soundboard_sounds });
    const app = await bridge.app({ scopes: ['rpc'] });
    const { evt, data } = await app.call('GET_SOUNDBOARD_SOUNDS');
    expect(evt).toBeNull();
    expect(data.length).toBeGreaterThanOrEqual(480);
    expect(JSON.stringify(data).length).toBeGreaterThan(60_000);
  });
  it('to GET_RELATIONSHIPS has every friend', async () => {
    const friends = Array.from({ length: 600 }, (_, i) => number('220000000000000000', i));
    const bridge = await emulatorBridge({
      users: friends.map((id, i) => ({ id, username: `friend_${i}` })),
      relationships: friends.map((user) => ({
        of: ids.river,
        user,
        type: 1,
        status: 'online',
        activity: null,
      })),
    });
    const app = await bridge.app({ scopes: ['rpc', 'relationships.read'] });
    const { data } = await app.call('GET_RELATIONSHIPS');
    expect(data.relationships.length).toBeGreaterThanOrEqual(600);
  });
  it('to SELECT_VOICE_CHANNEL has every user in the channel', async () => {
    const bridge = await emulatorBridge(crowd(200, ids.lounge));
    const app = await bridge.app({ scopes: ['rpc'] });
    const { evt, data } = await app.call('SELECT_VOICE_CHANNEL', { channel_id: ids.lounge });
    expect(evt).toBeNull();
    expect(data.voice_states).toHaveLength(201);
  });
});

it('SELECT_VOICE_CHANNEL moves no user when its answer would exceed a frame', async () => {
  const bridge = await emulatorBridge(crowd(9000, ids.lounge, '漢'.repeat(32)));
  const app = await bridge.app({ scopes: ['rpc'] });
  const { evt, data } = await app.call('SELECT_VOICE_CHANNEL', { channel_id: ids.lounge });
  expect([evt, data.code]).toEqual(['ERROR', 1000]);
  expect(data.message).toContain('at most 3145728');
  expect((await app.call('GET_SELECTED_VOICE_CHANNEL')).data).toBeNull();
});
