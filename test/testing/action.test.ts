import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../helpers/sockets.ts';

const FILE = fileURLToPath(new URL('../../.github/actions/emulate/action.yml', import.meta.url));

interface Step {
  readonly name: string;
  readonly shell: string;
  readonly run: string;
  readonly 'working-directory'?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly required?: boolean; readonly default?: string }>
  >;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync(FILE, 'utf8')) as Action;

/** Runs the steps as a runner does, with bash as it calls it, until one fails. */
function steps(inputs: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_all, name: string) => {
      const input = action.inputs[name];
      if (input === undefined) throw new Error(`there is no input ${name}`);
      return inputs[name] ?? input.default ?? '';
    });
  const ended = { status: null as number | null, stdout: '', stderr: '' };
  for (const [index, step] of action.runs.steps.entries()) {
    const script = join(folder, `step-${index}.sh`);
    writeFileSync(script, step.run);
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text)]);
    const result = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: join(folder, filled(step['working-directory'] ?? '.')),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        GITHUB_ACTION_PATH: dirname(FILE),
        ...(Object.fromEntries(own) as Record<string, string>),
      },
      encoding: 'utf8',
    });
    ended.status = result.status;
    ended.stdout += result.stdout;
    ended.stderr += result.stderr;
    if (result.status !== 0) break;
  }
  return { folder, ...ended };
}

describe('the action for GitHub', () => {
  it('says what each input is, and what each step runs with', () => {
    expect(action.runs.using).toBe('composite');
    expect(Object.values(action.inputs).every(({ description }) => description.length > 10)).toBe(true);
    expect(action.runs.steps.map(({ shell }) => shell)).toEqual(['bash', 'bash']);
    // What an input holds is data: in a script it would be a part of that.
    expect(action.runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
  });

  it('runs commands that find the bridge, and writes the transcript', () => {
    const run = `test -S "$XDG_RUNTIME_DIR/discord-ipc-0"\necho "tokens: $FOOTBRIDGE_API, run: \${INPUT_RUN-none}"`;
    const { status, stdout, folder } = steps({ run, transcript: 'talk.jsonl' });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^tokens: http:\/\/127\.0\.0\.1:\d+\/api, run: none\n$/),
    });
    expect(readFileSync(join(folder, 'talk.jsonl'), 'utf8')).toBe('');
  });

  it('ends with the code of the first command that fails', () => {
    expect(steps({ run: '(exit 7)\necho on' })).toMatchObject({ status: 7, stdout: '' });
  });

  it('takes quotes and dollars as they are', () => {
    const { status, stdout } = steps({ run: `x="it's \\"fine\\""; echo "$x" '\${{ secrets }}'` });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `it's "fine" \${{ secrets }}\n` });
  });

  it('says what is wrong with an input', () => {
    const wrong = steps({ run: 'true', consent: 'maybe' });
    expect(wrong).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('--consent: "maybe" is not one of'),
    });
    const missing = steps({ run: 'true', fixture: 'no.toml' });
    expect(missing).toMatchObject({
      status: 78,
      stderr: expect.stringContaining('no.toml: cannot be read: there is no such file'),
    });
  });
});
