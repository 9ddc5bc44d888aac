import { describe, expect, it } from 'vitest';
import { serverCases } from '../../../src/conformance/server/cases.ts';
import { runServerCases } from '../../../src/conformance/server/run.ts';
import { type Change, changed, correct } from '../broken/server/behaviour.ts';
import { faults } from '../broken/server/faults.ts';
import { patientSettings, quickSettings, ReferenceHost } from '../broken/server/host.ts';

type Transport = 'ipc' | 'websocket';

const silent = { onResult: () => undefined };

function casesFor(transport: Transport, ids?: readonly string[]) {
  return serverCases.filter(
    (one) =>
      one.mode !== 'exclusive' &&
      one.transports.includes(transport) &&
      (ids === undefined || ids.includes(one.id)),
  );
}

/** A case that applies to both transports is proved over IPC. */
function transportOf(id: string): Transport {
  return casesFor('ipc', [id]).length > 0 ? 'ipc' : 'websocket';
}

async function run(change: Change | undefined, transport: Transport, ids?: readonly string[]) {
  const settings = change === undefined ? patientSettings : quickSettings;
  const host = new ReferenceHost(change === undefined ? correct : changed(change), transport, settings);
  return await runServerCases(casesFor(transport, ids), host, undefined, settings, silent);
}

describe('the reference server', () => {
  it.each(['ipc', 'websocket'] as const)(
    'passes every case over %s',
    async (transport) => {
      const results = await run(undefined, transport);
      expect(results.filter((result) => result.verdict.kind !== 'passed')).toEqual([]);
      expect(results).toHaveLength(casesFor(transport).length);
    },
    60_000,
  );
});

describe('a server that replaces silent peers with newcomers', () => {
  it('passes the cases with long silence and the cases with many connections', async () => {
    const ids = ['handshake/28', 'handshake/29', 'limits/1', 'limits/4', 'limits/5'];
    const settings = { ...patientSettings, timeouts: { ...patientSettings.timeouts, deadlineMs: 2000 } };
    const host = new ReferenceHost(changed({ traits: ['few-silent-places'] }), 'ipc', settings);
    const results = await runServerCases(casesFor('ipc', ids), host, undefined, settings, silent);
    expect(results.map(({ case: one, verdict }) => [one.id, verdict.kind])).toEqual(
      ids.map((id) => [id, 'passed']),
    );
  });
});

describe('the suite detects a server that', () => {
  const running = new Set(serverCases.filter((one) => one.mode !== 'exclusive').map((one) => one.id));
  const provable = Object.entries(faults).flatMap(([name, fault]) => {
    const ids = fault.caught.filter((id) => running.has(id));
    return ids.length === 0 ? [] : [{ name, change: fault.change, ids }];
  });

  it.concurrent.each(provable)(
    '$name',
    async ({ change, ids }) => {
      const missed: string[] = [];
      for (const transport of ['ipc', 'websocket'] as const) {
        const own = ids.filter((id) => transportOf(id) === transport);
        if (own.length === 0) continue;
        const results = await run(change, transport, own);
        expect(results).toHaveLength(own.length);
        missed.push(
          ...results.filter(({ verdict }) => !('failure' in verdict)).map((result) => result.case.id),
        );
      }
      expect(missed).toEqual([]);
    },
    30_000,
  );
});

describe('the broken servers', () => {
  it('are detected by every case at least once', () => {
    const caught = new Set(Object.values(faults).flatMap((fault) => fault.caught));
    expect(serverCases.map((one) => one.id).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('name only existing cases', () => {
    const ids = new Set(serverCases.map((one) => one.id));
    expect(Object.values(faults).flatMap((fault) => fault.caught.filter((id) => !ids.has(id)))).toEqual([]);
  });
});
