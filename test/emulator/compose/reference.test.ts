import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readCoverage } from '../../../.ci/coverage.ts';
import { differencesTables, operationsTable } from '../../../.ci/platform-reference.ts';
import { bearer, bot, defineOperation } from '../../../src/emulator/api/operation.ts';
import { operations } from '../../../src/emulator/compose/operations.ts';
import differences from '../../../src/emulator/differences.json' with { type: 'json' };
import libraryRequests from '../../../src/emulator/library-requests.json' with { type: 'json' };

it('the reference has a row for every operation', () => {
  const text = operationsTable();
  for (const { method, path } of operations) expect(text).toContain(`| \`${method} ${path}\``);
});

it('the reference describes callers, body, start date and own decisions of an operation', () => {
  const made = defineOperation({
    id: 'make_thing',
    summary: 'Makes it.',
    route: 'PUT /things',
    at: 'site',
    who: [bot, bearer('a', 'b')],
    body: z.object({}),
    bodyKinds: ['json', 'multipart'],
    files: { fields: ['files[n]'], maxCount: 1, maxFileBytes: 1, request: 1 },
    answers: { 204: null },
    notOffered: ['poll'],
    ours: 'One | two.',
    since: '2030-01-01T00:00:00Z',
    handle: () => ({ status: 204, body: undefined }),
  });
  expect(operationsTable([made])).toContain(
    '| `PUT /things` *site* | Makes it. | bot; person with `a` or `b` | json, multipart, files: `files[n]` | from 2030-01-01 | not offered: `poll`. ours: One \\| two. |\n',
  );
});

it.each(libraryRequests)('what $libraries sends is replayed by $test', ({ libraries, test }) => {
  const source = readFileSync(new URL(`../../../${test}`, import.meta.url), 'utf8');
  expect(libraries.filter((library) => !source.includes(library))).toEqual([]);
});

describe('the list of differing sources', () => {
  it('contains only existing statements', () => {
    const rows = Object.values(differences)
      .flat()
      .map((one) => ('row' in one ? one.row : undefined));
    expect(rows.filter((row) => row !== undefined && !Object.hasOwn(readCoverage(), row))).toEqual([]);
  });

  it('marks a planned statement', () => {
    const row = { what: 'x', tests: [] };
    const [done, planned] = (['done', 'planned'] as const).map((state) =>
      differencesTables({ 'E-8': { ...row, state } }),
    );
    expect(done).toContain('| POST; GET answers 405 |');
    expect(planned).toContain('| POST; GET answers 405 *(planned)* |');
  });
});
