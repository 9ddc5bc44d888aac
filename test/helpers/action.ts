import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { temporaryFolder } from './sockets.ts';

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

/** Files of a runner to which a step writes. */
const OUTPUTS = ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT'] as const;

/** The action for GitHub, as it is written. */
export const action = parse(readFileSync(FILE, 'utf8')) as Action;

/**
 * Runs the steps as a runner does, with bash as it calls it, until one fails. `programs` are scripts by their names. Throws
 * for an input that the action does not have.
 */
export function runAction(
  inputs: Readonly<Record<string, string>>,
  programs: Readonly<Record<string, string>> = {},
) {
  const unknown = Object.keys(inputs).find((name) => action.inputs[name] === undefined);
  if (unknown !== undefined) throw new Error(`there is no input ${unknown}`);
  const folder = temporaryFolder();
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_all, name: string) => {
      const input = action.inputs[name];
      if (input === undefined) throw new Error(`there is no input ${name}`);
      return inputs[name] ?? input.default ?? '';
    });
  for (const name of OUTPUTS) writeFileSync(join(folder, name), '');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const ended = { status: null as number | null, stdout: '', stderr: '' };
  for (const [index, step] of action.runs.steps.entries()) {
    const script = join(folder, `step-${index}.sh`);
    writeFileSync(script, step.run);
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text)]);
    const result = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: join(folder, filled(step['working-directory'] ?? '.')),
      env: {
        PATH: `${bin}:${process.env['PATH']}`,
        HOME: folder,
        GITHUB_ACTION_PATH: dirname(FILE),
        RUNNER_TEMP: folder,
        ...Object.fromEntries(OUTPUTS.map((name) => [name, join(folder, name)])),
        ...(Object.fromEntries(own) as Record<string, string>),
      },
      encoding: 'utf8',
    });
    ended.status = result.status;
    ended.stdout += result.stdout;
    ended.stderr += result.stderr;
    if (result.status !== 0) break;
  }
  /** What the steps left for those that follow, by line. */
  const left = (name: (typeof OUTPUTS)[number]): string[] =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
  return { folder, ...ended, left };
}
