import { expect, it, vi } from 'vitest';
import { webhookDerivations } from '../../../src/emulator/compose/webhook-events.ts';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';
import { justListening } from '../../helpers/just-listening.ts';

it('webhook events are derived only while an application receives any', async () => {
  const { emulator } = await emulatorWorld();
  const holds = vi.fn(() => true);
  const types: string[] = [];
  for (const derivation of webhookDerivations({ holds }, { isQuiet: false })) {
    emulator.subscribe(derivation, ({ type }) => void types.push(type), justListening);
  }
  emulator.messages.sendTo(ids.river, 'one', ids.otter);
  expect([holds.mock.calls, types]).toEqual([[], []]);
  await emulator.apply({ event_webhooks: [{ application: ids.lighthouse, url: 'http://127.0.0.1:9/' }] });
  emulator.messages.sendTo(ids.river, 'two', ids.otter);
  emulator.store.buy(ids.lighthouse, '8');
  emulator.setVoice('mute', 'on');
  expect(types).toEqual(['GAME_DIRECT_MESSAGE_CREATE', 'ENTITLEMENT_CREATE']);
});
