import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pathLock } from '../../../platform/endpoint/path-lock.ts';
import { removeStaleEndpoint } from '../../../platform/endpoint/remove-stale.ts';
import { ensurePrivateFolder } from '../../../platform/files/private-folder.ts';
import { acquireLock } from '../../../platform/native/lock.ts';
import { loadNative } from '../../../platform/native/native.ts';
import { bridge } from '../../../src/cli/doctor/checks/bridge.ts';
import { endpoints } from '../../../src/cli/doctor/checks/endpoints.ts';
import { runChecks } from '../../../src/cli/doctor/run-checks.ts';
import { leaveStaleSocket, listenOn, uid } from '../../helpers/sockets.ts';
import { running, scene } from './scene.ts';

/** One that answers a PING as the protocol wants it. */
async function liveServer(path: string) {
  return listenOn({ path }, (socket) => {
    socket.on('data', (chunk: Buffer) => {
      if (chunk.readInt32LE(0) !== 3) return;
      const answer = Buffer.from(chunk);
      answer.writeInt32LE(4, 0);
      socket.write(answer);
    });
  });
}

/** The lines about this test's folder: the machine may have endpoints elsewhere. */
const about = (folder: string, evidence: readonly string[]): string[] =>
  evidence.filter((line) => line.startsWith(folder)).map((line) => line.slice(folder.length + 1));

