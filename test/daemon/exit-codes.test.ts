import { describe, expect, it } from 'vitest';
import { LocalError } from '../../src/base/local-error.ts';
import { ExitCode, exitCodeMeanings, exitCodeOf } from '../../src/daemon/exit-codes.ts';
import { FixtureError } from '../../src/emulator/kernel/errors.ts';

describe('exitCodeOf', () => {
  it.each([
    ['FOOTBRIDGE_USAGE', 64],
    ['FOOTBRIDGE_NO_DAEMON', 69],
    ['FOOTBRIDGE_ENDPOINT_TAKEN', 75],
    ['FOOTBRIDGE_PORT_TAKEN', 75],
    ['FOOTBRIDGE_CONFIG', 78],
    ['FOOTBRIDGE_CORE', 78],
    ['FOOTBRIDGE_DATA', 78],
    ['FOOTBRIDGE_ENDPOINT_FOLDER', 78],
    ['FOOTBRIDGE_ENVIRONMENT', 78],
    ['FOOTBRIDGE_FIXTURE', 78],
    ['FOOTBRIDGE_INPUT', 78],
    ['FOOTBRIDGE_LOCK', 78],
    ['FOOTBRIDGE_NODE_IPC', 78],
    ['FOOTBRIDGE_PATH_TOO_LONG', 78],
    ['FOOTBRIDGE_RECEIPT', 78],
    ['FOOTBRIDGE_ANYTHING_ELSE', 1],
  ] as const)('maps %s to %i', (code, exitCode) => {
    expect(exitCodeOf(new LocalError(code, 'x'))).toBe(exitCode);
  });

  it('depends on the code and not on the class', () => {
    expect(exitCodeOf(new FixtureError('f.toml', 'me', 'unknown'))).toBe(78);
  });

  it('maps any other error to 1', () => {
    expect(exitCodeOf(new Error('x'))).toBe(1);
    expect(exitCodeOf(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe(1);
    expect(exitCodeOf('x')).toBe(1);
  });
});

it('has a documented meaning for every exit code', () => {
  expect(exitCodeMeanings.map(([code]) => code)).toEqual(Object.values(ExitCode));
});
