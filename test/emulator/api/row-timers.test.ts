import { expect, it } from 'vitest';
import { RowTimers, type RowTimersOptions } from '../../../src/emulator/api/row-timers.ts';
import { startServices } from '../../../src/emulator/api/service.ts';
import { EmulatorClock } from '../../../src/emulator/kernel/clock.ts';
import type { Lobby } from '../../../src/emulator/lobbies/records.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';
import { smallWorld } from '../../helpers/small-world.ts';

const MINUTE = 60_000;

/** Timers of lobbies: each is due as long after it began to wait as its timeout says, unless it has a secret. */
function timed(options: Partial<RowTimersOptions<'lobbies'>> = {}) {
  const machine = new ManualClock();
  const clock = new EmulatorClock(machine);
  const world = smallWorld();
  const fired: string[] = [];
  const timers = new RowTimers(world, clock, {
    name: 'the time of a test',
    table: 'lobbies',
    due: ({ secret, idle_timeout_seconds: seconds }) =>
      secret === null ? { for: 'idle', at: (since) => since + seconds * 1000 } : undefined,
    fire: ({ id }) => void fired.push(id),
    ...options,
  });
  const put = (more: Partial<Lobby> = {}) =>
    world.transaction(({ lobbies }) =>
      lobbies.put({
        id: '7',
        application: ids.harbourExample,
        metadata: null,
        linked_channel: null,
        linked_by: null,
        idle_since: null,
        secret: null,
        idle_timeout_seconds: 60,
        ...more,
      } as Lobby),
    );
  const start = () => startServices(world, [timers]);
  return { world, machine, clock, timers, fired, put, start };
}

it('a row timer fires once for an existing row, and once for a new row', () => {
  const { clock, fired, put, start } = timed();
  put();
  start();
  clock.advance(MINUTE / 2);
  put({ id: '8' });
  clock.advance(MINUTE / 2);
  expect(fired).toEqual(['7']);
  clock.advance(10 * MINUTE);
  expect(fired).toEqual(['7', '8']);
});

it('a row timer retains the start of a wait as long as the reason is the same', () => {
  const { clock, machine, fired, put, start } = timed();
  put();
  start();
  clock.advance(MINUTE / 2);
  put({ metadata: { tide: 'high' } });
  expect(machine.pending).toBe(1);
  clock.advance(MINUTE / 2);
  expect(fired).toEqual(['7']);
});

it.each<[string, Parameters<ReturnType<typeof timed>['put']>[0], number]>([
  ['forgets a row that waits for nothing any more', { secret: 'x' }, 0],
  ['waits anew for a row that waits for something else', { idle_timeout_seconds: 120 }, 1],
])('a row timer %s', (_, change, pending) => {
  const { clock, machine, fired, put, start } = timed({
    due: ({ secret, idle_timeout_seconds: seconds }) =>
      secret === null ? { for: String(seconds), at: (since) => since + seconds * 1000 } : undefined,
  });
  put();
  start();
  clock.advance(MINUTE / 2);
  put(change);
  expect(machine.pending).toBe(pending);
  clock.advance(2 * MINUTE - 1);
  expect(fired).toEqual([]);
  clock.advance(1);
  expect(fired).toEqual(pending === 0 ? [] : ['7']);
});

it('a row timer drops a removed row, and waits anew when the row comes back', () => {
  const { world, clock, machine, fired, put, start } = timed();
  put();
  start();
  clock.advance(MINUTE / 2);
  world.transaction(({ lobbies }) => lobbies.remove('7'));
  expect(machine.pending).toBe(0);
  put();
  clock.advance(MINUTE - 1);
  expect(fired).toEqual([]);
  clock.advance(1);
  expect(fired).toEqual(['7']);
});