describe('the endpoint check', () => {
  it('passes when no endpoint exists', async () => {
    const machine = await scene();
    const found = await endpoints.inspect(machine);
    expect(found.verdict).toBe('ok');
    expect(about(machine.folder, found.evidence)).toEqual([]);
  });

  it('names a foreign program with its pid, and warns when that program has the index that apps try first', async () => {
    const machine = await scene();
    await liveServer(join(machine.folder, 'discord-ipc-0'));
    const found = await endpoints.inspect(machine);
    // Without a bridge here, what answers may be one outside of a container.
    expect(found).toMatchObject({
      verdict: 'warning',
      fix: expect.stringMatching(/^nothing if apps reach a bridge of yours there, .*discord-ipc-0/),
    });
    const [line] = about(machine.folder, found.evidence);
    expect(line).toMatch(new RegExp(`^discord-ipc-0: .+\\(pid ${process.pid}, .+\\) serves it$`));
    expect(found.repair).toBeUndefined();
  });

  it('advises to end a program that answers nothing', async () => {
    const machine = await scene();
    await listenOn({ path: join(machine.folder, 'discord-ipc-0') });
    expect((await endpoints.inspect(machine)).fix).toMatch(/^most apps look only at .*: end what is there/);
  });

  it('does not advise to end a program that may be the bridge, where FOOTBRIDGE_ENDPOINT leads elsewhere', async () => {
    const machine = await scene();
    await liveServer(join(machine.folder, 'discord-ipc-0'));
    const misled = { ...machine, env: { ...machine.env, FOOTBRIDGE_ENDPOINT: '/other/socket' } };
    const fix = 'unset FOOTBRIDGE_ENDPOINT, and run footbridge doctor again';
    expect(await endpoints.inspect(misled)).toMatchObject({ verdict: 'warning', fix });
    expect(await bridge.inspect(misled)).toMatchObject({ verdict: 'failed', fix });
  });

  it('recognises an endpoint that the bridge reports, and passes', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'discord-ipc-0');
    await liveServer(path);
    const found = await endpoints.inspect({
      ...machine,
      bridge: running({ endpoints: [{ kind: 'ipc', path }] }),
    });
    expect(found.verdict).toBe('ok');
    expect(about(machine.folder, found.evidence)).toEqual(['discord-ipc-0: this bridge']);
  });

  it('warns when another server has a lower index than the bridge', async () => {
    const machine = await scene();
    await liveServer(join(machine.folder, 'discord-ipc-0'));
    const path = join(machine.folder, 'discord-ipc-1');
    await liveServer(path);
    const native = { kind: 'absent', reason: 'not here' } as const;
    const bridge = running({ endpoints: [{ kind: 'ipc', path }] });
    const found = await endpoints.inspect({ ...machine, native, bridge });
    expect(found.verdict).toBe('warning');
    expect(about(machine.folder, found.evidence)).toEqual([
      expect.stringMatching(/^discord-ipc-0: a program of uid \d+ serves it$/),
      'discord-ipc-1: this bridge',
    ]);
  });

  it('tells a forward by the lock of its path, and warns of it only in front of a bridge', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'discord-ipc-0');
    await liveServer(path);
    const lock = await acquireLock(pathLock(ensurePrivateFolder(machine.folder, uid), path), machine.native);
    if (lock.kind === 'locked') onTestFinished(() => lock.release());
    const found = await endpoints.inspect(machine);
    expect(found.verdict).toBe('ok');
    expect(about(machine.folder, found.evidence)).toEqual([
      expect.stringMatching(new RegExp(`^discord-ipc-0: footbridge forward: .+\\(pid ${process.pid}, `)),
    ]);
    expect(await bridge.inspect(machine)).toMatchObject({
      verdict: 'not applicable',
      evidence: [`none runs here; footbridge forward (pid ${process.pid}) leads apps to a bridge elsewhere`],
    });
    const behind = { ...machine, bridge: running({ endpoints: [{ kind: 'ipc', path: `${path}x` }] }) };
    expect(await endpoints.inspect(behind)).toMatchObject({
      verdict: 'warning',
      fix: expect.stringContaining('discord-ipc-0'),
    });
  });

  it('follows a link for one step and names the listener behind it', async () => {
    const machine = await scene();
    const packaged = join(machine.folder, 'app/com.discordapp.Discord');
    mkdirSync(packaged, { recursive: true });
    await liveServer(join(packaged, 'discord-ipc-0'));
    symlinkSync('app/com.discordapp.Discord/discord-ipc-0', join(machine.folder, 'discord-ipc-0'));
    symlinkSync('nowhere', join(machine.folder, 'discord-ipc-3'));
    const found = await endpoints.inspect(machine);
    const lines = about(machine.folder, found.evidence);
    expect(found.verdict).toBe('warning');
    expect(lines[0]).toMatch(/^discord-ipc-0: a link to .+\/discord-ipc-0, where .+ listens$/);
    expect(lines[1]).toMatch(/^discord-ipc-3: a link to .+\/nowhere, where nothing is$/);
    expect(lines[2]).toMatch(/^app\/com\.discordapp\.Discord\/discord-ipc-0: .+ serves it$/);
  });

  it('names a regular file at the path of a socket', async () => {
    const machine = await scene();
    writeFileSync(join(machine.folder, 'discord-ipc-0'), 'x');
    const found = await endpoints.inspect(machine);
    expect(found.verdict).toBe('warning');
    expect(about(machine.folder, found.evidence)).toEqual(['discord-ipc-0: a regular file in its place']);
  });
});

describe('a dead socket in the folder of a sandbox', () => {
  it('is a warning with the command that removes it, and --fix leaves it', async () => {
    const machine = await scene();
    const places = ['app/org.a.A', '.flatpak/org.b.B/xdg-run', 'snap.game'].map((name) =>
      join(machine.folder, name, 'discord-ipc-0'),
    );
    for (const path of places) {
      mkdirSync(dirname(path), { recursive: true });
      await leaveStaleSocket(path);
    }
    const found = await endpoints.inspect(machine);
    expect(found.verdict).toBe('warning');
    expect(found.repair).toBeUndefined();
    expect(about(machine.folder, found.evidence)).toContain(
      'app/org.a.A/discord-ipc-0: a dead socket: nobody listens',
    );
    expect([found.fix ?? []].flat().sort()).toEqual(places.map((path) => `rm ${path}`).sort());
    for (const path of places) unlinkSync(path);
    expect((await endpoints.inspect(machine)).verdict).toBe('ok');
  });

  it('is removed with the unit of a recipe that serves it', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'app/org.a.A/discord-ipc-0');
    mkdirSync(dirname(path), { recursive: true });
    await leaveStaleSocket(path);
    const unit = join(machine.folder, '.config/systemd/user/rpc.service');
    mkdirSync(dirname(unit), { recursive: true });
    writeFileSync(
      unit,
      '[Service]\nExecStart=socat UNIX-LISTEN:%t/app/org.a.A/discord-ipc-0,fork UNIX-CONNECT:%t/discord-ipc-0\n',
    );
    expect((await endpoints.inspect(machine)).fix).toEqual([
      `systemctl --user disable --now rpc.service; rm -f ${path}`,
    ]);
  });
});

