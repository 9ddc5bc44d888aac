// The commands of the guide for sandboxes, with stand-ins for container engines that mount what they are told.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckResult } from '../../src/cli/doctor/check.ts';
import { createRuntime, startDaemon } from '../helpers/daemon.ts';
import { programs } from '../helpers/examples.ts';
import { PROGRAM } from '../helpers/fault-bridge.ts';
import { canSandbox, flatpakSandbox } from '../helpers/flatpak-sandbox.ts';
import { blockOf, bridgeWith, shellFor, stepsOf, timeless } from '../helpers/page-sessions.ts';
import { freePort } from '../helpers/sockets.ts';

/** The checkout, which may be below a folder that a container does not see. */
const CHECKOUT = dirname(dirname(PROGRAM));
const PAGE = '.github/guide/sandboxes.md';
const RUNTIME = '/run/user/1000';
const SET = `call SET_ACTIVITY '{"pid":1,"activity":{"state":"hello"}}'`;
const AUTHORIZE = `call AUTHORIZE '{"client_id":"300000000000000001","scopes":["rpc"]}'`;

it('the variables lead a shell and a command to the bridge', async () => {
  const daemon = await bridgeWith('--ws-port', 'off');
  const { run } = shellFor(daemon);
  const [first, second, third] = stepsOf(PAGE);
  const printed = await run(`${first?.command}\n${second?.command}`);
  expect(printed.replaceAll(daemon.folder, RUNTIME)).toBe(second?.printed);
  expect((await run(third?.command ?? '')).replaceAll(daemon.folder, RUNTIME)).toBe(third?.printed);
  for (const command of ['footbridge env --shell fish'])
    expect(await run(command)).toContain(`'${daemon.folder}'`);
});

it.skipIf(!canSandbox)('doctor shows what a Flatpak sees (needs bwrap)', async () => {
  const daemon = await bridgeWith('--ws-port', 'off');
  const id = 'org.example.Game';
  const socket = join(daemon.folder, 'discord-ipc-0');
  await flatpakSandbox({ folder: daemon.folder, id, runtime: RUNTIME, socket });
  const step = stepsOf(PAGE).find(({ command }) => command.includes(id));
  const lines = (await shellFor(daemon).run(step?.command ?? '')).split('\n');
  // Other tests may run sandboxes, too, so the id of the check may be on the line of one of them.
  const plain = (line: string): string => timeless(line).replace(/^(?:ok|warning)? *(?:sandboxes)? */, '');
  expect(lines.map(plain)).toEqual([plain(step?.printed ?? '')]);
});

/** A bridge with the configuration of the page, and HOME and the runtime folder of its own. */
async function configured() {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  for (const name of ['app', 'app/com.discordapp.Discord', 'snap.some-game'])
    mkdirSync(join(runtime.folder, name), { mode: 0o700 });
  const folder = join(runtime.env['XDG_CONFIG_HOME'] ?? '', 'footbridge');
  mkdirSync(folder, { mode: 0o700 });
  const file = join(folder, 'footbridge.toml');
  const home = runtime.env['HOME'] ?? '';
  writeFileSync(file, blockOf(PAGE, 'toml', '[[endpoints]]').replaceAll('/home/you/', `${home}/`));
  const args = ['--http-port', '0', '--ws-port', 'off', '--consent', 'allow'];
  const daemon = await startDaemon({ runtime, args });
  onTestFinished(async () => void (await daemon.stop()));
  const paths = ['app/com.discordapp.Discord', 'snap.some-game'].map((name) => join(runtime.folder, name));
  return { daemon, folders: [...paths, join(home, '.discord')] };
}

