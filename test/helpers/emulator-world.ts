import type { Signal } from '../../src/emulator/api/signals.ts';
import { createEmulator } from '../../src/emulator/compose/create-emulator.ts';
import type { Emulator } from '../../src/emulator/compose/emulator.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import type { Fixture } from '../../src/emulator/compose/fixture/fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { patch, type RowEvent } from './patched.ts';

/** Ids of the built-in fixture. */
export const ids = {
  river: '200000000000000001',
  heron: '200000000000000002',
  otter: '200000000000000003',
  harbourExample: '300000000000000001',
  lighthouse: '300000000000000002',
  riverBank: '400000000000000001',
  harbour: '400000000000000002',
  category: '500000000000000001',
  general: '500000000000000002',
  lounge: '500000000000000005',
  boat: '500000000000000006',
  arrivals: '500000000000000011',
  hidden: '500000000000000012',
  quay: '500000000000000013',
} as const;

/** A row that became different, whose type is such as `users created`, or a signal. */
export type Change = (RowEvent & { readonly type: `${RowEvent['table']} ${RowEvent['kind']}` }) | Signal;

/** Takes down every row that becomes different and every signal of an emulator, from now on. */
export function recordChanges(emulator: Emulator): Change[] {
  const changes: Change[] = [];
  const recovery = { name: 'a test', recover: () => {} };
  emulator.subscribe(
    { derive: (commit) => commit.events() },
    (event) => changes.push({ ...event, type: `${event.table} ${event.kind}` }),
    recovery,
  );
  emulator.subscribeSignals((signal) => changes.push(signal), recovery);
  return changes;
}

/** An emulator on a clock that stands still, and the changes it tells. */
export interface EmulatorWorld {
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  /** What was told since the last call. */
  readonly changes: () => Change[];
}

/** Starts an emulator; `change` patches its fixture before anybody listens. */
export async function emulatorWorld(
  change: unknown = {},
  fixture: Fixture = defaultFixture(),
): Promise<EmulatorWorld> {
  const clock = new ManualClock();
  const emulator = await createEmulator({ fixture: patch(fixture, change).fixture, clock });
  const told = recordChanges(emulator);
  return { emulator, clock, changes: () => told.splice(0) };
}
