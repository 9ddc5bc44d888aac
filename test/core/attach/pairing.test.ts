import { expect, it } from 'vitest';
import type { SaveResult } from '../../../src/base/saves.ts';
import { type PairedClient, Pairing } from '../../../src/core/attach/pairing.ts';

it('a client that redeems its code on a full disk stays paired, and is stored once there is room', async () => {
  let disk: SaveResult = { kind: 'failed', reason: 'the disk is full' };
  let stored: readonly PairedClient[] = [];
  const tried: string[][] = [];
  const pairing = new Pairing({
    load: () => [],
    save(clients) {
      tried.push(clients.map(({ name }) => name));
      if (disk.kind === 'saved') stored = [...clients];
      return disk;
    },
  });
  expect(pairing.redeem(pairing.code('browser'))).toMatchObject({ name: 'browser' });
  expect(await pairing.save()).toEqual({ stored: false, reason: 'the disk is full' });
  expect(tried).toEqual([['browser'], ['browser']]);
  expect([pairing.list().length, stored.length]).toEqual([1, 0]);
  disk = { kind: 'saved' };
  await pairing.close();
  expect(stored.map(({ name }) => name)).toEqual(['browser']);
});
