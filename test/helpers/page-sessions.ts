import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Daemon, startDaemon } from './daemon.ts';
import { programs } from './examples.ts';
import { PROGRAM } from './fault-bridge.ts';
import { type Fence, fences } from './markdown.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A command of a session that a page shows, with what is shown below it. */
export interface Step {
  readonly command: string;
  readonly printed: string;
}

/** The text of a page of the checkout. */
export function pageText(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** Every command of the sessions of a page, in their order. */
export function stepsOf(page: string): Step[] {
  return stepsIn(fences(pageText(page)));
}

/** Every command of the sessions among these blocks. */
export function stepsIn(blocks: readonly Fence[]): Step[] {
  return blocks
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split(/^\$ /m).slice(1))
    .map((step) => {
      const [command = '', ...printed] = step.trimEnd().split('\n');
      return { command, printed: printed.join('\n') };
    });
}

/** The only block of a page in that language whose text has these words in it. */
export function blockOf(page: string, language: string, words: string): string {
  const found = fences(pageText(page)).filter((one) => one.language === language && one.text.includes(words));
  const [block, ...others] = found;
  if (block === undefined || others.length > 0)
    throw new Error(`${page} has ${found.length} blocks in ${language} with ${JSON.stringify(words)}`);
  return block.text;
}

/** A shell next to a bridge, in which `footbridge` is the built program; stdout and stderr are one. */
export function shellFor(
  daemon: Pick<Daemon, 'folder' | 'env'>,
  more: Readonly<Record<string, string>> = {},
) {
  const bin = programs(join(daemon.folder, 'bin'), {
    footbridge: `exec '${process.execPath}' '${PROGRAM}' "$@"`,
  });
  const env = { ...daemon.env, ...more, PATH: `${bin}:${process.env['PATH']}` };
  const start = (command: string) =>
    spawn('bash', ['-c', `exec 2>&1\n${command}`], { env, cwd: daemon.folder });
  const run = async (command: string): Promise<string> => {
    const chunks = await start(command).stdout.toArray();
    return Buffer.concat(chunks as Buffer[])
      .toString()
      .trim();
  };
  return { start, run };
}

/** A built bridge for one test. */
export async function bridgeWith(...args: readonly string[]): Promise<Daemon> {
  const daemon = await startDaemon({ args: ['--http-port', '0', ...args] });
  onTestFinished(async () => void (await daemon.stop()));
  return daemon;
}

/** Without what a slow machine says besides. */
export const unhurried = (text: string): string => text.replaceAll(/^footbridge: waiting\b.*\n?/gm, '');

/** Text without what differs each day or run: processes, times, ids that users type, addresses, and the width of columns. */
export function timeless(text: string): string {
  return text
    .replaceAll(/\/\S*\/node\b/g, 'NODE')
    .replaceAll(/\bpid \d+/g, 'pid N')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'WHEN')
    .replaceAll(/\b(Request )[a-z0-9]{5}\b|^[a-z0-9]{5}(?= {2})/gm, '$1ID')
    .replaceAll(/ {2,}/g, '  ');
}
