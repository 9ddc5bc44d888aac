import { expect, it } from 'vitest';
import { forwards } from '../../../src/cli/doctor/checks/forwards.ts';
import type { ForwardFacts } from '../../../src/control/routes.ts';
import { running, scene } from './scene.ts';

const desk: ForwardFacts = {
  name: 'desk',
  from: '/r/apps',
  to: 'exec:ssh …',
  rights: 'presence',
  state: 'running',
  why: null,
  since: '2026-11-27T08:00:00.000Z',
  lastError: null,
  sessions: 1,
};
const lost = 'exec:ssh …: the command ended (exit code 255).';

it('the check of forwards says of each since when its far end is reached, and the last error', async () => {
  const inspect = async (...all: ForwardFacts[]) =>
    forwards.inspect(await scene({ bridge: running({ forwards: all }) }));
  expect(await inspect(desk, { ...desk, name: 'pier', sessions: 2, lastError: lost })).toEqual({
    verdict: 'ok',
    evidence: [
      'desk: connected since 2026-11-27T08:00:00.000Z, 1 app',
      `pier: connected since 2026-11-27T08:00:00.000Z, 2 apps; last error: ${lost}`,
    ],
    fix: null,
  });
  expect(await inspect({ ...desk, state: 'waiting', why: lost, since: null, lastError: lost })).toMatchObject(
    {
      verdict: 'warning',
      evidence: [`desk: not connected: ${lost}`],
    },
  );
  expect(await inspect({ ...desk, state: 'starting', since: null })).toMatchObject({
    verdict: 'ok',
    evidence: ['desk: starting'],
  });
  expect(await inspect({ ...desk, state: 'starting', since: null, lastError: lost })).toMatchObject({
    verdict: 'warning',
    evidence: [`desk: starting; last error: ${lost}`],
  });
  expect((await inspect()).verdict).toBe('not applicable');
  expect((await forwards.inspect(await scene())).verdict).toBe('not applicable');
});
