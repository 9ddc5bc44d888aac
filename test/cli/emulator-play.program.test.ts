import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentFifo } from '../helpers/fifo.ts';
import { footbridgeCommand, startProgram, temporaryPlace } from './spawn.ts';

const SCENARIO = '[[scenario]]\nname = "time passes"\nstep = [{ advance = "1s" }]\n';
const WORLD = 'me = "300000000000000001"\nusers = [{ id = "300000000000000001", username = "ana" }]\n';

const BOT_WORLD = `me = "1"
users = [{ id = "1", username = "ana" }, { id = "10", username = "helper", bot = true }]
applications = [{ id = "10", name = "Helper", bot_user = "helper", intents = ["message_content"] }]

[[guilds]]
id = "20"
name = "Testers"
members = [{ user = "helper" }]
channels = [{ id = "22", name = "general", type = "text" }]
`;
/** A bot that ends when somebody says \`sink\`. */
const BOT = `
import { WebSocket } from ${JSON.stringify(import.meta.resolve('ws'))};
console.error('bot runs');
const api = process.env.FOOTBRIDGE_API;
const socket = new WebSocket((await (await fetch(api + '/v10/gateway')).json()).url);
socket.onmessage = ({ data }) => {
  const { op, t, d, s } = JSON.parse(data);
  if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token: process.env.FOOTBRIDGE_BOT_TOKEN, intents: 33281, properties: {} } }));
  if (op === 1) socket.send(JSON.stringify({ op: 1, d: null }));
  if (t === 'MESSAGE_CREATE' && d.content === 'sink') process.exit(7);
};
`;

/** A folder with files of scenarios, in which `play` runs. */
function folderWith(files: Readonly<Record<string, string>>) {
  const { folder, env } = temporaryPlace();
  const temporary = join(folder, 't');
  mkdirSync(temporary);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return {
    folder,
    play: (...words: readonly string[]) =>
      startProgram(footbridgeCommand('emulator', 'play', ...words), {
        cwd: folder,
        env: { ...env, TMPDIR: temporary },
      }),
    left: () => readdirSync(temporary).filter((name) => name.startsWith('footbridge-')),
  };
}

