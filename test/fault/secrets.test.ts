import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  authorized,
  daemonCommandOf,
  faultBridge,
  isLinux,
  isRoot,
  PROGRAM,
  place,
  refusedStart,
  SECRET,
  startCommand,
  tokenRequest,
} from '../helpers/fault-bridge.ts';
import { os } from '../helpers/ipc-bridge.ts';
import { NOBODY, nodeForOthers, othersCanRead } from '../helpers/other-user.ts';

it('no log, error, file, argument or variable contains a code, token, verifier, client secret or state [T64]', async () => {
  const runtime = place();
  const bridge = await faultBridge({
    runtime,
    args: ['--consent', 'allow', '--http-port', '0', '--log-level', 'debug'],
  });
  const app = await bridge.app();
  const { code, access_token, refresh_token } = await authorized(bridge, app);
  const verifier = 'canary-verifier-'.padEnd(43, 'v');
  const canaries = [code, access_token, refresh_token, SECRET, verifier, 'canary-state-6b1d'];
  const answers: unknown[] = [];
  // Every way of using a secret wrongly, so that an error could quote it.
  const other = await bridge.app('42');
  answers.push(await other.call('AUTHENTICATE', { access_token }));
  answers.push(await other.call('AUTHENTICATE', { access_token: `${access_token}x` }));
  answers.push(await other.call('AUTHORIZE', { client_id: '42', scopes: [], state: 'canary-state-6b1d' }));
  answers.push(await app.call('GET_GUILD', { guild_id: access_token }));
  answers.push(await app.call(`X${access_token}`.slice(0, 20), {}));
  for (const form of [
    { grant_type: 'authorization_code', code, code_verifier: verifier },
    { grant_type: 'authorization_code', code: `${code}x`, client_secret: SECRET },
    { grant_type: 'refresh_token', refresh_token, client_id: '42' },
    { grant_type: SECRET, code },
  ]) {
    answers.push(await tokenRequest(bridge, form));
  }
  const broken = await bridge.app();
  broken.send(1, `{"cmd":"AUTHENTICATE","args":{"access_token":"${access_token}"`);
  answers.push(await broken.closed());
  answers.push(await bridge.control.status(), await bridge.control.call('grants.list'));
  answers.push(await bridge.control.call('emulator.show', {}));

  const ofProcess = isLinux
    ? ['environ', 'cmdline', 'comm'].map((file) => readOrEmpty(`/proc/${bridge.pid}/${file}`))
    : [];
  const { stdout, stderr } = await bridge.stop();
  const files = readdirSync(runtime.folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(files.length).toBeGreaterThan(0);
  expect(stderr).toContain('session ready');
  const everything = [stdout, stderr, ...ofProcess, ...files, JSON.stringify(answers)];
  for (const canary of canaries) {
    const hits = everything.filter((text) => text.includes(canary));
    expect(hits).toEqual([]);
  }
});

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

it.skipIf(!isLinux || !isRoot || os.native.kind === 'absent' || !othersCanRead(PROGRAM))(
  'a process of the same user cannot read environment or memory ' +
    '(needs root and koffi on Linux, and a checkout that others can read) [T65]',
  async () => {
    const runtime = place();
    for (const name of ['.', 'home', 'config', 'data', 'state']) {
      chownSync(join(runtime.folder, name), NOBODY, NOBODY);
    }
    const env = { ...runtime.env, CANARY: 'canary-environment' };
    const running = startCommand(daemonCommandOf(nodeForOthers()), env, { uid: NOBODY });
    await running.said('\n');
    const look = (file: string) =>
      startCommand(
        ['cat', `/proc/${running.pid}/${file}`],
        { PATH: process.env['PATH'] ?? '' },
        { uid: NOBODY },
      ).ended;
    for (const file of ['environ', 'mem', 'maps', 'auxv']) {
      const { code, stdout } = await look(file);
      expect([file, code, stdout]).toEqual([file, 1, '']);
    }
    // Without the protection the same look works, so a refusal means something.
    const open = startCommand(['sleep', '60'], env, { uid: NOBODY });
    const seen = startCommand(
      ['cat', `/proc/${open.pid}/environ`],
      { PATH: process.env['PATH'] ?? '' },
      { uid: NOBODY },
    );
    expect((await seen.ended).stdout).toContain('canary-environment');
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  },
);

/** What a bridge that ended well has left behind: a token, and the file that knows it. */
async function kept(runtime: ReturnType<typeof place>) {
  const bridge = await faultBridge({ runtime });
  const { access_token } = await authorized(bridge, await bridge.app());
  expect((await bridge.stop()).code).toBe(0);
  const path = join(runtime.folder, 'data', 'footbridge', 'emulator.json');
  return { access_token, path, text: readFileSync(path, 'utf8') };
}

describe('the state file of the daemon [T66]', () => {
  it('has mode 0600 in a folder of mode 0700, contains no plain token, and survives kill -9', async () => {
    const runtime = place();
    const first = await faultBridge({ runtime });
    const { access_token, refresh_token } = await authorized(first, await first.app());
    await first.kill();
    const folder = join(runtime.folder, 'data', 'footbridge');
    const path = join(folder, 'emulator.json');
    expect([statSync(folder).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
    const text = readFileSync(path, 'utf8');
    expect([text.includes(access_token), text.includes(refresh_token)]).toEqual([false, false]);
    const second = await faultBridge({ runtime });
    const app = await second.app();
    expect((await app.call('AUTHENTICATE', { access_token })).evt).toBeNull();
  });
  it('is not written to a folder that others can write to, and the mode of that folder stays unchanged', async () => {
    const runtime = place();
    const folder = join(runtime.folder, 'data', 'footbridge');
    mkdirSync(folder);
    for (const mode of [0o777, 0o770, 0o1777]) {
      chmodSync(folder, mode);
      const { code, stderr } = await refusedStart(runtime.env);
      expect(code).toBe(78);
      expect(stderr).toContain(`${folder} cannot be used: it has mode ${mode.toString(8).padStart(4, '0')}`);
      expect(stderr.includes(`chmod go-w ${folder}`)).toBe(mode !== 0o1777);
      expect(stderr).toContain('--data-dir');
      expect(statSync(folder).mode & 0o7777).toBe(mode);
      expect(readdirSync(folder)).toEqual([]);
    }
  });
  it.skipIf(!isRoot)(
    'is not written to a folder of another user, who could add grants (needs root)',
    async () => {
      const runtime = place();
      const folder = join(runtime.folder, 'data', 'footbridge');
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, NOBODY, NOBODY);
      const bridge = await faultBridge({ runtime });
      await authorized(bridge, await bridge.app());
      const { code, stderr } = await bridge.stop();
      expect(code).toBe(0);
      expect(stderr).toContain('it belongs to another user (uid 65534)');
      expect(readdirSync(folder)).toEqual([]);
    },
  );
  it.skipIf(!isLinux || os.native.kind === 'absent')(
    'is read and stays unchanged when the disk is full from the start (needs koffi on Linux) [R13]',
    async () => {
      const runtime = place();
      const { access_token, text, path } = await kept(runtime);
      const bridge = await faultBridge({
        runtime,
        // Not a byte can be written to any file.
        command: ['sh', '-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, PROGRAM],
      });
      expect((await (await bridge.app()).call('AUTHENTICATE', { access_token })).evt).toBeNull();
      await authorized(bridge, await bridge.app());
      const { code, stderr } = await bridge.stop();
      expect(code).toBe(0);
      expect(stderr).toContain('emulator.json cannot be written: it may not become larger (EFBIG)');
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
  it.skipIf(!isLinux || os.native.kind === 'absent')(
    'does not restore a grant that was revoked on a full disk, even after kill -9 (needs koffi on Linux) [R13]',
    async () => {
      const runtime = place();
      const { access_token } = await kept(runtime);
      const full = await faultBridge({
        runtime,
        command: ['sh', '-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, PROGRAM],
      });
      const app = await full.app();
      expect((await app.call('AUTHENTICATE', { access_token })).evt).toBeNull();
      const [grant] = (await full.json('grants')) as { id: string }[];
      const revoked = await full.cli(['revoke', grant?.id ?? '']);
      expect(revoked.code).toBe(74);
      expect(revoked.stderr).toContain(
        'emulator.json cannot be written: it may not become larger (EFBIG). A restart does not restore what was revoked.',
      );
      expect(await app.closed()).toMatchObject({ code: 4003 });
      await full.kill();
      const next = await faultBridge({ runtime });
      expect(await next.json('grants')).toEqual([]);
      expect((await (await next.app()).call('AUTHENTICATE', { access_token })).data.code).toBe(4009);
      await next.stop();
      expect(
        readdirSync(join(runtime.folder, 'data', 'footbridge')).filter((name) => /revoked/.test(name)),
      ).toEqual([]);
    },
  );
  it('is read but not written when its lock cannot be used [R13]', async () => {
    const runtime = place();
    const { access_token, text, path } = await kept(runtime);
    mkdirSync(join(runtime.folder, 'data', 'footbridge', 'emulator.lock'));
    const bridge = await faultBridge({ runtime });
    expect((await (await bridge.app()).call('AUTHENTICATE', { access_token })).evt).toBeNull();
    await authorized(bridge, await bridge.app());
    const { stderr } = await bridge.stop();
    expect(stderr).toContain('data folder only read: what changes in the grants is lost at the end');
    expect(stderr).toContain('emulator.lock cannot be used: it is a folder (EISDIR)');
    expect(stderr).toContain('the file of the last good save stays in place');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
  it.skipIf(!isLinux)(
    'stays unchanged when the disk fills up, and the daemon continues to serve (Linux only) [R13]',
    async () => {
      const runtime = place();
      const first = await faultBridge({ runtime });
      for (let i = 0; i < 8; i++) await authorized(first, await first.app());
      await first.stop();
      const path = join(runtime.folder, 'data', 'footbridge', 'emulator.json');
      const before = readFileSync(path, 'utf8');
      expect(before.length).toBeGreaterThan(1024);
      // The limit of a file's size stops every user's write, root's too, in the middle of the file.
      const bridge = await faultBridge({
        runtime,
        command: ['sh', '-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, PROGRAM],
      });
      const { access_token } = await authorized(bridge, await bridge.app());
      expect(access_token).toBeTruthy();
      expect(readFileSync(path, 'utf8')).toBe(before);
      expect((await (await bridge.app()).call('AUTHENTICATE', { access_token })).evt).toBeNull();
      const { code, stderr } = await bridge.stop();
      expect(code).toBe(0);
      expect(stderr).toContain(path);
      expect(readFileSync(path, 'utf8')).toBe(before);
      expect(readdirSync(join(runtime.folder, 'data', 'footbridge'))).not.toContain(
        '.emulator.json.footbridge.new',
      );
    },
  );
});

it.skipIf(!isLinux)('SIGUSR1 opens no debugger port (needs /proc of Linux) [T53]', async () => {
  const bridge = await faultBridge();
  const before = listeners(bridge.pid);
  expect(before.length).toBeGreaterThan(0);
  process.kill(bridge.pid, 'SIGUSR1');
  await (await bridge.app()).call('GET_GUILDS');
  expect(listeners(bridge.pid)).toEqual(before);
  const { stderr } = await bridge.stop();
  expect(stderr).not.toContain('Debugger');
});

/** Inodes of the TCP sockets that a process listens on. */
function listeners(pid: number): string[] {
  const own = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOrEmpty(`/proc/${pid}/fd/${fd}`)) ?? [];
    if (inode !== undefined) own.add(inode);
  }
  return ['tcp', 'tcp6']
    .flatMap((name) => readFileSync(`/proc/net/${name}`, 'latin1').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state === '0A' && own.has(inode))
    .map((fields) => fields[9] ?? '')
    .sort();
}

/** A descriptor may be closed between the listing and the look. */
function linkOrEmpty(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
