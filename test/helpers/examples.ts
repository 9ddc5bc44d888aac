import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliCommand } from '../../src/cli/command.ts';
import { commandTable } from '../../src/cli/table.ts';

/** Commands whose examples need a service manager, or minutes: test/system/examples.test.ts runs those. */
export const runInSystemTests = ({ name, group }: CliCommand): boolean =>
  group === 'service' || name === 'conformance';

/** Commands whose examples need a browser: test/picture/page/examples.test.ts runs those. */
export const needsBrowser = ({ name }: CliCommand): boolean => name === 'emulator picture';

/** An example of the help, with the command that it is of. */
export interface Example {
  readonly command: CliCommand;
  readonly line: string;
}

/** Commands of which every example does. */
const wholePrograms: readonly string[] = [
  'bugreport',
  'run',
  'emulate',
  'env',
  'exec',
  'forward',
  'completion',
  'emulator apply',
  'emulator export',
  'emulator import',
  'emulator play',
  'emulator record',
  'journal',
  'token',
  'console',
  'record',
  'replay',
];

/** Whether an example needs a process of its own, a shell, or files: test/cli/examples.program.test.ts runs those. */
export const isWhole = ({ command: { name }, line }: Example): boolean =>
  // --scopes keeps a token in the folder of the process.
  wholePrograms.includes(name) || !line.startsWith('footbridge ') || line.includes('--scopes');

/** Every example for which `wanted` is true, as rows for `it.each`. */
export function examplesOf(wanted: (example: Example) => boolean): (readonly [string, Example])[] {
  return commandTable
    .flatMap((command) => command.examples.map(([line]) => ({ command, line })))
    .filter(wanted)
    .map((example) => [example.line, example]);
}

/** The words behind the program's name, as a shell reads them. */
export function wordsOf(line: string): string[] {
  const typed = line.replace(/^footbridge /, '').trim();
  // Nothing in it means anything to a shell, which takes a while to start.
  if (/^[\w ,.:/@=+-]+$/.test(typed)) return typed.split(/ +/);
  const script = `set -- ${typed}; printf '%s\\0' "$@"`;
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.split('\0').slice(0, -1);
}

/** Programs of these names and shell scripts, in a folder for PATH; returns the folder. */
export function programs(folder: string, scripts: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
