import { expect, it, vi } from 'vitest';
import { keyOf, publicOperations } from '../../../../.ci/public-operations.ts';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { RowShares } from '../../../../src/emulator/kernel/state/row-shares.ts';
import { type PlatformRequest, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';
import { publicDocument, publicJudge } from '../../../helpers/public-document.ts';
import { ASKED } from './asked.ts';

function asked(id: string, platform: TestPlatform): Promise<readonly [what: string, PlatformRequest]> {
  const ask = ASKED[id];
  if (ask === undefined) throw new Error(`nobody says how ${id} is asked`);
  return ask(platform);
}

/** Runs a request, and checks that the rows that it adds count for an application or a webhook. */
async function withOwnedRows<T>(task: () => Promise<T>): Promise<T> {
  const counted = vi.spyOn(RowShares.prototype, 'count');
  try {
    const result = await task();
    const unowned = counted.mock.calls.filter(([owner]) => owner === undefined);
    const bytes = unowned.reduce((sum, [, size, sign]) => sum + size * sign, 0);
    expect(bytes, 'bytes of rows that count for nobody').toBeLessThanOrEqual(0);
    return result;
  } finally {
    counted.mockRestore();
  }
}

const described = new Set(publicOperations().map(({ id }) => id));
const offered = operations.filter(({ id }) => described.has(id));

it('the emulator implements every operation of the public document', () => {
  const taken = new Set(operations.map(keyOf));
  expect(publicOperations().filter((known) => !taken.has(keyOf(known)))).toEqual([]);
});

it('there is a request for every operation that the public document has, too', () => {
  expect(Object.keys(ASKED).sort()).toEqual(offered.map(({ id }) => id).sort());
});

it('operations have unique names and unique paths', () => {
  const names = operations.map(({ id }) => id);
  expect(new Set(names).size).toBe(names.length);
  const places = operations.map(
    ({ method, path, at }) => `${method} ${at} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  );
  expect(new Set(places).size).toBe(places.length);
});

const judge = publicDocument === undefined ? undefined : publicJudge();
const byTheDocument =
  judge === undefined ? ' (without the public document: none lies beside the checkout)' : '';

it.each(offered.map(({ id }) => id))(
  `%s returns what is declared, and what the public document allows${byTheDocument}`,
  async (id) => {
    const platform = await testPlatform();
    const [what, request] = await asked(id, platform);
    // The first request of a bot adds its account.
    await platform.call('GET /users/@me', { headers: platform.bot() });
    const { status, body } = await withOwnedRows(() => platform.call(what, request));
    const declared = operations.find((operation) => operation.id === id)?.answers[status];
    expect(declared, `${what} answered ${status} ${JSON.stringify(body)}`).toBeDefined();
    if (declared !== null) declared?.parse(body);
    if (judge !== undefined) expect(judge.faults(id, status, body), JSON.stringify(body)).toEqual([]);
  },
);

it.skipIf(judge === undefined)(
  'publicOperations equals the public document (requires OPENAPI_DOCUMENT, or a document beside the checkout)',
  () => {
    const ours = publicOperations().map(({ id, method, path }) => `${id} ${method} ${path}`);
    expect(ours.sort()).toEqual([...(judge?.operations ?? [])].sort());
  },
);
