import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { LocalError } from '../../../src/base/local-error.ts';
import { UNKNOWN_MARK } from '../../../src/core/upstream/client-source.ts';
import { Clients } from '../../../src/core/upstream/clients.ts';
import { pass, stopClock } from './memory-upstream.ts';

beforeEach(stopClock);

/** Clients at paths: the program of each, an error for one that must not be used, null for one that does not answer. */
function bench(places: Record<string, string | null | LocalError> = {}) {
  const checks: string[] = [];
  const marks = new Map<string, string>();
  const log: unknown[] = [];
  let changes = 0;
  const clients = new Clients(
    {
      candidates: () => Object.keys(places).sort(),
      mark: (path) => marks.get(path) ?? `mark of ${path}`,
      async check(path) {
        checks.push(path);
        const place = places[path];
        if (typeof place !== 'string') throw place ?? new Error('nobody');
        return { program: { pid: 1, name: place } };
      },
      reach: () => Promise.reject(new Error('not used')),
    },
    () => {
      changes += 1;
    },
    (level, message, fields) => void log.push([level, message, fields]),
  );
  onTestFinished(() => clients.stop());
  return {
    clients,
    places,
    marks,
    log,
    changes: () => changes,
    checks: () => checks.splice(0),
    names: () => clients.all.map(({ name, state }) => `${name} ${state}`),
  };
}

it('two clients of one build get a number, by the order of their paths', async () => {
  const { clients, names, changes } = bench({ a: 'Discord', b: 'Discord', c: 'vesktop', d: 'Discord' });
  await clients.look();
  expect(names()).toEqual(['stable here', 'stable-2 here', 'vesktop here', 'stable-3 here']);
  expect(changes()).toBe(4);
  await clients.look();
  expect(changes()).toBe(4);
});

it('a client that returns at another path keeps its name', async () => {
  const { clients, names, places } = bench({ a: 'Discord', b: 'vesktop' });
  await clients.look();
  delete places['a'];
  await clients.look();
  expect(names()).toEqual(['stable away', 'vesktop here']);
  places['c'] = 'Discord';
  await clients.look();
  expect(names()).toEqual(['vesktop here', 'stable here']);
});

it('another build at the path of a client is another client, of an unknown account', async () => {
  const { clients, names, places, marks } = bench({ a: 'Discord' });
  await clients.look();
  clients.greeted('a', { user: { id: '7', username: 'river' } } as never);
  expect(clients.at('a')).toMatchObject({ user: '7', username: 'river' });
  places['a'] = 'vesktop';
  marks.set('a', 'new');
  await clients.look();
  expect([names(), clients.at('a')?.user]).toEqual([['vesktop here'], undefined]);
});

it.each([null, 7, { id: 7 }, {}])('an account in READY that is %j is none', async (user) => {
  const { clients } = bench({ a: 'Discord' });
  await clients.look();
  clients.greeted('a', { user } as never);
  clients.greeted('unknown', { user: { id: '1' } } as never);
  expect(clients.all.map((client) => client.user)).toEqual([undefined]);
});

it('a client is not probed again until its socket changes, a connection is lost or a look verifies', async () => {
  const { clients, checks, marks } = bench({ a: 'Discord' });
  const release = clients.hold();
  await pass(0);
  expect(checks()).toEqual(['a']);
  await pass(9000);
  expect(checks()).toEqual([]);
  marks.set('a', 'new');
  await pass(3000);
  expect(checks()).toEqual(['a']);
  clients.lost('a');
  clients.lost('a');
  await pass(100);
  expect(checks()).toEqual(['a']);
  await clients.look(true);
  expect(checks()).toEqual(['a']);
  release();
  marks.set('a', 'newer');
  clients.lost('a');
  await pass(9000);
  expect(checks()).toEqual([]);
});

it('a path that does not answer is checked less and less often, and at once when its socket changes', async () => {
  const { clients, checks, marks, places, names } = bench({ a: null });
  onTestFinished(clients.hold());
  const begun = performance.now();
  const times: number[] = [];
  for (let second = 0; second <= 200; second += 1) {
    await pass(second === 0 ? 0 : 1000);
    if (checks().length > 0) times.push(Math.round((performance.now() - begun) / 1000));
  }
  expect(times).toEqual([0, 3, 9, 21, 45, 93, 153]);
  places['a'] = 'Discord';
  marks.set('a', 'new');
  await pass(3000);
  expect([checks(), names()]).toEqual([['a'], ['stable here']]);
});

it('a path without a known identity is checked at each look', async () => {
  const { clients, checks, marks } = bench({ a: null });
  marks.set('a', UNKNOWN_MARK);
  onTestFinished(clients.hold());
  await pass(60_000);
  expect(checks()).toHaveLength(21);
});

it('a path that must not be used is listed with the reason, which is logged once', async () => {
  const error = new LocalError('FOOTBRIDGE_UPSTREAM', 'a leads back. Stop it.');
  const { clients, log, places } = bench({ a: error, b: 'Discord' });
  await clients.look(true);
  await clients.look(true);
  expect(clients.unusable).toEqual([{ path: 'a', why: 'a leads back. Stop it.' }]);
  expect(log).toEqual([
    ['warn', 'a chat client cannot be used', { path: 'a', reason: 'a leads back. Stop it.' }],
    ['info', 'a chat client is here', { path: 'b', reason: 'stable' }],
  ]);
  delete places['a'];
  await clients.look();
  expect(clients.unusable).toEqual([]);
});

it('at most eight clients are used at a time, and 32 are remembered', async () => {
  const { clients, places, names } = bench();
  for (let n = 10; n < 22; n += 1) places[`p${n}`] = `client${n}`;
  await clients.look();
  await clients.look();
  expect(names()).toEqual([10, 11, 12, 13, 14, 15, 16, 17].map((n) => `client${n} here`));
  for (let round = 0; round < 5; round += 1) {
    for (const path of Object.keys(places)) delete places[path];
    await clients.look();
    for (let n = 0; n < 8; n += 1) places[`${round}-${n}`] = `x${round}-${n}`;
    await clients.look();
  }
  expect(names()).toHaveLength(32);
  expect(names().filter((name) => name.endsWith('here'))).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `x4-${n} here`),
  );
});
