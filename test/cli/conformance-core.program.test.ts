import { describe, expect, it } from 'vitest';
import { runCoreConformance } from '../../src/cli/conformance-core.ts';
import { attachingProgram } from '../helpers/attaching-program.ts';
import { fakeIo } from './fake-io.ts';
import { footbridge, temporaryPlace } from './spawn.ts';

describe('footbridge conformance core', () => {
  it('accepts a program that follows the contract', { timeout: 60_000 }, async () => {
    const { code, stdout } = await footbridge(
      temporaryPlace(),
      'conformance',
      'core',
      '--command',
      attachingProgram(),
    );
    expect(stdout).toContain('keeps the contract; it answers 4 commands and comes back');
    expect(code).toBe(0);
  });

  it.each([
    [[], /needs --command/],
    [['--command', 'x', '--timeout', 'soon'], /--timeout/],
    [['--nonsense'], /nonsense/],
  ])('rejects %j with the reason', async (args, text) => {
    const io = fakeIo();
    expect(await runCoreConformance(args, io)).toBe(64);
    expect(io.stderr()).toMatch(text);
  });
});
