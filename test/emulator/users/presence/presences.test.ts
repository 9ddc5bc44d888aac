import { expect, it } from 'vitest';
import { Presences } from '../../../../src/emulator/users/presence/presences.ts';
import type { Activity } from '../../../../src/emulator/users/presence/records.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { smallWorld } from '../../../helpers/small-world.ts';

const activity = (n: number): Activity => ({ application_id: '7', state: `s${n}` });

function setUp() {
  const clock = new ManualClock();
  const told: unknown[] = [];
  const world = smallWorld();
  world.subscribeRows(({ events }) => {
    for (const event of events) {
      if (event.table !== 'presences') continue;
      const { session, activity: shown } = event.kind === 'removed' ? event.before : event.after;
      told.push([session, event.kind === 'removed' ? null : shown['state']]);
    }
  }, justListening);
  return { clock, world, presences: new Presences(world, clock), told: () => told.splice(0) };
}

it('an app shows five updates in 20 s, and then its last update as soon as the limit allows', () => {
  const { clock, presences, told } = setUp();
  for (let n = 1; n <= 9; n++) presences.set('a', activity(n));
  expect(presences.current('a')).toEqual(activity(9));
  expect(told()).toEqual([1, 2, 3, 4, 5].map((n) => ['a', `s${n}`]));
  clock.advance(19_999);
  expect(told()).toEqual([]);
  clock.advance(1);
  expect(told()).toEqual([['a', 's9']]);
  expect(presences.visible()).toEqual([{ key: 'a', activity: activity(9) }]);
});

it('the update limit of an app uses a sliding window', () => {
  const { clock, presences, told } = setUp();
  for (let n = 1; n <= 20; n++) {
    presences.set('a', activity(n));
    clock.advance(4_000);
  }
  expect(told()).toHaveLength(20);
});

it('an equal update is ignored, and so is an update that is reverted before it is visible', () => {
  const { clock, presences, told } = setUp();
  for (let i = 0; i < 20; i++) presences.set('a', activity(1));
  expect(told()).toEqual([['a', 's1']]);
  for (let n = 2; n <= 5; n++) presences.set('a', activity(n));
  told();
  presences.set('a', activity(6));
  presences.set('a', activity(5));
  clock.advance(20_000);
  expect(told()).toEqual([]);
  expect(clock.pending).toBe(0);
});

it('the update limit counts each app separately, and an app that leaves is dropped', () => {
  const { clock, presences, told } = setUp();
  for (let n = 1; n <= 6; n++) presences.set('a', activity(n));
  presences.set('b', activity(1));
  expect(told().at(-1)).toEqual(['b', 's1']);
  presences.drop('a');
  presences.drop('a');
  expect(told()).toEqual([['a', null]]);
  expect(clock.pending).toBe(0);
  expect(presences.visible().map(({ key }) => key)).toEqual(['b']);
  presences.set('b', null);
  presences.drop('b');
  expect(told()).toEqual([['b', null]]);
});

it('a presence is a row for subscribers, and not part of a snapshot', () => {
  const { clock, presences, world, told } = setUp();
  const rows: unknown[] = [];
  world.subscribeRows(({ events }) => rows.push(...events), justListening);
  const before = world.snapshot();
  presences.set('a', activity(1));
  const row = { session: 'a', activity: activity(1), since: clock.now() };
  expect(rows).toEqual([{ kind: 'created', table: 'presences', after: row }]);
  expect(world.snapshot()).toEqual(before);
  world.replace(before);
  expect(presences.visible()).toEqual([{ key: 'a', activity: activity(1) }]);
  presences.drop('a');
  expect(rows.at(-1)).toEqual({ kind: 'removed', table: 'presences', before: row });
  expect(told()).toEqual([
    ['a', 's1'],
    ['a', null],
  ]);
});
