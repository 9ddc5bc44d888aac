import { expect, it } from 'vitest';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';
import { rpcWorld } from '../../../helpers/rpc-feed.ts';

it('the client selects a text channel only while the channel is visible', async () => {
  const { emulator, changes } = await emulatorWorld();
  expect(emulator.client.selectTextChannel(ids.general)?.name).toBe('general');
  expect(changes()).toMatchObject([{ type: 'client updated', after: { text_channel: ids.general } }]);
  for (const [id, reason] of [
    ['1', /unknown/],
    [ids.hidden, /denied/],
    [ids.lounge, /no messages/],
  ] as const) {
    expect(() => emulator.client.selectTextChannel(id)).toThrow(reason);
  }
  await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, deny: ['river'] }] }] });
  expect(emulator.client.state.text_channel).toBeNull();
  changes();
  expect(emulator.client.selectTextChannel(null)).toBeNull();
  expect(changes()).toEqual([]);
});

it('the client has one overlay per process, disabled and locked by default', async () => {
  const { emulator, sent } = await rpcWorld();
  expect(emulator.client.overlay(4242)).toEqual({ pid: 4242, enabled: false, locked: true });
  emulator.client.setOverlay({ pid: 4242, enabled: true, locked: false });
  expect(emulator.client.overlay(4242)).toMatchObject({ enabled: true });
  await emulator.apply({ overlays: [{ pid: 4242, remove: true }] });
  expect(sent()).toEqual([
    { event: 'OVERLAY_UPDATE', data: { enabled: true, locked: false } },
    { event: 'OVERLAY_UPDATE', data: { enabled: false, locked: true } },
  ]);
  for (let pid = 1; pid <= 300; pid++) emulator.client.setOverlay({ pid, enabled: true, locked: true });
  expect(emulator.toFixture().overlays).toHaveLength(256);
});

it('the client uses its own locale, and that of the user by default', async () => {
  const { emulator } = await emulatorWorld({ users: [{ id: ids.river, locale: 'pt-BR' }] });
  expect(emulator.client.locale()).toBe('pt-BR');
  emulator.client.set({ locale: 'de' });
  expect(emulator.client.locale()).toBe('de');
});
