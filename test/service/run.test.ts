import { expect, it } from 'vitest';
import { programRunner } from '../../service/run.ts';

const run = programRunner({ PATH: process.env['PATH'], GREETING: 'hello' });
const node = (code: string): [string, ...string[]] => [process.execPath, '-e', code];

it('gives the output, the exit code and only the environment it was given', async () => {
  const script =
    'console.log(process.env.GREETING, process.env.HOME); console.error("oh"); process.exitCode = 3';
  expect(await run(node(script))).toEqual({ code: 3, stdout: 'hello undefined\n', stderr: 'oh\n' });
});

it('has no shell in between', async () => {
  expect((await run([process.execPath, '-p', 'process.argv[1]', '$HOME; `id`'])).stdout).toBe(
    '$HOME; `id`\n',
  );
});

it('gives nothing to read', async () => {
  expect((await run(node('process.stdin.resume().on("end", () => console.log("end"))'))).stdout).toBe(
    'end\n',
  );
});

it('tells a program that was killed from one that ended', async () => {
  expect((await run(node('process.kill(process.pid, "SIGKILL")'))).code).toBeUndefined();
});

it('rejects when there is no such program', async () => {
  await expect(run(['/nowhere/at-all'])).rejects.toMatchObject({ code: 'ENOENT' });
});
