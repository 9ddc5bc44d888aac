import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { ids } from '../helpers/emulator-world.ts';

async function started() {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const run = async (...words: string[]) => {
    const io = fakeIo(emulator.env);
    const code = await runProgram(['emulator', ...words], commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout) as unknown;
  return { emulator, run, json };
}

it('emulator users lists ids and names, with the logged-in user', async () => {
  const { run, json } = await started();
  const { stdout } = await run('users');
  expect(stdout).toMatch(/^ID +USERNAME +NAME +KIND\n/);
  expect(stdout).toMatch(new RegExp(`^${ids.heron} +heron +Heron +user$`, 'm'));
  expect(await json('users')).toContainEqual({
    id: ids.heron,
    username: 'heron',
    global_name: 'Heron',
    bot: false,
    me: false,
    status: 'online',
  });
  await run('user', 'switch', 'heron');
  expect((await run('users')).stdout).toMatch(/ heron +Heron +you$/m);
});

it('emulator channels lists ids, names, types and guilds', async () => {
  const { run, json } = await started();
  expect((await run('channels')).stdout).toMatch(new RegExp(`^${ids.general} +general +text +\\S`, 'm'));
  expect(await json('channels')).toContainEqual(expect.objectContaining({ id: ids.general, type: 'text' }));
});

it('emulator read prints the last messages of a channel without control characters', async () => {
  const { run, json } = await started();
  for (const text of ['one', 'two', 'three\u001b[2J\nfour'])
    await run('say', 'general', text, '--as', 'heron');
  const { stdout } = await run('read', 'general', '--limit', '2');
  const head = expect.stringMatching(/^Heron on the Bank {2}[\d-]+ [\d:]+ UTC {2}\d+$/) as string;
  expect(stdout.split('\n')).toEqual([head, '  two', '', head, '  three?[2J', '  four', '']);
  expect(await json('read', 'general', '--limit', '1')).toEqual([
    expect.objectContaining({ channel: ids.general, username: 'heron', content: 'three\u001b[2J\nfour' }),
  ]);
});

it('emulator read @USER reads the private channel, which it does not open', async () => {
  const { emulator, run } = await started();
  expect((await run('read', '@heron')).stdout).toBe('There is no message.\n');
  const { private_channels: channels } = (await emulator.operations.call('emulator.show')) as {
    private_channels: object[];
  };
  expect(channels).toEqual([]);
  await run('say', '@heron', 'psst');
  expect((await run('read', '@heron')).stdout).toMatch(/ psst\n$/);
});

it.each([
  [['read', 'nowhere'], 'nowhere'],
  [['read', '@nobody'], 'nobody'],
  [['read', 'general', '--limit', '0'], 'limit'],
  [['read', 'general', '--limit', '101'], 'limit'],
  [['read', 'general', '--limit', 'x'], '--limit: "x" is no whole number.'],
  [['read'], 'CHANNEL is missing'],
])('emulator %j is refused in one line', async (words, problem) => {
  const { run } = await started();
  const { code, stdout, stderr } = await run(...words);
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain(problem);
  expect(stderr.trimEnd()).not.toContain('\n');
});

it('emulator voice get lists each setting with the key that voice set takes', async () => {
  const { run, json } = await started();
  await run('voice', 'set', 'input.volume', '55');
  const { stdout } = await run('voice', 'get');
  expect(stdout).toMatch(/^input\.volume +55$/m);
  expect(stdout).toMatch(/^mode\.type +\w+$/m);
  expect(await json('voice', 'get')).toMatchObject({ input: { volume: 55 } });
});
