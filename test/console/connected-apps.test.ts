import { expect, it } from 'vitest';
import type { SessionStatus } from '../../src/console/page/data/status.ts';
import { appsOf, initialsOf } from '../../src/console/page/views/overview/connected-apps.ts';

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
  const apps = appsOf([
    session('a'),
    session('b', { clientId: '2', application: null }),
    session('c'),
    session('d', { clientId: null, application: null }),
    session('e', { clientId: null, application: null, program: null }),
  ]);
  expect(apps.map(({ name, sessions }) => [name, sessions.map(({ id }) => id)])).toEqual([
    ['Harbour', ['a', 'c']],
    ['2', ['b']],
    ['node', ['d']],
    ['an app that has not said who it is', ['e']],
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
