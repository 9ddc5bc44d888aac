import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { startEmulator } from '../../../src/testing/testing.ts';
import { fakeIo } from '../fake-io.ts';
import { footbridge, footbridgeCommand, startFootbridge, startProgram, temporaryPlace } from '../spawn.ts';

async function bridge() {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const { folder, endpoint } = emulator;
  const place = temporaryPlace();
  return { emulator, folder, endpoint, place: { ...place, env: { ...place.env, XDG_RUNTIME_DIR: folder } } };
}

async function run(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const io = fakeIo(env);
  const code = await runProgram(argv, commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

const NO_BRIDGE = /^footbridge: No bridge runs for \S+\. Start one with: footbridge run\n$/;

describe('footbridge env', () => {
  it('prints the addresses of the running bridge for each shell and as JSON', async () => {
    const { emulator, folder, endpoint, place } = await bridge();
    const variables = {
      XDG_RUNTIME_DIR: folder,
      FOOTBRIDGE_ENDPOINT: endpoint,
      FOOTBRIDGE_API: emulator.api,
      FOOTBRIDGE_WS: emulator.env['FOOTBRIDGE_WS'],
      FOOTBRIDGE_CONTROL: emulator.env['FOOTBRIDGE_CONTROL'],
    };
    const json = await run(['env', '--json'], place.env);
    expect({ ...json, stdout: JSON.parse(json.stdout) as unknown }).toEqual({
      code: 0,
      stdout: variables,
      stderr: '',
    });
    const { stdout } = await run(['env'], place.env);
    expect(stdout.split('\n')).toEqual([
      ...Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`),
      '',
    ]);
    expect((await run(['env', '--shell', 'fish'], place.env)).stdout).toContain(
      `set -gx FOOTBRIDGE_ENDPOINT '${endpoint}'\n`,
    );
    expect((await run(['env', '--shell', 'powershell'], place.env)).stdout).toContain(
      `$env:FOOTBRIDGE_ENDPOINT = '${endpoint}'\n`,
    );
  });

  it('is evaluated by a shell whose commands then reach the bridge from any folder of endpoints', async () => {
    const { folder, place } = await bridge();
    const footbridge = footbridgeCommand()
      .map((word) => `'${word}'`)
      .join(' ');
    const script = `eval "$(${footbridge} env)"; export XDG_RUNTIME_DIR=/nowhere; ${footbridge} call GET_GUILDS --scopes rpc && ${footbridge} status --json`;
    const { code, stdout } = await startProgram(['sh', '-c', script], { env: place.env }).ended;
    expect(code).toBe(0);
    expect(stdout).toContain('"guilds"');
    expect(stdout).toContain(`"path":"${folder}/discord-ipc-0"`);
  });

  it('quotes a folder with a hostile name', async () => {
    const place = temporaryPlace();
    const folder = join(place.folder, `a'b "$(id)" \`x\` \\ é`);
    mkdirSync(folder, { mode: 0o700 });
    const env = { ...place.env, XDG_RUNTIME_DIR: folder };
    const daemon = startFootbridge({ ...place, env }, [
      'run',
      '--json',
      '--http-port',
      '0',
      '--ws-port',
      'off',
    ]);
    await daemon.stdoutWith('\n');
    const { stdout } = await run(['env'], env);
    const { stdout: read } = spawnSync(
      'sh',
      ['-c', 'eval "$1"; printf %s "$FOOTBRIDGE_ENDPOINT"', 'sh', stdout],
      {
        encoding: 'utf8',
        env: {},
      },
    );
    expect(read).toBe(join(folder, 'discord-ipc-0'));
    expect(stdout).not.toContain('FOOTBRIDGE_WS');
    daemon.child.kill('SIGTERM');
    await daemon.ended;
  });

  it('names the endpoint that other libraries find before that of the bridge', async () => {
    const place = temporaryPlace();
    const other = createServer(() => {});
    await new Promise<void>((resolve) => other.listen(join(place.folder, 'discord-ipc-0'), resolve));
    onTestFinished(() => void other.close());
    const daemon = startFootbridge(place, ['run', '--json', '--http-port', '0', '--ws-port', 'off']);
    await daemon.stdoutWith('\n');
    const { stdout, stderr } = await run(['env', '--json'], place.env);
    expect(JSON.parse(stdout)).toMatchObject({ FOOTBRIDGE_ENDPOINT: join(place.folder, 'discord-ipc-1') });
    expect(stderr).toMatch(
      /^footbridge: only apps that read FOOTBRIDGE_ENDPOINT reach the bridge; others find \S+discord-ipc-0 first: .+\n$/,
    );
    daemon.child.kill('SIGTERM');
    await daemon.ended;
  });

  it('exits with 69 and one line when no bridge runs, and with 64 for an unknown shell', async () => {
    const { env } = temporaryPlace();
    for (const argv of [['env'], ['env', '--json'], ['exec', '--', 'true']])
      expect(await run(argv, env)).toEqual({
        code: 69,
        stdout: '',
        stderr: expect.stringMatching(NO_BRIDGE) as string,
      });
    expect(await run(['env', '--shell', 'csh'], env)).toMatchObject({ code: 64, stdout: '' });
    expect(await run(['exec'], env)).toMatchObject({ code: 64, stdout: '' });
  });
});

describe('footbridge exec', () => {
  it('runs the command with the variables, its arguments as they are, stdin and stdout, and returns its code', async () => {
    const { endpoint, place } = await bridge();
    const script = 'cat; printf "%s|" "$@" "$FOOTBRIDGE_ENDPOINT" "$OTHER"; echo err >&2; exit 7';
    const words = ['exec', '--', 'sh', '-c', script, 'sh', '--json', '', 'a b', '$x'];
    const running = startFootbridge({ ...place, env: { ...place.env, OTHER: 'kept' } }, words);
    running.child.stdin?.end('typed\n');
    expect(await running.ended).toEqual({
      code: 7,
      signal: null,
      stdout: `typed\n--json||a b|$x|${endpoint}|kept|`,
      stderr: 'err\n',
    });
  });

  it.each<[string, number, RegExp]>([
    [
      '/nowhere/program',
      127,
      /^footbridge: the command "\/nowhere\/program" cannot be started: .+ENOENT.*\.\n$/,
    ],
    ['no-such-program', 127, /no such file/],
    ['FOLDER', 126, /EACCES/],
    ['TEXT', 126, /EACCES/],
  ])('exits with the code of env(1) for the command %s', async (name, code, text) => {
    const { place } = await bridge();
    const file = join(place.folder, 'text');
    writeFileSync(file, 'text');
    chmodSync(file, 0o644);
    const command = name === 'FOLDER' ? place.folder : name === 'TEXT' ? file : name;
    const ended = await footbridge(place, 'exec', '--', command);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(text) as string });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)(
    'forwards %s to the command and ends with its exit code',
    async (signal) => {
      const { place } = await bridge();
      const script = `trap 'echo got; exit 9' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`;
      const running = startFootbridge(place, ['exec', '--', 'sh', '-c', script]);
      await running.stdoutWith('ready\n');
      running.child.kill(signal);
      expect(await running.ended).toEqual({ code: 9, signal: null, stdout: 'ready\ngot\n', stderr: '' });
    },
  );

  it('exits with 128 and the number of the signal that ended the command', async () => {
    const { place } = await bridge();
    expect((await footbridge(place, 'exec', '--', 'sh', '-c', 'kill -KILL $$')).code).toBe(137);
  });

  it('ends on a signal while the bridge does not answer', async () => {
    const place = temporaryPlace();
    const own = join(place.folder, `footbridge-${process.getuid?.()}`);
    mkdirSync(own, { mode: 0o700 });
    const hung = createServer(() => {});
    await new Promise<void>((resolve) => hung.listen(join(own, 'control.sock'), resolve));
    onTestFinished(() => void hung.close());
    const running = startFootbridge(place, ['exec', '--', 'true']);
    await running.stderrWith('does not answer yet');
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 143, stdout: '' });
  });

  it('leads a private bridge inside it to itself', async () => {
    const { endpoint, place } = await bridge();
    const inner = footbridgeCommand('emulate', '--quiet', '--', 'sh', '-c', 'echo "$FOOTBRIDGE_ENDPOINT"');
    const { code, stdout } = await footbridge(place, 'exec', '--', ...inner);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\/.+\/discord-ipc-0\n$/);
    expect(stdout).not.toBe(`${endpoint}\n`);
  });
});
