import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { rowsOf } from '../../src/emulator/compose/fixture/fixture.ts';
import { stateText } from '../../src/emulator/compose/fixture/state-file.ts';
import { fixtureToToml } from '../../src/emulator/compose/fixture/toml.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { examplesOf, isWhole, programs } from '../helpers/examples.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { footbridgeCommand, startProgram, temporaryPlace } from './spawn.ts';

const PATCH = '{"guilds":[{"id":"400000000000000001","name":"Other Bank"}]}';

const SCENARIO =
  '[[scenario]]\nname = "ticket opens"\nstep = [{ as = "otter", say = "hello", in = "#general" }]\n';
/** The least that connects: an app of the RPC protocol. */
const BOT = `const body = Buffer.from('{"v":1,"client_id":"300000000000000001"}');
const head = Buffer.alloc(8);
head.writeUInt32LE(body.length, 4);
require('node:net').connect(process.env.FOOTBRIDGE_ENDPOINT).write(Buffer.concat([head, body]));
`;

describe('an example of a whole program works as it is typed:', () => {
  const rows = examplesOf(isWhole);
  it.each(rows)('%s', async (line, { command }) => {
    const place = temporaryPlace();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'world.toml'), await fixtureToToml(defaultFixture()));
    writeFileSync(join(cwd, 'patch.json'), PATCH);
    writeFileSync(join(cwd, 'ticket.toml'), SCENARIO);
    writeFileSync(join(cwd, 'bot.js'), BOT);
    writeFileSync(join(cwd, 'world.jsonl'), stateText(rowsOf(defaultFixture())));
    const path = programs(join(cwd, 'bin'), {
      footbridge: `exec ${footbridgeCommand('"$@"')
        .map((word) => (word === '"$@"' ? word : `'${word}'`))
        .join(' ')}`,
      npm: '[ "$1" = test ] && test -S "$XDG_RUNTIME_DIR/discord-ipc-0"',
      python: '[ "$1" = bot_test.py ] && test -S "$XDG_RUNTIME_DIR/discord-ipc-0"',
      'xdg-open': 'exit 0',
      ssh: 'shift; exec "$@"',
      // `docker run -v FOLDER:…`, and `docker exec -i web COMMAND`.
      docker: 'if [ "$1" = run ]; then case "$3" in /*:/*) exit;; *) exit 1;; esac; fi; shift 3; exec "$@"',
    });
    programs(cwd, { 'my-game': 'test -S "$XDG_RUNTIME_DIR/discord-ipc-0"' });
    const env = { ...place.env, PATH: `${path}:${place.env['PATH']}` };
    if (command.name === 'run') {
      // Behind --core upstream is nobody here: that is for the log to say.
      const running = startProgram(['bash', '-c', `exec ${line}`], { env, cwd });
      expect(await running.stdoutWith('\n')).toMatch(
        line.includes('--json') ? /^\{"ready":true,/ : /is ready/,
      );
      running.child.kill('SIGTERM');
      expect((await running.ended).code).toBe(0);
      return;
    }
    if (!['emulate', 'completion'].includes(command.name)) {
      const bridge = await startEmulator({ consent: 'allow' });
      onTestFinished(() => bridge.close());
      Object.assign(env, bridge.env);
    }
    if (command.name === 'forward') {
      const typed = line.replace(/\/\S*(?=\/discord-ipc-0)/, cwd);
      const running = startProgram(['bash', '-c', `exec ${typed}`], { env, cwd });
      expect(await running.stderrWith('Forwarding')).toContain('rights: presence');
      running.child.kill('SIGTERM');
      expect((await running.ended).code).toBe(0);
      return;
    }
    if (command.name === 'emulator record') {
      const running = startProgram(['bash', '-c', `exec ${line}`], { env, cwd });
      await running.stderrWith('Recording');
      const act = startProgram(['footbridge', 'emulator', 'say', 'general', 'hello'], { env, cwd });
      expect((await act.ended).code).toBe(0);
      running.child.kill('SIGTERM');
      expect((await running.ended).code).toBe(0);
      return;
    }
    if (line.endsWith(' &')) {
      // In the background of a shell it would outlive the shell, and hold the pipe to its end open.
      const running = startProgram(['bash', '-c', `exec ${line.slice(0, -' &'.length)}`], { env, cwd });
      await expect.poll(() => readFileSync(join(cwd, 'bridge.json'), 'utf8')).toMatch(/^\{.*\}\n$/);
      running.child.kill('SIGTERM');
      expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
      return;
    }
    if (line.includes('--follow') || command.name === 'console') {
      const running = startProgram(['bash', '-c', `exec ${line}`], { env, cwd });
      await running.stdoutWith(command.name === 'console' ? '/enter?key=' : '"VOICE_SETTINGS_UPDATE"');
      running.child.kill('SIGTERM');
      await running.ended;
      return;
    }
    if (line.includes('endpoints --path')) {
      const made = `footbridge endpoints add path --path '${join(cwd, 'apps', 'discord-ipc-0')}'`;
      expect((await startProgram(['bash', '-c', made], { env, cwd }).ended).code).toBe(0);
    }
    if (command.name === 'replay') {
      const made = 'footbridge record talk.ndjson -- footbridge call GET_GUILDS --scopes rpc';
      expect((await startProgram(['bash', '-c', made], { env, cwd }).ended).code).toBe(0);
    }
    const shell = /zsh/.exec(line)?.[0] ?? /fish/.exec(line)?.[0] ?? 'bash';
    if (spawnSync(shell, ['-c', 'exit 0']).status !== 0) return;
    // There is no PowerShell here: what it is handed is what can be shown.
    const typed = line.includes('powershell') ? (line.split(' |')[0] ?? '') : line;
    const { code, stderr } = await startProgram([shell, '-c', typed], { env, cwd }).ended;
    expect({ code, stderr: line.includes('--quiet') ? stderr : '' }).toEqual({ code: 0, stderr: '' });
  });
});
