import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { styleFor } from '../../../src/base/style.ts';
import type { CheckResult, Verdict } from '../../../src/cli/doctor/check.ts';
import { allChecks } from '../../../src/cli/doctor/checks.ts';
import { exitCode, reportText } from '../../../src/cli/doctor/doctor.ts';
import { createRuntime, startDaemon } from '../../helpers/daemon.ts';
import { place } from '../../helpers/fault-bridge.ts';
import { leaveStaleSocket } from '../../helpers/sockets.ts';
import { footbridge } from '../spawn.ts';

const result = (verdict: Verdict, more: Partial<CheckResult> = {}): CheckResult => ({
  id: 'one',
  verdict,
  evidence: ['seen'],
  fix: null,
  ...more,
});

it.each<[Verdict[], number, number]>([
  [['ok', 'not applicable'], 0, 0],
  [['ok', 'warning'], 0, 1],
  [['warning', 'failed', 'ok'], 2, 2],
])('doctor exits for %j with %i, and with %i when strict', (verdicts, plain, strict) => {
  const checks = verdicts.map((verdict) => result(verdict));
  expect([exitCode(checks, false), exitCode(checks, true)]).toEqual([plain, strict]);
});

it('the text report of doctor lists evidence, repairs and remedies', () => {
  const text = reportText(
    [
      result('ok'),
      result('failed', { id: 'longer', evidence: ['a', 'b'], fix: 'do it', fixed: ['c'] }),
      result('warning'),
    ],
    styleFor(false),
  );
  expect(text.split('\n')).toEqual([
    'ok       one     seen',
    'FAILED   longer  a',
    '                 b',
    '                 mended: c',
    '                 to do: do it',
    'warning  one     seen',
    '',
    '1 failed, 1 warning: longer, one.',
    'footbridge doctor --explain longer says what that means.',
    '',
  ]);
});

it('doctor has unique check ids', () => {
  const ids = allChecks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z-]+$/);
});

interface Report {
  readonly checks: readonly CheckResult[];
}
const verdictsOf = ({ checks }: Report): Record<string, Verdict> =>
  Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));

describe('footbridge doctor', () => {
  it('reports no fault of a running bridge', async () => {
    const daemon = await startDaemon({ args: ['--ws-port', 'off', '--http-port', '0'] });
    onTestFinished(async () => void (await daemon.stop()));
    const { code, stdout, stderr } = await daemon.cli(['doctor', '--json']);
    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as Report;
    expect(Object.keys(report)).toEqual(['checks']);
    expect(verdictsOf(report)).toMatchObject({
      bridge: 'ok',
      core: 'ok',
      endpoints: 'ok',
      handshake: 'ok',
      'private-folder': 'ok',
    });
    expect(report.checks.find(({ id }) => id === 'handshake')?.evidence[0]).toMatch(/^PONG after \d+ ms at /);
    expect(code).toBe(0);
  });

  it('exits with 2 and changes nothing without a bridge, and repairs with --fix', async () => {
    const runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    const path = join(runtime.folder, 'discord-ipc-0');
    await leaveStaleSocket(path);
    const machine = { folder: runtime.folder, env: runtime.env };
    const looked = await footbridge(machine, 'doctor', '--json');
    expect(looked.code).toBe(2);
    expect(verdictsOf(JSON.parse(looked.stdout) as Report)).toMatchObject({
      bridge: 'failed',
      endpoints: 'warning',
    });
    const mended = await footbridge(machine, 'doctor', '--fix');
    expect(mended.code).toBe(2);
    expect(mended.stdout).toContain(`mended: removed ${path}`);
  });

  it('reports a broken configuration and continues', async () => {
    const machine = place();
    const { code, stdout } = await footbridge(
      { ...machine, env: { ...machine.env, FOOTBRIDGE_INDEX: '12' } },
      'doctor',
      '--json',
    );
    expect(code).toBe(2);
    const report = JSON.parse(stdout) as Report;
    expect(report.checks.find(({ id }) => id === 'configuration')).toMatchObject({
      verdict: 'failed',
      evidence: [expect.stringContaining('FOOTBRIDGE_INDEX')],
    });
  });
});
