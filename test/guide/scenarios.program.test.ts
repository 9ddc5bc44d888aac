import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { footbridgeCommand, startProgram, temporaryPlace } from '../cli/spawn.ts';
import { blockOf } from '../helpers/page-sessions.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = '.github/guide/scenarios.md';
/** A folder with the fixture of the guides, and with the libraries that their programs import. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(join(root, 'node_modules/discord.js'), join(cwd, 'node_modules/discord.js'));
  symlinkSync(root, join(cwd, 'node_modules/footbridge'));
  const all = { 'world.toml': blockOf('.github/guide/test-a-bot.md', 'toml', 'bot_user'), ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(cwd, name), text);
  return cwd;
}

const timed = (text: string): string => text.replaceAll(/\d+ ms/g, 'N ms');
/** What a page shows below a command, or all of a block without one. */
const shown = (words: string, page = PAGE): string =>
  timed(blockOf(page, 'console', words).replace(/^\$ .*\n/, ''));

it.each([
  ['test-a-bot', 'ping.toml', 'name = "the bot answers /ping"', 'listens.mjs', 'Routes.applicationCommands'],
  [
    'test-an-app',
    'harbour.toml',
    'name = "a friend may come along"',
    'app.mjs',
    "subscribe('ACTIVITY_JOIN_REQUEST'",
  ],
])(
  'the file of scenarios with which %s begins passes as shown',
  { timeout: 180_000 },
  async (topic, file, name, program, words) => {
    const page = `.github/guide/${topic}.md`;
    const cwd = folderWith({ [file]: blockOf(page, 'toml', name), [program]: blockOf(page, 'js', words) });
    const command = `footbridge emulator play ${file}`;
    expect(blockOf(page, 'console', command)).toContain(`$ ${command} -- node ${program}\n`);
    const { env } = temporaryPlace();
    const played = footbridgeCommand('emulator', 'play', file, '--', process.execPath, program);
    const { code, stdout } = await startProgram(played, { env, cwd }).ended;
    expect([code, timed(stdout)]).toEqual([0, shown(command, page)]);
  },
);

it('the scenarios of the guide pass with its bot, and fail as shown with another', {
  timeout: 180_000,
}, async () => {
  const cwd = folderWith({ 'ticket.toml': blockOf(PAGE, 'toml', 'name = "a ticket opens"') });
  const bot = blockOf(PAGE, 'js', "from 'discord.js'");
  const { env } = temporaryPlace();
  const play = async (program: string, ...more: string[]) => {
    writeFileSync(join(cwd, 'bot.mjs'), program);
    const words = ['emulator', 'play', 'ticket.toml', ...more, '--', process.execPath, 'bot.mjs'];
    return startProgram(footbridgeCommand(...words), { env, cwd }).ended;
  };

  const report = join(cwd, 'report.xml');
  const passed = await play(bot, '--junit', report);
  expect([passed.code, timed(passed.stdout)]).toEqual([0, shown('footbridge emulator play')]);
  expect(readFileSync(report, 'utf8')).toContain('tests="2" failures="0" skipped="0"');

  const failed = await play(bot.replace('Closed.', 'Done.'), '--only', 'a ticket opens');
  expect(failed.code).toBe(2);
  expect(timed(failed.stdout).split('What passed the bridge')[0]).toBe(shown('ticket.toml:10'));
  const json = await play(bot.replace('Closed.', 'Done.'), '--json');
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
    2,
    [{ file: 'ticket.toml', scenarios: [{ state: 'failed' }, { state: 'passed' }] }],
  ]);
  const tap = await play(bot, '--tap');
  expect([tap.code, tap.stdout]).toEqual([
    0,
    'TAP version 14\n1..2\nok 1 - a ticket opens\nok 2 - the bot answers whoever greets it\n',
  ]);
  const ended = await play('process.exit(3);');
  expect([ended.code, ended.stderr]).toEqual([
    1,
    expect.stringContaining('the bot exited with 3 before it had connected'),
  ]);
});

it('the scenario in a test passes with the bot of the guide, and fails with another at its own line', {
  timeout: 180_000,
}, async () => {
  const cwd = folderWith({ 'greets.test.mjs': blockOf(PAGE, 'js', "from 'node:test'") });
  const bot = blockOf(PAGE, 'js', "from 'discord.js'");
  const run = async (program: string) => {
    writeFileSync(join(cwd, 'bot.mjs'), program);
    const argv = [process.execPath, '--test', '--test-reporter=spec', 'greets.test.mjs'] as const;
    return startProgram(argv, { env: temporaryPlace().env, cwd }).ended;
  };
  expect(await run(bot)).toMatchObject({ code: 0 });
  const { code, stdout } = await run(bot.replace('Hello,', 'Good day,'));
  expect(code).toBe(1);
  expect(stdout).toContain('greets.test.mjs:15');
});