it('the commands that add endpoints write the configuration of the page', async () => {
  const daemon = await bridgeWith('--ws-port', 'off');
  await shellFor(daemon).run(blockOf(PAGE, 'sh', 'endpoints add path'));
  const written = readFileSync(
    join(daemon.env['XDG_CONFIG_HOME'] ?? '', 'footbridge/footbridge.toml'),
    'utf8',
  );
  const table = blockOf(PAGE, 'toml', '[[endpoints]]').replaceAll(/^#.*\n/gm, '');
  expect(written.replaceAll(`${daemon.env['HOME']}/`, '/home/you/').trimEnd()).toBe(table.trimEnd());
});

it('the endpoints of the configuration serve presence, and no authorization', async () => {
  const { daemon, folders } = await configured();
  const { run } = shellFor(daemon);
  for (const folder of folders) {
    const at = `FOOTBRIDGE_ENDPOINT=${folder}/discord-ipc-0 footbridge`;
    expect(await run(`${at} ${SET}`), folder).toContain('hello');
    expect(await run(`${at} ${AUTHORIZE}`), folder).toContain('4006');
  }
  const { checks } = JSON.parse(await run('footbridge doctor --json')) as { checks: CheckResult[] };
  const check = checks.find(({ id }) => id === 'further-endpoints');
  expect(check).toMatchObject({ verdict: 'ok' });
  expect(check?.evidence.filter((line) => line.includes(': serving at'))).toHaveLength(3);
});

describe.skipIf(!canSandbox)('the mounts of a container (needs bwrap)', () => {
  /** Mounts and sets what docker and podman would, and runs an app instead of the image. */
  const ENGINE = `
    shift
    options="--ro-bind / / --dev /dev --tmpfs /run --tmpfs /tmp --unshare-user --unshare-pid --uid 4321"
    options="$options --ro-bind ${CHECKOUT} ${CHECKOUT}"
    while [ $# -gt 0 ]; do
      case $1 in
        -v) shift; options="$options --bind \${1%%:*} \${1#*:}" ;;
        -e) shift; options="$options --setenv \${1%%=*} \${1#*=}" ;;
        --userns=keep-id) ;;
        IMAGE) ;;
        *) echo "unknown option $1"; exit 2 ;;
      esac
      shift
    done
    exec bwrap $options --unsetenv FOOTBRIDGE_ENDPOINT '${process.execPath}' '${PROGRAM}' ${SET}`;

  it('of the page lead an app with a mapped user to the bridge', async () => {
    const { daemon } = await configured();
    const { run } = shellFor(daemon);
    programs(join(daemon.folder, 'bin'), { docker: ENGINE, podman: ENGINE });
    const lines = blockOf(PAGE, 'sh', 'docker run').trim().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(await run(line), line).toContain('hello');
  });

  it('of devcontainer.json are the same', () => {
    const { mounts, containerEnv } = JSON.parse(blockOf(PAGE, 'json', 'mounts')) as {
      mounts: readonly string[];
      containerEnv: Readonly<Record<string, string>>;
    };
    const [, source, target] = /^source=(.*),target=(.*),type=bind$/.exec(mounts[0] ?? '') ?? [];
    const docker = blockOf(PAGE, 'sh', 'docker run');
    expect(docker).toContain(`:${target} `);
    const path = `${source?.replace(/\$\{localEnv:HOME\}/, '/home/you')}/discord-ipc-0`;
    expect(blockOf(PAGE, 'toml', '[[endpoints]]')).toContain(`path = "${path}"`);
    for (const [name, value] of Object.entries(containerEnv))
      expect(docker).toContain(`-e ${name}=${value} `);
  });
});

const SSHD = '/usr/sbin/sshd';
it.skipIf(!existsSync(SSHD))('ssh -R leads apps of another machine to the bridge (needs sshd)', async () => {
  const daemon = await bridgeWith('--ws-port', 'off', '--consent', 'allow');
  const far = join(daemon.folder, 'far');
  mkdirSync(far, { mode: 0o700 });
  const { options } = await sshServer(daemon.folder);
  const { run, start } = shellFor(daemon);
  programs(join(daemon.folder, 'bin'), { ssh: `exec /usr/bin/ssh ${options} -N "$@"` });
  const line = blockOf(PAGE, 'sh', 'ssh -o')
    .replace(`${RUNTIME}/`, `${far}/`)
    .replace(`${RUNTIME}/`, `${daemon.folder}/`)
    .replace(/ server\n$/, ' 127.0.0.1');
  const socket = join(far, 'discord-ipc-0');
  const connect = async (): Promise<() => Promise<void>> => {
    const child = start(`exec ${line}`);
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect
      .poll(() => [existsSync(socket), said.includes('failed')], { timeout: 20_000 })
      .toContain(true);
    expect(said).not.toContain('failed');
    return async () => {
      child.kill('SIGTERM');
      await ended;
    };
  };
  const close = await connect();
  expect(await run(`XDG_RUNTIME_DIR=${far} footbridge ${SET}`)).toContain('hello');
  await close();
  // As the page says: OpenSSH leaves the socket, and the next connection replaces it with StreamLocalBindUnlink.
  expect(statSync(socket).isSocket()).toBe(true);
  const again = await connect();
  await expect
    .poll(() => run(`XDG_RUNTIME_DIR=${far} footbridge ${SET}`), { timeout: 20_000 })
    .toContain('hello');
  await again();
});

it.skipIf(!existsSync(SSHD))(
  'a forward over ssh leads apps with presence rights to the bridge (needs sshd)',
  async () => {
    const daemon = await bridgeWith('--ws-port', 'off', '--consent', 'allow');
    const far = join(daemon.folder, 'far');
    mkdirSync(far, { mode: 0o700 });
    const { run, start } = shellFor(daemon, { XDG_RUNTIME_DIR: far });
    const bin = join(daemon.folder, 'bin');
    const { options } = await sshServer(daemon.folder, {
      ...daemon.env,
      PATH: `${bin}:${process.env['PATH']}`,
    });
    programs(bin, { ssh: `shift; exec /usr/bin/ssh ${options} 127.0.0.1 "$@"` });
    const step = stepsOf(PAGE).find(({ command }) => command.startsWith('footbridge forward'));
    const child = start(`exec ${step?.command}`);
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await expect.poll(() => printed, { timeout: 30_000 }).toContain('\n');
    expect(printed.replaceAll(far, RUNTIME)).toBe(`${step?.printed}\n`);
    const at = `FOOTBRIDGE_ENDPOINT=${far}/discord-ipc-0 footbridge`;
    expect(await run(`${at} ${SET}`)).toContain('hello');
    expect(await run(`${at} ${AUTHORIZE}`)).toContain('4006');
  },
);

it.skipIf(!existsSync(SSHD))(
  'a forward of the configuration leads apps to the bridge (needs sshd)',
  async () => {
    const runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    const far = join(runtime.folder, 'far');
    mkdirSync(far, { mode: 0o700 });
    const bin = join(runtime.folder, 'bin');
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const { options } = await sshServer(runtime.folder, { ...runtime.env, ...env, XDG_RUNTIME_DIR: far });
    programs(bin, { ssh: `shift; exec /usr/bin/ssh ${options} 127.0.0.1 "$@"` });
    const { run } = shellFor(runtime);
    const file = join(runtime.folder, 'footbridge.toml');
    writeFileSync(file, blockOf(PAGE, 'toml', '[[forward]]').replace(RUNTIME, far));
    const args = ['--config', file, '--http-port', '0', '--ws-port', 'off', '--consent', 'allow'];
    const daemon = await startDaemon({ runtime, env, args });
    onTestFinished(async () => void (await daemon.stop()));
    const at = `FOOTBRIDGE_ENDPOINT=${far}/discord-ipc-0 footbridge`;
    await expect.poll(() => run(`${at} ${SET}`), { timeout: 30_000 }).toContain('hello');
    expect(await run(`${at} ${AUTHORIZE}`)).toContain('4006');
  },
);

/** An OpenSSH server on the loopback address, for this user and one key; its sessions have these variables. */
async function sshServer(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly options: string }> {
  const port = await freePort();
  for (const name of ['host', 'key'])
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  // Root's server needs this folder, which the service of the system would make.
  if (process.getuid?.() === 0 && !existsSync('/run/sshd')) {
    mkdirSync('/run/sshd', { mode: 0o755 });
    onTestFinished(() => rmSync('/run/sshd', { recursive: true }));
  }
  const config = join(folder, 'sshd.conf');
  writeFileSync(
    config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${join(folder, 'host')}`,
      `AuthorizedKeysFile ${join(folder, 'key.pub')}`,
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      'StreamLocalBindUnlink yes',
      // Of several lines only the first counts.
      ...(Object.keys(env).length === 0
        ? []
        : [
            `SetEnv ${Object.entries(env)
              .map(([name, value]) => `"${name}=${value}"`)
              .join(' ')}`,
          ]),
      '',
    ].join('\n'),
  );
  const server = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void server.kill('SIGTERM'));
  server.stderr.setEncoding('utf8');
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: string) => text.includes('listening') && resolve());
    server.once('exit', (code) => reject(new Error(`sshd ended with ${code}`)));
  });
  const known = '-o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no -o LogLevel=ERROR';
  return { options: `-F none -i ${join(folder, 'key')} -p ${port} ${known}` };
}
