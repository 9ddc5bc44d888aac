import { expect, it } from 'vitest';
import { AppNames } from '../../src/console/page/data/app-names.ts';
import { Rates } from '../../src/console/page/data/rates.ts';
import type { SessionStatus } from '../../src/console/page/data/status.ts';
import { appsOf, initialsOf } from '../../src/console/page/views/overview/connected-apps.ts';
import type { JournalEntry, Passed } from '../../src/journal/entry.ts';
import { Exchanges } from '../../src/journal/exchanges.ts';

const session = (id: string, more: Partial<SessionStatus> = {}): SessionStatus => ({
  id,
  clientId: '1',
  transport: 'ipc',
  endpoint: null,
  sandbox: null,
  state: 'ready',
  pid: 7,
  program: 'node',
  application: 'Harbour',
  scopes: [],
  subscriptions: 0,
  requestsInFlight: 0,
  ...more,
});

it('connections of one application are one app, in the order of their first sessions', () => {
  const sessions = [
    session('a'),
    session('b', { clientId: '2', application: null }),
    session('c'),
    session('d', { clientId: null, application: null }),
    session('e', { clientId: null, application: null, program: null }),
    // The console sends by hand in a session of its own, which is no program of the application.
    session('f', { transport: 'memory', program: 'node footbridge.js' }),
    session('g', { transport: 'memory' }),
  ];
  const apps = appsOf(sessions, new Rates(), new AppNames());
  expect(apps.map(({ name, sessions }) => [name, sessions.map(({ id }) => id)])).toEqual([
    ['Harbour', ['a', 'c', 'g']],
    ['2', ['b']],
    ['node', ['d']],
    ['an app that has not said who it is', ['e']],
  ]);
});

it('after the connected applications come bots, then those that have ended, the last one first', () => {
  const [rates, names, exchanges] = [new Rates(), new AppNames(), new Exchanges()];
  const passed: Passed[] = [
    { kind: 'gateway', session: 'g1', application: '3', direction: 'in', text: '{"op":1}', bytes: 8 },
    { kind: 'gateway', session: 'g2', application: '4', direction: 'in', text: '{"op":1}', bytes: 8 },
    { kind: 'gateway', session: 'g3', application: '1', direction: 'in', text: '{"op":1}', bytes: 8 },
    { kind: 'gateway', session: 'g4', application: '5', direction: 'in', text: '{"op":1}', bytes: 8 },
    { kind: 'end', session: 'g1' },
    { kind: 'end', session: 'g2' },
  ];
  for (const [index, one] of passed.entries()) {
    const entry: JournalEntry = { ...one, seq: index + 1, at: index };
    rates.count(entry, exchanges.add(entry));
  }
  names.learn('4', 'Tides');
  const apps = appsOf([session('a')], rates, names).map(({ name, figures }) => [name, figures?.errors]);
  // A heartbeat without an answer is an error.
  expect(apps).toEqual([
    ['Harbour', 0],
    ['5', 0],
    ['Tides', 1],
    ['3', 1],
  ]);
});

it.each([
  ['Harbour Example', 'HE'],
  ['tunes', 'T'],
  ['a-b-c', 'AB'],
  ['Ångström 👩‍🚀 über', 'ÅÜ'],
  ['…', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
