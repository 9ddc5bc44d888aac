// `npm run check`: runs every script of package.json whose name begins with `check:` in parallel, because each leaves a
// core idle for some of its time. `npm test [-- WORDS]`: also runs the tests, with these arguments. Prints the output
// of each check when it ends, and fails when one of them fails.
import { spawn } from 'node:child_process';
import { totalmem } from 'node:os';
import { text } from 'node:stream/consumers';
import { root, scripts } from './bundle.ts';

/**
 * Environment of the type checker, a short-lived Go program. Its garbage collector took a third of its time and freed
 * only a sixth of its memory, so it is off below 6 GiB, or half of the machine's memory.
 */
const GO = { GOGC: 'off', GOMEMLIMIT: `${Math.min(6 * 1024, Math.floor(totalmem() / 2 ** 21))}MiB` };

const [what, ...args] = process.argv.slice(2);
const running = Object.entries(scripts)
  .filter(([name]) => name.startsWith('check:'))
  .map(([name, command]) => check(name, command));
if (what === 'test') {
  const argv = ['run', '--config', 'test/vitest.config.ts', ...args];
  // The output of the tests is printed as it arrives.
  running.push(endOf(spawn('vitest', argv, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })));
}
const codes = await Promise.all(running);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** Runs a script of package.json, which needs npm's PATH. Resolves with the exit code; null after a signal. */
async function check(name: string, command: string): Promise<number | null> {
  const env = { ...GO, ...process.env };
  const child = spawn(`${command} 2>&1`, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const [output, code] = await Promise.all([text(child.stdout), endOf(child)]);
  process.stdout.write(output);
  if (code !== 0) process.stderr.write(`footbridge: ${name} failed: ${command}\n`);
  return code;
}

function endOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}
