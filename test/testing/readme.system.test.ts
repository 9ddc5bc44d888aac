import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import type { ReadyBridge } from '../../src/testing/testing.ts';
import { footbridgeCommand, temporaryPlace } from '../cli/spawn.ts';
import { runAction } from '../helpers/action.ts';
import { fences } from '../helpers/markdown.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const blocks = ['test-an-app', 'test-in-ci'].flatMap((topic) =>
  fences(readFileSync(join(root, `.github/guide/${topic}.md`), 'utf8')),
);
const blockWith = (language: string, words: string): string => {
  const [found, ...others] = blocks.filter((one) => one.language === language && one.text.includes(words));
  if (found === undefined || others.length > 0) throw new Error(`not one ${language} block with ${words}`);
  return found.text;
};
/** A command and what it is said to print. */
const session = (words: string): { command: string; printed: string[] } => {
  const [command = '', ...printed] = blockWith('console', words).trimEnd().split('\n');
  return { command: command.replace('$ ', ''), printed };
};
const has = (...words: readonly [string, ...string[]]): boolean =>
  spawnSync(words[0], words.slice(1)).status === 0;
const noJq = has('jq', '--version') ? '' : ' (skipped: there is no jq here)';
const noPytest = has('python3', '-c', 'import pytest') ? '' : ' (skipped: there is no pytest here)';

/** A shell in a place of its own, in which `footbridge` is the program. */
function shell() {
  const { folder, env } = temporaryPlace();
  const program = footbridgeCommand()
    .map((word) => `'${word}'`)
    .join(' ');
  const bin = join(folder, 'footbridge');
  writeFileSync(bin, `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
  return (command: string) => {
    const { status, stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], {
      cwd: folder,
      env: {
        ...env,
        HOME: process.env['HOME'] ?? '',
        PATH: `${folder}:${env['PATH']}`,
        PYTHONDONTWRITEBYTECODE: '1',
      },
      encoding: 'utf8',
    });
    return { folder, status, lines: stdout.trimEnd().split('\n') };
  };
}

describe('the guides on testing an app, and on CI', () => {
  it(`quotes the real output of its commands${noJq}`, () => {
    const run = shell();
    const first = session('footbridge emulate --transcript');
    const { status, lines } = run(first.command);
    expect(status).toBe(0);
    // Two programs write to one terminal: in an order of theirs.
    expect(lines.toSorted()).toEqual(first.printed.toSorted());
    if (noJq !== '') return;
    const second = session('$ jq');
    expect(run(second.command)).toMatchObject({ status: 0, lines: second.printed });
  });

  it.skipIf(noPytest)(`has a test in Python that passes${noPytest}`, () => {
    const run = shell();
    const { folder } = run('true');
    copyFileSync(join(root, 'src/testing/python/pytest_footbridge.py'), join(folder, 'pytest_footbridge.py'));
    writeFileSync(join(folder, 'conftest.py'), 'pytest_plugins = ["pytest_footbridge"]\n');
    writeFileSync(join(folder, 'test_login.py'), blockWith('python', 'def test_'));
    const { command, printed } = session('python3 -m pytest');
    const { status, lines } = run(command);
    const timeless = (all: readonly string[]) => all.map((line) => line.replace(/ in [\d.]+s/, ''));
    expect({ status, lines: timeless(lines) }).toEqual({ status: 0, lines: timeless(printed) });
  });

  it('has a workflow step that works', () => {
    const { steps } = parse(blockWith('yaml', 'run: |')) as {
      readonly steps: readonly [{ readonly uses: string; readonly with: Readonly<Record<string, string>> }];
    };
    expect(steps[0].uses).toBe('./footbridge/.github/actions/emulate');
    const { status, stdout, folder } = runAction(steps[0].with, { npm: 'test -n "$FOOTBRIDGE_API"' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('"River Bank"') });
    expect(readFileSync(join(folder, 'talk.jsonl'), 'utf8')).toContain('GET_GUILDS');
  });

  it('has workflow steps that a bridge serves', () => {
    const { steps } = parse(blockWith('yaml', 'outputs.ready')) as {
      readonly steps: readonly [{ readonly id: string }, { readonly run: string }];
    };
    expect(steps[0]).toEqual({ uses: './footbridge/.github/actions/emulate', id: 'bridge' });
    const { left, folder } = runAction({}, { npm: 'echo "$BOT_TOKEN"' });
    const ready = left('GITHUB_OUTPUT').join().replace('ready=', '');
    const { pid, bots } = JSON.parse(readFileSync(ready, 'utf8')) as ReadyBridge;
    onTestFinished(() => void process.kill(pid, 'SIGTERM'));
    if (noJq !== '') return;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the runner's own syntax
    const run = steps[1].run.replace('${{ steps.bridge.outputs.ready }}', ready);
    const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
    const { stdout } = spawnSync('bash', ['-c', run], { env, encoding: 'utf8' });
    expect(stdout).toBe(`${bots[0]?.token}\n`);
  });

  it.skipIf(noJq !== '')(`has ten lines that serve a job${noJq}`, () => {
    const script = blockWith('sh', 'emulate --ready');
    expect(script.trimEnd().split('\n')).toHaveLength(10);
    const run = shell();
    const { folder } = run('true');
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "$BOT_TOKEN"\nexit 3\n', { mode: 0o755 });
    expect(run(script)).toEqual({
      folder,
      status: 3,
      lines: [expect.stringContaining('"River Bank"'), 'MzAwMDAwMDAwMDAwMDAwMDAx.emulator.bot'],
    });
  });
});
