import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../broken/bundle.ts';
import { exclusive, judge } from '../broken/server/exclusive.ts';
import { faults } from '../broken/server/faults.ts';

let program: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  program = await bundle('./server/main.ts');
});
afterAll(() => program.remove());

const provable = Object.entries(faults).flatMap(([name, { caught }]) =>
  exclusive.filter((one) => caught.includes(one.id)).map((one) => ({ name, id: one.id })),
);

describe.skipIf(process.platform === 'win32')(
  'cases that start and stop the server (need unix sockets)',
  () => {
    it('are covered by a fault', () => {
      expect(provable.length).toBeGreaterThan(0);
    });
    it.concurrent.each(provable)(
      '$id detects a server that $name',
      async ({ name, id }) => {
        const [result] = await judge(`exec '${process.execPath}' '${program.file}' '${name}'`, [id]);
        expect(result?.verdict.kind).toMatch(/^(failed|warned)$/);
      },
      60_000,
    );
  },
);
