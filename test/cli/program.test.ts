import { describe, expect, it } from 'vitest';
import { LocalError } from '../../src/base/local-error.ts';
import { type CliCommand, defineCommand } from '../../src/cli/command.ts';
import { runProgram } from '../../src/cli/program.ts';
import { version } from '../../src/daemon/version.ts';
import { fakeIo } from './fake-io.ts';

function failingWith(error: unknown): readonly CliCommand[] {
  return [
    defineCommand({
      name: 'fail',
      summary: 'fails',
      group: 'setup',
      examples: [],
      run: () => Promise.reject(error as Error),
    }),
  ];
}

describe('runProgram', () => {
  it('returns the exit code of the command', async () => {
    const io = fakeIo();
    const table = [
      defineCommand({
        name: 'work',
        summary: 'works',
        group: 'setup',
        examples: [],
        json: true,
        run: ({ json }, given) => {
          given.out(json ? '1\n' : 'one\n');
          return Promise.resolve(2);
        },
      }),
    ];
    expect(await runProgram(['work', '--json'], table, io)).toBe(2);
    expect(io.stdout()).toBe('1\n');
    expect(io.stderr()).toBe('');
  });

  it('prints an expected failure in one line, without a stack', async () => {
    const io = fakeIo();
    const error = new LocalError('FOOTBRIDGE_CONFIG', 'footbridge.toml: index: 12 is not 0 to 9.');
    expect(await runProgram(['fail'], failingWith(error), io)).toBe(78);
    expect(io.stderr()).toBe('footbridge: footbridge.toml: index: 12 is not 0 to 9.\n');
    expect(io.stdout()).toBe('');
  });

  it('names commands in the form that works in a checkout, in failures and in the help', async () => {
    const env = { npm_package_name: 'footbridge', npm_lifecycle_event: 'footbridge' };
    const failed = fakeIo(env);
    const error = new LocalError('FOOTBRIDGE_CONFIG', 'No bridge runs. Start one with: footbridge run');
    await runProgram(['fail'], failingWith(error), failed);
    expect(failed.stderr()).toBe(
      'footbridge: No bridge runs. Start one with: npm run -s footbridge -- run\n',
    );
    const helped = fakeIo(env);
    await runProgram(['fail', '--help'], failingWith(error), helped);
    expect(helped.stdout()).toContain('  npm run -s footbridge -- fail [OPTIONS]\n');
  });

  it('replaces control characters in the message', async () => {
    const io = fakeIo();
    await runProgram(['fail'], failingWith(new LocalError('FOOTBRIDGE_X', 'a\u001b[2Jb')), io);
    expect(io.stderr()).toBe('footbridge: a?[2Jb\n');
  });

  it('prints a failed system call in one line', async () => {
    const io = fakeIo();
    const error = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      errno: -28,
      syscall: 'write',
    });
    expect(await runProgram(['fail'], failingWith(error), io)).toBe(1);
    expect(io.stderr()).toBe(
      'footbridge: write: the disk is full (ENOSPC). footbridge doctor looks for the cause.\n',
    );
  });

  it('prints the location of a defect', async () => {
    const io = fakeIo();
    expect(await runProgram(['fail'], failingWith(new TypeError('x is not a function')), io)).toBe(70);
    expect(io.stderr()).toContain('defect of Footbridge');
    expect(io.stderr()).toContain('program.test.ts');
  });

  it.each([['--version'], ['-V']])('prints the version for %s', async (flag) => {
    const io = fakeIo();
    expect(await runProgram([flag], [], io)).toBe(0);
    expect(io.stdout()).toBe(`footbridge ${version()}\n`);
    expect(version()).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('prints help on stdout and succeeds', async () => {
    const io = fakeIo();
    expect(await runProgram(['fail', '--help'], failingWith(undefined), io)).toBe(0);
    expect(io.stdout()).toContain('footbridge fail');
    expect(io.stderr()).toBe('');
  });

  it('rejects an unknown command with 64', async () => {
    const io = fakeIo();
    expect(await runProgram(['fial'], failingWith(undefined), io)).toBe(64);
    expect(io.stderr()).toContain('Did you mean "fail"?');
  });
});