describe('doctor --fix', () => {
  const fixed = async (machine: Awaited<ReturnType<typeof scene>>) =>
    (await runChecks([endpoints], machine, true))[0];

  it('removes a dead socket, reports the removal, and checks again', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'discord-ipc-0');
    await leaveStaleSocket(path);
    expect((await endpoints.inspect(machine)).verdict).toBe('warning');
    expect(existsSync(path)).toBe(true);
    expect(await fixed(machine)).toMatchObject({ verdict: 'ok', fixed: [`removed ${path}`] });
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(join(machine.folder, `footbridge-${uid}`))).toEqual([]);
  });

  it('leaves live sockets, links and the sockets of a packaged client', async () => {
    const machine = await scene();
    const packaged = join(machine.folder, 'app/com.discordapp.Discord');
    mkdirSync(packaged, { recursive: true });
    await leaveStaleSocket(join(packaged, 'discord-ipc-0'));
    await liveServer(join(machine.folder, 'discord-ipc-0'));
    symlinkSync('app/com.discordapp.Discord/discord-ipc-0', join(machine.folder, 'discord-ipc-1'));
    await leaveStaleSocket(join(machine.folder, 'discord-ipc-2'));
    const result = await fixed(machine);
    expect(result?.fixed).toEqual([`removed ${join(machine.folder, 'discord-ipc-2')}`]);
    expect(readdirSync(machine.folder)).toEqual(
      expect.arrayContaining(['app', 'discord-ipc-0', 'discord-ipc-1']),
    );
    expect(readdirSync(packaged)).toEqual(['discord-ipc-0']);
  });

  it('leaves a dead socket while another footbridge holds its index', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'discord-ipc-0');
    await leaveStaleSocket(path);
    const own = ensurePrivateFolder(machine.folder, uid);
    const lock = await acquireLock(join(own, '0.lock'), machine.native);
    expect((await fixed(machine))?.fixed).toEqual([
      `${path} was left alone: another footbridge (pid ${process.pid}) holds this index`,
    ]);
    expect(existsSync(path)).toBe(true);
    if (lock.kind === 'locked') lock.release();
  });

  it('reports why it left a dead socket', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'discord-ipc-0');
    await leaveStaleSocket(path);
    chmodSync(machine.folder, 0o777);
    const result = await fixed(machine);
    expect(result?.fixed).toEqual([expect.stringMatching(/was left alone: .*mode 0777/)]);
    expect(existsSync(path)).toBe(true);
  });
});

it('removeStaleEndpoint leaves a socket that a server has reopened meanwhile', async () => {
  const { folder, native } = await scene();
  await liveServer(join(folder, 'discord-ipc-4'));
  const options = { os: 'linux', folder, index: 4, uid, native } as const;
  expect(await removeStaleEndpoint(options)).toEqual({
    kind: 'left',
    why: expect.stringContaining('serves it'),
  });
  expect(await removeStaleEndpoint({ ...options, index: 5, native: await loadNative('win32') })).toEqual({
    kind: 'left',
    why: 'it is gone already',
  });
});
