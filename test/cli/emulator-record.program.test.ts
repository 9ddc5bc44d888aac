import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/testing/entry.ts';
import { footbridgeCommand, startProgram, temporaryPlace } from './spawn.ts';

it('writes a scenario that passes at once, and no file where nothing was done', async () => {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  const { folder } = temporaryPlace();
  const place = { cwd: folder, env: { ...process.env, ...bridge.env, NO_COLOR: '1' } };
  const record = async (act: () => Promise<unknown>, ...more: readonly string[]) => {
    const words = ['emulator', 'record', 'own.toml', '--name', 'heron says', ...more];
    const program = startProgram([...footbridgeCommand(), ...words], place);
    await program.stderrWith('Recording; Ctrl-C ends it.\n');
    await act();
    program.child.kill('SIGINT');
    return program.ended;
  };
  expect(await record(() => Promise.resolve())).toMatchObject({
    code: 1,
    stderr:
      'Recording; Ctrl-C ends it.\nNothing was done that a scenario has a step for; no file is written.\n',
  });
  const file = join(folder, 'own.toml');
  expect(existsSync(file)).toBe(false);
  const say = { channel: 'general', text: 'hello', author: 'heron' };
  expect(await record(() => bridge.operations.call('channel.say', say))).toMatchObject({
    code: 0,
    stdout: '1 step is in own.toml. Play it: footbridge emulator play own.toml\n',
  });
  expect(readFileSync(file, 'utf8')).toBe(
    '[[scenario]]\nname = "heron says"\nstep = [\n  { as = "heron", say = "hello", in = "#general" },\n]\n',
  );
  const lake = await bridge.world({ name: 'lake' });
  const inLake = async () => {
    await bridge.operations.call('channel.say', { ...say, text: 'not in the lake' });
    await lake.operations.call('guild.set', { id: '400000000000000001', field: 'name', value: 'Lake' });
  };
  expect(await record(inLake, '--world', 'lake')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toContain(
    'step = [\n  { operate = "guild.set", args = { id = "400000000000000001", field = "name", value = "Lake" } },\n]\n',
  );
  const dash = await startProgram([...footbridgeCommand(), 'emulator', 'record', '-'], place).ended;
  expect(dash).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('-: cannot be written: this does not go to stdout. Name a file'),
  });
  const played = await startProgram([...footbridgeCommand(), 'emulator', 'play', 'own.toml'], place).ended;
  expect(played).toMatchObject({ code: 0, stdout: expect.stringContaining('1 scenario: 1 passed') });
}, 120_000);

it.each<[what: string, told: string]>([
  ['its world is removed', 'There is no world "lake": this bridge has no worlds.'],
  ['it is ended elsewhere', 'The recording was ended elsewhere, such as in the console.'],
])(
  'ends with the reason when %s',
  async (what, told) => {
    const bridge = await startEmulator();
    onTestFinished(() => bridge.close());
    const lake = await bridge.world({ name: 'lake' });
    const { folder } = temporaryPlace();
    const place = { cwd: folder, env: { ...process.env, ...bridge.env, NO_COLOR: '1' } };
    const words = ['emulator', 'record', 'own.toml', '--world', 'lake'];
    const program = startProgram([...footbridgeCommand(), ...words], place);
    await program.stderrWith('Recording; Ctrl-C ends it.\n');
    if (what.includes('world')) await lake.close();
    else await lake.operations.call('record.stop');
    expect(await program.ended).toMatchObject({
      code: 1,
      stderr: `Recording; Ctrl-C ends it.\nfootbridge: ${told}\n`,
    });
  },
  60_000,
);

it('names the fixture of the bridge as seen from the file', async () => {
  const { folder } = temporaryPlace();
  const fixture = `me = "1000000000000000001"
users = [{ id = "1000000000000000001", username = "ana" }]
[[guilds]]
id = "1000000000000000020"
name = "Testers"
owner = "ana"
channels = [{ id = "1000000000000000022", name = "general", type = "text" }]
`;
  writeFileSync(join(folder, 'world.toml'), fixture);
  const bridge = await startEmulator({ fixture: join(folder, 'world.toml') });
  onTestFinished(() => bridge.close());
  const place = { cwd: folder, env: { ...process.env, ...bridge.env, NO_COLOR: '1' } };
  mkdirSync(join(folder, 'tests'));
  const file = join('tests', 'own.toml');
  const program = startProgram([...footbridgeCommand(), 'emulator', 'record', file], place);
  await program.stderrWith('Recording; Ctrl-C ends it.\n');
  const id = (await bridge.operations.call('channel.say', { channel: 'general', text: 'hello' })).id;
  await bridge.operations.call('message.react', { message: id, emoji: '🌊' });
  program.child.kill('SIGINT');
  expect((await program.ended).stdout).toBe(
    `2 steps are in ${file}. Play it: footbridge emulator play ${file}\n`,
  );
  expect(readFileSync(join(folder, file), 'utf8').split('\n').slice(0, 3)).toEqual([
    'fixture = "../world.toml"',
    '',
    '[[scenario]]',
  ]);
  await bridge.operations.call('record.start');
  await bridge.operations.call('channel.say', { channel: 'general', text: 'hello' });
  const { text } = await bridge.operations.call('record.stop');
  expect(text).toContain(`fixture = "${join(folder, 'world.toml').replaceAll('\\', '/')}"\n`);
}, 120_000);
