// `npm run check [-- build]`: every script of package.json whose name begins with `check:`, at once, since each leaves a core
// idle some of its time; with `build` a fresh dist/ beside them. Prints what each has said when it ends, and fails when one does.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { root } from './bundle.ts';

const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const checks = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
if (process.argv[2] === 'build') checks.unshift(['build', `"${process.execPath}" .ci/setup.mjs build`]);

const codes = await Promise.all(checks.map(([name, command]) => run(name, command)));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** Runs a line of package.json, which finds its program as npm lets it; resolves with the exit code, null after a signal. */
async function run(name: string, command: string): Promise<number | null> {
  const child = spawn(`${command} 2>&1`, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  const [said, code] = await Promise.all([text(child.stdout), ended]);
  process.stdout.write(said);
  if (code !== 0) process.stderr.write(`footbridge: ${name} failed: ${command}\n`);
  return code;
}
