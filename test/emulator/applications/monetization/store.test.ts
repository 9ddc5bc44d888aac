import { expect, it } from 'vitest';
import { createEmulator } from '../../../../src/emulator/compose/create-emulator.ts';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';

it('the store lists the SKUs of an application, and the entitlements of the logged-in user', async () => {
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

it('the store counts the logged-in user once among the participants', async () => {
  const { emulator } = await emulatorWorld({
    participants: [
      { application: '7', user: 'otter' },
      { application: '7', user: 'river' },
      { application: '8', user: 'heron' },
    ],
  });
  expect(emulator.store.participants('7').map(({ username }) => username)).toEqual(['river', 'otter']);
});

it('the store grants a bought entitlement, up to a limit of 200,000 that no app can exceed', async () => {
  const { emulator, changes } = await emulatorWorld();
  const bought = emulator.store.buy('7', '8');
  expect(emulator.store.entitlements('7')).toEqual([bought]);
  expect(bought).toEqual({
    id: expect.stringMatching(/^\d+$/),
    application: '7',
    sku: '8',
    user: ids.river,
    guild: null,
    type: 1,
    deleted: false,
    test: false,
    consumed: false,
    starts_at: null,
    ends_at: null,
  });
  expect(changes().map(({ type }) => type)).toEqual(['entitlements created']);
  const entitlements = Array.from({ length: 200_000 }, (_, index) => ({ ...bought, id: `${index + 1}` }));
  const full = await createEmulator({ fixture: { ...emulator.toFixture(), entitlements } });
  expect(() => full.store.buy('7', '8')).toThrow(/200000 entitlements already/);
  expect(full.tables.entitlements.size).toBe(200_000);
});
