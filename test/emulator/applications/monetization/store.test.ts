import { expect, it } from 'vitest';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';

it('tells what an application sells and what the logged-in user owns of it', async () => {
  const { emulator } = await emulatorWorld({
    entitlements: [
      { id: '1', sku: '2', application: ids.harbourExample, user: 'otter' },
      { id: '3', sku: '2', application: ids.harbourExample, deleted: true },
    ],
  });
  expect(emulator.store.skus(ids.harbourExample).map(({ name }) => name)).toEqual([
    'Tide Pass',
    'Bag of Pebbles',
  ]);
  expect(emulator.store.skus('7')).toEqual([]);
  expect(emulator.store.entitlements(ids.harbourExample).map(({ id }) => id)).toEqual(['710000000000000001']);
});

it('counts the logged-in user among the participants, once', async () => {
  const { emulator } = await emulatorWorld({
    participants: [
      { application: '7', user: 'otter' },
      { application: '7', user: 'river' },
      { application: '8', user: 'heron' },
    ],
  });
  expect(emulator.store.participants('7').map(({ username }) => username)).toEqual(['river', 'otter']);
});

it('gives what was bought, up to a limit that no app can push', async () => {
  const { emulator, changes } = await emulatorWorld();
  const bought = emulator.store.buy('7', '8');
  expect(emulator.store.entitlements('7')).toEqual([bought]);
  expect(changes().map(({ type }) => type)).toEqual(['entitlements created']);
  const many = Array.from({ length: 200_000 }, (_, index) => ({ ...bought, id: `${index + 1}` }));
  emulator.transfer.load({ ...emulator.show(), entitlements: many });
  expect(() => emulator.store.buy('7', '8')).toThrow(/200000 entitlements already/);
});
