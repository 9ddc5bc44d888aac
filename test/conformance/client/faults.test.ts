import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientCases, runClientCases } from '../../../src/conformance/client/suite.ts';
import { bundle } from '../broken/bundle.ts';
import { clientFaults } from '../broken/client/faults.ts';
import { quickSettings } from '../broken/server/host.ts';

const settings = {
  ...quickSettings,
  env: process.env,
  timeouts: { answerMs: 500, quietMs: 60, deadlineMs: 1500, startMs: 1500, stopMs: 700, caseMs: 8000 },
};

const patient = {
  ...settings,
  env: { ...process.env, REFERENCE_SLOWNESS: '6' },
  timeouts: {
    answerMs: 2500,
    quietMs: 60,
    deadlineMs: 12_000,
    startMs: 15_000,
    stopMs: 5000,
    caseMs: 20_000,
  },
};

let program: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  program = await bundle('./client/main.ts');
});
afterAll(() => program.remove());

async function run(fault: string, ids: readonly string[], how = settings) {
  const cases = clientCases.filter((one) => ids.includes(one.id));
  const command = `exec '${process.execPath}' '${program.file}' '${fault}'`;
  return await runClientCases(cases, command, how, () => undefined);
}

describe.skipIf(process.platform === 'win32')('the client suite (needs unix sockets)', () => {
  it('passes the reference client in every case', async () => {
    const results = await run(
      '',
      clientCases.map((one) => one.id),
      patient,
    );
    expect(results.filter((result) => result.verdict.kind !== 'passed')).toEqual([]);
    expect(results).toHaveLength(clientCases.length);
  }, 90_000);

  // Some faults show within milliseconds only, which a busy machine may miss once.
  it.concurrent.each(Object.entries(clientFaults))(
    'fails a client with the fault %s',
    { retry: 2 },
    async (fault, ids) => {
      const results = await run(fault, ids);
      const missed = results.filter(({ verdict }) => verdict.kind !== 'failed' && verdict.kind !== 'warned');
      expect(missed.map((result) => result.case.id)).toEqual([]);
    },
  );

  it('has a broken client for every case', () => {
    const caught = new Set(Object.values(clientFaults).flat());
    expect(clientCases.map((one) => one.id).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('names only existing cases', () => {
    const ids = new Set(clientCases.map((one) => one.id));
    expect(
      Object.values(clientFaults)
        .flat()
        .filter((id) => !ids.has(id)),
    ).toEqual([]);
  });
});
