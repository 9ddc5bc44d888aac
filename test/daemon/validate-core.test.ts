import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { validateCore } from '../../src/daemon/validate-core.ts';
import { attachingProgram } from '../helpers/attaching-program.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

async function judge(fault: string, command = attachingProgram(), attachMs = 20_000, LEFT?: string) {
  let stdout = '';
  const code = await validateCore({
    command,
    attachMs,
    env: { PATH: process.env['PATH'], FAULT: fault, LEFT },
    out: (text) => {
      stdout += text;
    },
  });
  return { code, said: stdout.replace(command, 'COMMAND') };
}

it.each([
  ['nothing', 0, 'keeps the contract; it answers 4 commands and comes back\n'],
  [
    'a wrong shape',
    1,
    'rule broken: the answer to GET_GUILDS has the documented shape; at "guilds.0.id": must be a text\n',
  ],
  ['any token', 1, 'rule broken: AUTHENTICATE refuses a token that was never issued (RpcError 4009)\n'],
  [
    'a wrong event',
    1,
    'rule broken: the data of the event GUILD_CREATE has the documented shape; at "id": is missing\n',
  ],
  [
    'a wrong version',
    1,
    'rule broken: it attaches with the code it was given; refused: not a hello of version 1: params.v\n',
  ],
  ['unasked answers', 1, 'rule broken: it answers only what it was asked, and once\n'],
  [
    'no memory',
    1,
    'rule broken: it comes back with its token when the bridge has restarted; refused: unknown code or token\n',
  ],
  // Without the control characters of its output.
  ['an end', 69, 'it ended with code 3\nnothing to do?\nand a reason\n'],
  // The last of its output.
  ['much output', 69, `it ended with code 3\n${'x'.repeat(1996)}end\n`],
])('a program whose fault is %s gets exit code %i and that report', async (fault, code, said) => {
  expect(await judge(fault)).toEqual({ code, said: `COMMAND: ${said}` });
});

it('a program that sends nonsense gets the reason why that is refused, whenever it is noticed', async () => {
  const { code, said } = await judge('nonsense');
  expect(code).toBe(1);
  expect(said).toMatch(/^COMMAND: rule broken: .*; refused: no message of this protocol\n$/);
});

it.each([
  ['false', 'it ended with code 1, and it wrote nothing\n'],
  ['kill -9 $$', 'it ended with signal SIGKILL, and it wrote nothing\n'],
  ['echo no; exit 4', 'it ended with code 4\nno\n'],
])('"%s" does not attach', async (command, said) => {
  expect(await judge('', command)).toEqual({ code: 69, said: `COMMAND: ${said}` });
});

it('a program that does not attach is ended after its time', async () => {
  expect(await judge('silence', attachingProgram(), 200)).toEqual({
    code: 69,
    said: 'COMMAND: it did not attach within 0.2 seconds\n',
  });
});

it('a program that does not come back in its time breaks a rule', async () => {
  const left = join(temporaryFolder(), 'left');
  const real = performance.now.bind(performance);
  // The time runs a hundred times as fast once the program has left.
  let leftAt: number | undefined;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    const now = real();
    if (leftAt === undefined && existsSync(left)) leftAt = now;
    return leftAt === undefined ? now : leftAt + 100 * (now - leftAt);
  });
  onTestFinished(() => clock.mockRestore());
  expect(await judge('', attachingProgram(), 20_000, left)).toEqual({
    code: 1,
    said: 'COMMAND: rule broken: it comes back with its token when the bridge has restarted, within 20 seconds\n',
  });
});

it.skipIf(process.platform !== 'linux')(
  'a program that does not attach is ended with all that it has started (Linux only)',
  async () => {
    const file = join(temporaryFolder(), 'pid');
    const { code } = await judge('', `sleep 1000 & echo $! > '${file}'; wait`, 500);
    expect(code).toBe(69);
    const pid = readFileSync(file, 'utf8').trim();
    const state = (): string => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] ?? '';
      } catch {
        return 'gone';
      }
    };
    await expect.poll(state).toMatch(/^(?:gone|Z|X)$/);
  },
);