it('a row timer waits for a fixed time, and fires at once when that time has passed', () => {
  const { clock, fired, put, start } = timed({
    due: ({ idle_since: since }) => (since === null ? undefined : Date.parse(since)),
  });
  start();
  const at = (ms: number): string => new Date(clock.now() + ms).toISOString();
  put({ idle_since: at(MINUTE) });
  put({ idle_since: at(2 * MINUTE) });
  clock.advance(MINUTE);
  expect(fired).toEqual([]);
  put({ idle_since: at(-1) });
  expect(fired).toEqual(['7']);
  clock.advance(10 * MINUTE);
  expect(fired).toEqual(['7']);
});

it('a row timer fires once for a row that stays due after firing or a change', () => {
  const fired: string[] = [];
  const test = timed({
    due: () => 1,
    fire: ({ id, idle_timeout_seconds: seconds }) => {
      fired.push(id);
      test.put({ id, idle_timeout_seconds: seconds + 1 });
    },
  });
  test.start();
  test.put();
  test.put({ idle_timeout_seconds: 600 });
  expect(fired).toEqual(['7']);
});

it('a row timer continues with the next time that firing sets, also when it has passed', () => {
  const test = timed({
    due: ({ idle_timeout_seconds: step }) => (step < 64 ? step : undefined),
    fire: ({ idle_timeout_seconds: step }) => test.put({ idle_timeout_seconds: step + 1 }),
  });
  test.start();
  test.put();
  expect(test.world.tables.lobbies.get('7')?.idle_timeout_seconds).toBe(64);
});

it('a row timer checks the due time again when it comes, because it may have moved', () => {
  let putOff = 0;
  const { clock, fired, put, start } = timed({
    due: () => ({ for: 'idle', at: (since) => since + MINUTE + putOff }),
  });
  put();
  start();
  putOff = MINUTE;
  clock.advance(2 * MINUTE - 1);
  expect(fired).toEqual([]);
  clock.advance(1);
  expect(fired).toEqual(['7']);
});

it('a row timer waits again when a change moves a due time that had come', () => {
  let putOff = 0;
  const { clock, fired, put, start } = timed({
    due: () => ({ for: 'idle', at: (since) => since + MINUTE + putOff }),
  });
  put();
  start();
  clock.advance(MINUTE);
  putOff = MINUTE;
  put({ metadata: { tide: 'low' } });
  clock.advance(MINUTE);
  expect(fired).toEqual(['7', '7']);
});

it('a row timer checks the rows that an event of another table concerns', () => {
  const { world, machine, put, start } = timed({
    concerns: (event) => (event.table === 'users' && event.kind === 'updated' ? ['7', '404'] : []),
    due: () =>
      world.tables.users.get(ids.otter)?.global_name === 'Otto' ? undefined : Number.MAX_SAFE_INTEGER,
  });
  put();
  start();
  expect(machine.pending).toBe(1);
  world.transaction(({ users }) => users.update(ids.otter, { global_name: 'Otto' }));
  expect(machine.pending).toBe(0);
});

it('a row timer checks at the start only the rows of its option', () => {
  const { machine, put, start } = timed({ rows: ({ lobbies }) => lobbies.by('application', '404') });
  put();
  start();
  expect(machine.pending).toBe(0);
});

it('a row timer retains the start of a wait when it recovers, and finds the rows that it missed', () => {
  const { clock, machine, timers, fired, put } = timed();
  put();
  timers.start();
  clock.advance(MINUTE / 2);
  put({ id: '8' });
  timers.recover();
  expect(machine.pending).toBe(2);
  clock.advance(MINUTE / 2);
  expect(fired).toEqual(['7']);
  clock.advance(MINUTE / 2);
  expect(fired).toEqual(['7', '8']);
});

it('a row timer waits for no row once it is stopped', async () => {
  const { clock, machine, fired, put, start } = timed();
  put();
  const stop = start();
  await stop();
  put({ id: '8' });
  expect(machine.pending).toBe(0);
  clock.advance(10 * MINUTE);
  expect(fired).toEqual([]);
});
