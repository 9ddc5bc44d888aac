import { expect, it } from 'vitest';
import type { SaveResult } from '../../../../../src/base/saves.ts';
import type { Revocation } from '../../../../../src/emulator/accounts/oauth2/storage/revocation.ts';
import { emptyState, type StoredState } from '../../../../../src/emulator/accounts/oauth2/storage/state.ts';
import { StateStorage } from '../../../../../src/emulator/accounts/oauth2/storage/state-storage.ts';
import type { Store } from '../../../../../src/emulator/accounts/oauth2/storage/store.ts';
import { silentLog } from '../../../../../src/emulator/kernel/log.ts';
import { settled } from '../../../../helpers/app-peer.ts';
import { ManualClock } from '../../../../helpers/manual-clock.ts';

const failed: SaveResult = { kind: 'failed', reason: 'full' };
const stateOf = (name: string): StoredState => ({ ...emptyState, keys: [{ kty: 'RSA', kid: name }] });

function setUp(answer: () => SaveResult | Promise<SaveResult>) {
  const clock = new ManualClock();
  const saves: {
    readonly at: number;
    readonly state: StoredState;
    readonly revoked: Revocation | undefined;
  }[] = [];
  const started = clock.now();
  const store: Store = {
    load: async () => ({ kind: 'empty' }),
    save: async (state, revoked) => {
      saves.push({ at: clock.now() - started, state, revoked });
      return answer();
    },
  };
  return { clock, saves, keeper: new StateStorage(store, clock, silentLog) };
}

it('StateStorage tries again after 1, 2, 4 … and at most 60 seconds, until the state is written', async () => {
  let result: SaveResult = failed;
  const { clock, saves, keeper } = setUp(() => result);
  const gone = { userId: '1', clientId: '2' };
  expect(await keeper.save(stateOf('a'), gone)).toEqual(failed);
  for (let second = 0; second < 250; second++) {
    clock.advance(1000);
    await settled();
  }
  expect(saves.map(({ at }) => at / 1000)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  expect(saves.map(({ revoked }) => revoked)).toEqual([gone, ...Array(9).fill(undefined)]);
  result = { kind: 'saved' };
  clock.advance(60_000);
  await settled();
  expect(saves).toHaveLength(11);
  expect(clock.pending).toBe(0);
  // The next failure begins with the short wait again.
  result = failed;
  await keeper.save(stateOf('b'));
  clock.advance(1000);
  expect(saves.at(-1)).toMatchObject({ at: 311_000, state: stateOf('b') });
});

it('StateStorage tries the newest state again, and stops after a newer save was written', async () => {
  const answers: SaveResult[] = [failed, failed, { kind: 'saved' }];
  const { clock, saves, keeper } = setUp(() => answers.shift() ?? failed);
  await Promise.all([keeper.save(stateOf('a')), keeper.save(stateOf('b'))]);
  expect(clock.pending).toBe(1);
  clock.advance(1000);
  await settled();
  expect(saves.map(({ state }) => state)).toEqual([stateOf('a'), stateOf('b'), stateOf('b')]);
  expect(clock.pending).toBe(0);
});

it('StateStorage ignores the late failure of an older save', async () => {
  let endFirst: (result: SaveResult) => void = () => {};
  const first = new Promise<SaveResult>((resolve) => {
    endFirst = resolve;
  });
  const answers: (SaveResult | Promise<SaveResult>)[] = [first, { kind: 'saved' }];
  const { clock, keeper } = setUp(() => answers.shift() ?? failed);
  const older = keeper.save(stateOf('a'));
  await keeper.save(stateOf('b'));
  endFirst(failed);
  expect(await older).toEqual(failed);
  expect(clock.pending).toBe(0);
});

it('StateStorage does not try again after a final failure, nor after it was closed', async () => {
  const final = setUp(() => ({ ...failed, final: true }));
  await final.keeper.save(stateOf('a'));
  expect(final.clock.pending).toBe(0);
  const { clock, saves, keeper } = setUp(() => failed);
  await keeper.save(stateOf('a'));
  await keeper.close();
  expect(saves).toHaveLength(2);
  expect(clock.pending).toBe(0);
});

it('StateStorage treats a store that rejects as a failed save', async () => {
  const { clock, keeper } = setUp(() => Promise.reject(new TypeError('no')));
  expect(await keeper.save(stateOf('a'))).toEqual({ kind: 'failed', reason: 'the store failed: TypeError' });
  expect(clock.pending).toBe(1);
});
