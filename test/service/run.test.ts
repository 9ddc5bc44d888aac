import { expect, it } from 'vitest';
import { programRunner } from '../../service/run.ts';

const run = programRunner({ PATH: process.env['PATH'], GREETING: 'hello' });
const node = (code: string): [string, ...string[]] => [process.execPath, '-e', code];

it('the program runner returns output and exit code, and passes only its own environment', async () => {
  const script =
    'console.log(process.env.GREETING, process.env.HOME); console.error("oh"); process.exitCode = 3';
  expect(await run(node(script))).toEqual({ code: 3, stdout: 'hello undefined\n', stderr: 'oh\n' });
});

it('the program runner uses no shell', async () => {
  expect((await run([process.execPath, '-p', 'process.argv[1]', '$HOME; `id`'])).stdout).toBe(
    '$HOME; `id`\n',
  );
});

it('the program runner passes an empty standard input', async () => {
  expect((await run(node('process.stdin.resume().on("end", () => console.log("end"))'))).stdout).toBe(
    'end\n',
  );
});

it('the program runner returns no exit code for a program that was killed', async () => {
  expect((await run(node('process.kill(process.pid, "SIGKILL")'))).code).toBeUndefined();
});

it.each([
  ['time', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'],
  ['output', 'for (;;) require("fs").writeSync(1, "x".repeat(65536))'],
])('the program runner kills a program that exceeds its limit of %s', async (_limit, code) => {
  const { code: exit } = await programRunner({}, 500)(node(code));
  expect(exit).toBeUndefined();
});

it('the program runner rejects when the program does not exist', async () => {
  await expect(run(['/nowhere/at-all'])).rejects.toMatchObject({ code: 'ENOENT' });
});
