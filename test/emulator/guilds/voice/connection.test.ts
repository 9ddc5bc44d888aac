import { expect, it } from 'vitest';
import type { VoiceConnectionState } from '../../../../src/emulator/api/signals.ts';
import {
  reconnects,
  stepConnection,
  type VoiceIncident,
} from '../../../../src/emulator/guilds/voice/connection.ts';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';

it.each([
  ['1.5', false],
  ['1.5.999', false],
  ['1.6', true],
  ['1.6.1', true],
  ['1.10', true],
  ['2.0', true],
  ['0.9', false],
])('release %s survives a network interruption: %s', (release, expected) => {
  expect(reconnects(release)).toBe(expected);
});

it('a connected call never reports disconnected from release 1.6 on, whatever the network does', () => {
  const reached = new Set<VoiceConnectionState>();
  const walk = (state: VoiceConnectionState, network: 'up' | 'down', depth: number): void => {
    if (depth === 0) return;
    const incidents: readonly [VoiceIncident, 'up' | 'down'][] = [
      network === 'up' ? ['dropped', 'down'] : ['restored', 'up'],
      ['joined', network],
    ];
    for (const [incident, next] of incidents) {
      const states = stepConnection(state, incident, { network: next, release: '1.6' });
      for (const passed of states) reached.add(passed);
      walk(states.at(-1) ?? state, next, depth - 1);
    }
  };
  walk('voice-connected', 'up', 6);
  expect(reached).not.toContain('disconnected');
  expect(reached).toContain('awaiting-endpoint');
  expect(reached).toContain('voice-connected');
});

async function call(release: string) {
  const world = await emulatorWorld({ client: { sdk_release: release } });
  world.emulator.selectVoiceChannel(ids.lounge);
  const states = () =>
    world
      .changes()
      .flatMap((change) => (change.type === 'voice-connection-updated' ? [change.connection.state] : []));
  return { ...world, states };
}

it('the voice connection passes every step of joining, and disconnects on leaving', async () => {
  const { emulator, states, clock } = await call('1.10');
  expect(states()).toEqual([
    'awaiting-endpoint',
    'connecting',
    'authenticating',
    'voice-connecting',
    'voice-connected',
  ]);
  expect(emulator.voiceConnection.status).toEqual({
    state: 'voice-connected',
    hostname: expect.any(String),
    pings: [{ time: clock.now(), value: expect.any(Number) }],
  });
  emulator.selectVoiceChannel(null);
  expect(states()).toEqual(['disconnected']);
  expect(emulator.voiceConnection.status).toEqual({ state: 'disconnected', hostname: null, pings: [] });
});

it('the voice connection reconnects by itself from release 1.6 on', async () => {
  const { emulator, states } = await call('1.6');
  states();
  emulator.client.set({ network: 'down' });
  expect(states()).toEqual(['voice-connecting', 'awaiting-endpoint']);
  emulator.client.set({ network: 'down' });
  emulator.client.set({ layout_mode: 1 });
  expect(states()).toEqual([]);
  emulator.client.set({ network: 'up' });
  expect(states().at(-1)).toBe('voice-connected');
});

it('the voice connection before release 1.6 stays disconnected until the call is joined again', async () => {
  const { emulator, states } = await call('1.5');
  states();
  emulator.client.set({ network: 'down' });
  emulator.client.set({ network: 'up' });
  expect(states()).toEqual(['disconnected']);
  emulator.selectVoiceChannel(ids.lounge);
  expect(states().at(-1)).toBe('voice-connected');
  emulator.selectVoiceChannel(ids.lounge);
  expect(states()).toEqual([]);
});

it('the voice connection ignores the network without a call, and joining waits for the network', async () => {
  const { emulator, changes } = await emulatorWorld({ client: { network: 'down' } });
  emulator.client.set({ network: 'up' });
  emulator.client.set({ network: 'down' });
  expect(changes().map(({ type }) => type)).toEqual(['client updated', 'client updated']);
  emulator.selectVoiceChannel(ids.lounge);
  expect(emulator.voiceConnection.status.state).toBe('awaiting-endpoint');
});

it('the voice connection is up from the start when the fixture has the user in a channel', async () => {
  const { emulator } = await emulatorWorld({ voice_states: [{ user: 'river', channel: ids.lounge }] });
  expect(emulator.voiceConnection.status.state).toBe('voice-connected');
  expect(emulator.selectedVoiceChannel()?.id).toBe(ids.lounge);
});
