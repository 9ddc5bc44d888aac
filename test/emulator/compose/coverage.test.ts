import { describe, expect, it } from 'vitest';
import { allTestsNaming, type Coverage, readCoverage, STATES, testsNaming } from '../../../.ci/coverage.ts';

/** How many statements of each kind the contract has. */
const KINDS = { W: 6, A: 14, O: 25, M: 13, T: 5, E: 8, P: 21, K: 18, U: 10, V: 16, R: 8, L: 13, N: 7 };

/** Returns all errors in the rows, one sentence each; `naming` contains the row ids in the titles of tests. */
function faultsOf(rows: Coverage, naming: ReturnType<typeof testsNaming>): string[] {
  const unknown = naming
    .filter(([id]) => !Object.hasOwn(rows, id))
    .map(([id, test]) => `${test}: there is no row ${id}`);
  const wrong = Object.entries(rows).flatMap(([id, { what, state, why, tests }]) => {
    const isProved = tests.length > 0 || (state !== 'done' && state !== 'ours');
    return [
      ...(STATES.includes(state) ? [] : [`${id}: "${state}" is none of ${STATES.join(', ')}`]),
      ...(what ? [] : [`${id}: says nothing`]),
      ...((state === 'done') === (why === undefined) ? [] : [`${id}: why is for all but what is done`]),
      ...(isProved ? [] : [`${id}: no test proves it`]),
    ];
  });
  return [...unknown, ...wrong];
}

describe('src/emulator/coverage.json', () => {
  it('has every statement of the contract once, and no other', () => {
    const ids = Object.entries(KINDS).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`),
    );
    expect(Object.keys(readCoverage()).sort()).toEqual([...ids, 'B-1..5'].sort());
  });

  it('has no row without a test or a reason, and no test names a row that is not there', () => {
    expect(faultsOf(readCoverage(), allTestsNaming())).toEqual([]);
  });
});

describe('a coverage row', () => {
  const test = 'test/a.test.ts: revokes [U-3]';
  const row = (more: object): Coverage => ({ 'U-3': { what: 'x', state: 'done', tests: [test], ...more } });
  it.each([
    ['is fine', {}, []],
    ['is done without a test', { tests: [] }, [/no test proves it/]],
    ['is absent without a reason', { state: 'absent' }, [/why/]],
    ['is done with a reason', { why: 'x' }, [/why/]],
    ['has an unknown state', { state: 'begun', why: 'x' }, [/"begun"/]],
    ['says nothing', { what: '' }, [/says nothing/]],
  ])('%s', (_, more, faults) => {
    const found = faultsOf(row(more), [['U-3', test]]);
    expect(found).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });
  it('that does not exist is reported with the test that names it', () => {
    expect(faultsOf({}, [['U-3', test]])).toEqual([`${test}: there is no row U-3`]);
  });
});

it('testsNaming reads the ids at the beginning of a title, of tests that are run', () => {
  // Written so that nobody takes these for tests of this file.
  const text = [
    `DESCRIBE('a [U-3]', () => {`,
    `  IT("it's [U-4, B-1..5]", f);`,
    `  IT.each([1])('each %s [W~1]', f);`,
    `  IT.each(`,
    `    [1],`,
    `  )(`,
    `    'far away [W~2]',`,
    `  );`,
    `  IT('[U-5] at the start', f);`,
    `  IT.skip('never run [U-6]', f);`,
    `  IT.todo('not written [U-7]');`,
  ]
    .join('\n')
    .replaceAll('DESCRIBE', 'describe')
    .replaceAll('IT', 'it')
    .replaceAll('~', '-');
  expect(testsNaming('a.test.ts', text)).toEqual([
    ['U-3', 'a.test.ts: a [U-3]'],
    ['U-4', "a.test.ts: it's [U-4, B-1..5]"],
    ['B-1..5', "a.test.ts: it's [U-4, B-1..5]"],
    ['W-1', 'a.test.ts: each %s [W-1]'],
    ['W-2', 'a.test.ts: far away [W-2]'],
  ]);
});