/** Whether a process runs: one that has ended is there until its parent has asked for its exit code. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Only Linux has the file.
    return String(error).includes('ENOENT') && process.platform !== 'linux';
  }
}

describe('footbridge emulator play', () => {
  it('plays more files than a process may have listeners for a signal, and prints nothing to stderr', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `${index}.toml`);
    const { play, left } = folderWith({
      'world.toml': WORLD,
      ...Object.fromEntries(
        names.map((name, index) => [
          name,
          // Neighbours differ, so that they do not share a bridge.
          `strict = ${index % 2 === 0}\nfixture = "world.toml"\n${SCENARIO}`,
        ]),
      ),
    });
    expect(await play(...names).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('12 scenarios: 12 passed'),
      stderr: '',
    });
    expect(left()).toEqual([]);
  });

  it('prints the report of --junit - alone to stdout, and the progress to stderr', async () => {
    const { folder, play } = folderWith({
      'world.toml': WORLD,
      'a.toml': `fixture = "world.toml"\n${SCENARIO}`,
    });
    const { code, stdout, stderr } = await play('a.toml', '--junit', '-').ended;
    expect([code, readdirSync(folder).includes('-')]).toEqual([0, false]);
    expect(stdout).toMatch(/^<\?xml .*<testcase classname="a.toml" name="time passes".*<\/testsuites>\n$/s);
    expect(stderr).toContain('1 scenario: 1 passed');
  });

  it.each([
    [['--fixture', ''], '--fixture: "" is not the path of a fixture file.'],
    [['--junit', ''], '--junit: "" is not the path of a file.'],
    [['--junit', '-', '--tap'], '--junit - and --tap both print a report. Give --junit a file.'],
    [['--junit', '-', '--json'], '--junit - and --json both print a report. Give --junit a file.'],
  ])('refuses %j in one line', async (words, text) => {
    const { play } = folderWith({ 'a.toml': SCENARIO });
    expect(await play('a.toml', ...words).ended).toMatchObject({
      code: 64,
      stdout: '',
      stderr: `footbridge: ${text} Try: footbridge emulator play --help\n`,
    });
  });

  it('reports an invalid fixture in one line and exits with 78', async () => {
    const { play, left } = folderWith({ 'a.toml': SCENARIO, 'world.toml': 'me = "x"\n' });
    expect(await play('a.toml', '--fixture', 'world.toml', '--', 'touch', 'ran').ended).toMatchObject({
      code: 78,
      stdout: '',
      stderr: expect.stringMatching(/^footbridge: \S+world\.toml: users: is missing\n$/),
    });
    expect(left()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'exits at %s while a fixture blocks, and leaves no files (not on Windows: no FIFO)',
    async (signal) => {
      const { folder, play, left } = folderWith({ 'a.toml': SCENARIO });
      silentFifo(join(folder, 'world.toml'));
      const running = play('a.toml', '--fixture', 'world.toml');
      await expect.poll(left, { timeout: 20_000 }).toHaveLength(1);
      running.child.kill(signal);
      const { code, signal: endedBy } = await running.ended;
      // While it looks into the file, the signal itself ends it.
      expect([128 + constants.signals[signal], signal]).toContain(code ?? endedBy);
      expect(left()).toEqual([]);
    },
  );

  it('shares a bot between files of one state, and starts it again after it has ended', async () => {
    const say = (name: string, text: string) =>
      `fixture = "world.toml"\n[[scenario]]\nname = "${name}"\nstep = [{ say = "${text}", in = "#general" }]\n`;
    const { play, left } = folderWith({
      'world.toml': BOT_WORLD,
      'a.toml': say('a', 'ahoy'),
      'b.toml': say('b', 'sink'),
      'c.toml': say('c', 'ahoy'),
      'd.toml': say('d', 'ahoy').replace('world', './world'),
      'e.toml': `strict = true\n${say('e', 'ahoy')}`,
      'f.toml': `fresh = true\n${say('f', 'ahoy')}\n${say('g', 'ahoy').replace(/^fixture.*/, '')}`,
      'bot.mjs': BOT,
    });
    const files = ['a.toml', 'b.toml', 'c.toml', 'd.toml', 'e.toml', 'f.toml'];
    const { code, stdout, stderr } = await play(...files, '--', process.execPath, 'bot.mjs').ended;
    expect([code, stdout.match(/^[✓✗] \w/gm)]).toEqual([
      2,
      ['✓ a', '✗ b', '✓ c', '✓ d', '✓ e', '✓ f', '✓ g'],
    ]);
    expect(stdout).toContain('error: the bot exited with 7');
    expect(stderr).toBe('bot runs\n'.repeat(5));
    expect(left()).toEqual([]);
  });

  it('says of each scenario that its bot did not start again, and goes on to the report', async () => {
    const say = (name: string, text: string) =>
      `[[scenario]]\nname = "${name}"\nstep = [{ say = "${text}", in = "#general" }]\n`;
    const { play, left } = folderWith({
      'world.toml': BOT_WORLD,
      'a.toml': `fixture = "world.toml"\n${say('a', 'sink')}${say('b', 'ahoy')}${say('c', 'ahoy')}`,
      'bot.mjs': `import { existsSync, writeFileSync } from 'node:fs';
if (existsSync('started')) process.exit(3);
writeFileSync('started', '');${BOT}`,
    });
    const { code, stdout } = await play('a.toml', '--', process.execPath, 'bot.mjs').ended;
    expect([code, stdout.match(/^[✓✗] \w|^error: .*/gm)]).toEqual([
      2,
      [
        '✗ a',
        'error: the bot exited with 7',
        '✗ b',
        'error: the bot exited with 3 before it had connected. Its own output says why.',
        '✗ c',
        'error: the bot exited with 3 before it had connected. Its own output says why.',
      ],
    ]);
    expect(stdout).toMatch(/^3 scenarios: 0 passed, 3 failed, \d+ ms\n$/m);
    expect(left()).toEqual([]);
  });

  it('ends the bot and the scenarios at a signal, which it names', async () => {
    const { play, left } = folderWith({ 'a.toml': SCENARIO, 'b.toml': SCENARIO });
    const bot = 'console.error("bot", process.pid, "runs"); setInterval(() => {}, 1000)';
    const running = play('a.toml', 'b.toml', '--', process.execPath, '-e', bot);
    const [, pid] = /^bot (\d+) runs$/m.exec(await running.stderrWith(' runs\n')) ?? [];
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('footbridge: SIGTERM has ended the scenarios.'),
    });
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    expect(left()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'ends what the command has started, too (not on Windows: no process groups)',
    async () => {
      const { play } = folderWith({ 'a.toml': SCENARIO });
      const bot = 'console.error("bot", process.pid, "runs"); setInterval(() => {}, 1000)';
      // A shell does not hand signals on.
      const running = play('a.toml', '--', 'sh', '-c', `"$0" -e '${bot}'; true`, process.execPath);
      const [, pid] = /^bot (\d+) runs$/m.exec(await running.stderrWith(' runs\n')) ?? [];
      running.child.kill('SIGTERM');
      expect(await running.ended).toMatchObject({ code: 1 });
      await expect.poll(() => runs(Number(pid))).toBe(false);
    },
  );
});
