// A hostile program in a sandbox that shares one endpoint's folder with the bridge, and nothing else.
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppPeer } from '../helpers/app-peer.ts';
import { createRuntime, type Daemon, type Runtime, startDaemon } from '../helpers/daemon.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { INSIDE, inBubblewrap, type SandboxOptions, whyNoBubblewrap, whyNoMounts } from './bubblewrap.ts';

/** Folder that the sandbox shares, in which clients search, too; the folder of the socket lies in it, so that the sandbox can replace both. */
const SHARED = 'app/org.example.Box';
const SOCKET = join(SHARED, 'apps', 'discord-ipc-0');
const MAX_CONNECTIONS = 8;
/** Far more than the bridge needs, far less than what a flood sends (MiB). */
const MAX_RSS_MIB = 320;
const APP = '300000000000000001';

interface Status {
  readonly rss: number;
  readonly sessions: readonly { readonly endpoint: string | null; readonly sandbox: string | null }[];
  readonly further: readonly { readonly state: string; readonly why: string | null }[];
}

/** The built bridge as a user whose rights the modes of files limit, which they do not limit for root. */
function command(): readonly [string, ...string[]] | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const program = new URL('../../dist/footbridge.js', import.meta.url).pathname;
  return ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', process.execPath, program];
}

/** A bridge with the endpoint `box`. */
async function setUp(rights = '"presence"') {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  mkdirSync(join(runtime.folder, SHARED), { recursive: true, mode: 0o700 });
  const file = join(runtime.env['XDG_CONFIG_HOME'] ?? '', 'footbridge/footbridge.toml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `[[endpoints]]
name = "box"
path = ${JSON.stringify(join(runtime.folder, SOCKET))}
rights = ${rights}
limits = { connections = ${MAX_CONNECTIONS}, messages_burst = 200, messages_per_second = 100 }
`,
  );
  const daemon = await start(runtime);
  const socket = join(runtime.folder, SOCKET);
  const hostile = (script: string, options: Partial<SandboxOptions> = {}) =>
    inBubblewrap(runtime, script, { shared: SHARED, ...options });
  return {
    runtime,
    daemon,
    hostile,
    /** Runs a script to its end. */
    attack: async (script: string) => {
      const { code, output } = await hostile(`cd "${INSIDE}/${SHARED}"\n${script}`).ended;
      expect(code, output).toBe(0);
    },
    /** The endpoint is blocked for this reason, in one line, while the bridge's own answers. */
    blocked: async (reason: string) => {
      await expect
        .poll(() => stateOf(daemon))
        .toMatchObject({
          state: 'blocked',
          why: expect.stringContaining(reason),
        });
      const { stdout } = await daemon.cli(['endpoints']);
      expect(stdout.trim().split('\n')).toHaveLength(2);
      await honestApp(daemon);
    },
    /** The endpoint is served, and an app in the sandbox reaches it. */
    serving: async () => {
      await expect.poll(() => stateOf(daemon)).toMatchObject({ state: 'serving', why: null });
      await expect.poll(() => lstatSync(socket, { throwIfNoEntry: false })?.isSocket()).toBe(true);
      await honestApp({ endpoint: socket });
    },
  };
}

async function start(runtime: Runtime): Promise<Daemon> {
  const started = command();
  const daemon = await startDaemon({
    runtime,
    args: ['--consent', 'ask', '--http-port', '0', '--ws-port', 'off', '--log-level', 'info'],
    ...(started && { command: started }),
  });
  onTestFinished(async () => void (await daemon.kill()));
  return daemon;
}

async function stateOf(daemon: Daemon): Promise<Status['further'][number]> {
  const [box] = (await daemon.json('endpoints')) as Status['further'];
  if (box === undefined) throw new Error('the endpoint is missing');
  return box;
}

/** A new app at the bridge's own endpoint gets an answer; returns the time that it took (ms). */
async function honestApp({ endpoint }: Pick<Daemon, 'endpoint'>): Promise<number> {
  const begun = performance.now();
  const app = new AppPeer(await rawPeer(endpoint));
  await app.handshake();
  expect(await app.call('SET_ACTIVITY', { pid: process.pid, activity: { state: 'honest' } })).toMatchObject({
    evt: null,
  });
  app.end();
  return performance.now() - begun;
}

/** A program that connects to the endpoint and stays. */
const CONNECT = `
const body = Buffer.from(JSON.stringify({ v: 1, client_id: "${APP}" }));
const head = Buffer.alloc(8);
head.writeUInt32LE(body.length, 4);
require("node:net").connect("${INSIDE}/${SOCKET}").write(Buffer.concat([head, body]));
`;

/**
 * A script that runs a command in a user, a mount and a PID namespace, with a `.flatpak-info` that is mounted read-only as
 * Flatpak mounts it.
 */
const posing = (command: string): string => `printf '[Application]\\nname=org.trusted.App\\n' >/tmp/info
touch /.flatpak-info 2>/dev/null
unshare --user --map-root-user --mount --pid --fork sh -c 'mount --bind /tmp/info /.flatpak-info &&
mount -o remount,bind,ro /.flatpak-info; ${command}'`;

/** A program that sends to the endpoint as fast as it can, over many connections, and never reads. */
const FLOOD = `
const { connect } = require('node:net');
const frame = (opcode, body) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(opcode, 0);
  head.writeUInt32LE(Buffer.byteLength(body), 4);
  return Buffer.concat([head, Buffer.from(body)]);
};
const handshake = frame(0, '{"v":1,"client_id":"${APP}"}');
const request = (fields) => frame(1, JSON.stringify({ cmd: 'SET_ACTIVITY', nonce: 'x', ...fields }));
const kinds = [
  Buffer.concat(Array(500).fill(request({ args: { pid: 1, activity: { state: 'flood' } } }))),
  request({ args: { pid: 1, activity: { state: 'x'.repeat(60000) } } }),
  frame(3, 'x'.repeat(60000)),
];
let at = 0;
const open = () => {
  const bytes = kinds[at++ % kinds.length];
  const socket = connect('${INSIDE}/${SOCKET}');
  socket.on('error', () => {}).on('close', () => setTimeout(open, 1));
  socket.pause();
  const more = () => { while (!socket.destroyed && socket.write(bytes)); };
  socket.on('connect', () => { socket.write(handshake); more(); }).on('drain', more);
};
for (let count = 0; count < 100; count++) open();
setTimeout(() => process.exit(), 60000);
`;

describe.skipIf(whyNoBubblewrap !== undefined)(
  `a hostile program in a sandbox (${whyNoBubblewrap ?? 'bubblewrap'})`,
  () => {
    it('that floods the endpoint delays no other app, and costs a bounded amount of memory', async () => {
      const { daemon, hostile } = await setUp();
      const script = `cat >/tmp/flood.cjs; for i in 1 2; do node /tmp/flood.cjs & done; wait`;
      const { child } = hostile(script);
      child.stdin?.end(FLOOD);
      const heldBy = ({ sessions }: Status) => sessions.filter(({ endpoint }) => endpoint === 'box').length;
      await expect
        .poll(async () => heldBy((await daemon.json('status')) as Status))
        .toBeGreaterThan(MAX_CONNECTIONS / 2);
      const times: number[] = [];
      const statuses: Status[] = [];
      while (times.length < 40) {
        times.push(await honestApp(daemon));
        if (times.length % 10 === 0) statuses.push((await daemon.json('status')) as Status);
      }
      const [box] = (await daemon.json('endpoints')) as Status['further'];
      expect(box).toMatchObject({ state: 'serving', why: null });
      const held = statuses.map(heldBy);
      expect(Math.max(...held)).toBeGreaterThan(0);
      expect(Math.max(...held)).toBeLessThanOrEqual(MAX_CONNECTIONS);
      expect(Math.max(...statuses.map(({ rss }) => rss / 2 ** 20))).toBeLessThan(MAX_RSS_MIB);
      expect(Math.max(...times)).toBeLessThan(2000);
    });

    it.each([
      ['a file', 'echo x >apps/discord-ipc-0', 'a regular file stands there'],
      ['a symbolic link', 'ln -s /etc/passwd apps/discord-ipc-0', 'a symbolic link stands there'],
      ['a FIFO', 'mkfifo apps/discord-ipc-0', 'a FIFO stands there'],
      ['a folder', 'mkdir -p apps/discord-ipc-0/x', 'a folder stands there'],
    ])('that puts %s in place of the socket blocks this endpoint alone', async (_what, script, reason) => {
      const { attack, blocked, serving } = await setUp();
      // The bridge restores a deleted socket within milliseconds, so the script may need several tries.
      await attack(`until rm -rf apps/discord-ipc-0; ${script} 2>/dev/null && ! [ -S apps/discord-ipc-0 ]
do :; done`);
      await blocked(reason);
      await attack('rm -rf apps/discord-ipc-0');
      await serving();
    });

    it('that fills the folder delays nothing, not even the next start', async () => {
      const { runtime, daemon, attack, hostile, serving } = await setUp();
      await attack(`cat >/tmp/fill.cjs <<'END'
const { mkdirSync, writeFileSync } = require('node:fs');
for (let at = 0; at < 20000; at++) writeFileSync('apps/file' + at, '');
for (let at = 0; at < 2000; at++) mkdirSync('apps/folder' + at);
for (let at = 1; at < 10; at++) writeFileSync('apps/discord-ipc-' + at, '');
END
node /tmp/fill.cjs`);
      await serving();
      await attack('rm apps/discord-ipc-0');
      await serving();
      // Sockets that accept and never answer, under the temporary names of the bridge.
      const silent = hostile(`cat >/tmp/silent.cjs <<'END'
const { createServer } = require('node:net');
let left = 300;
for (let at = 0; at < 300; at++)
  createServer().listen('${INSIDE}/${SHARED}/apps/.fb' + String(at).padStart(8, '0'), () => {
    if (--left === 0) console.log('all listen');
  });
END
node /tmp/silent.cjs`);
      await expect.poll(silent.output).toContain('all listen');
      await daemon.kill();
      const begun = performance.now();
      const again = await start(runtime);
      expect(performance.now() - begun).toBeLessThan(10_000);
      await honestApp(again);
      expect(await stateOf(again)).toMatchObject({ state: 'serving' });
    });

    it.each([
      [
        'read-only',
        'chmod 0500 apps',
        'it has mode 0500, so no socket can be made in it (EACCES). Run: chmod 0700',
        'chmod 0700 apps',
      ],
      ['inaccessible', 'chmod 0000 apps', 'it has mode 0000', 'chmod 0700 apps'],
      ['writable for all', 'chmod 0777 apps', 'chmod 0700', 'chmod 0700 apps'],
      ['a link', 'rm -rf apps; ln -s .. apps', 'symbolic link', 'rm apps'],
      ['a file', 'rm -rf apps; touch apps; [ -f apps ]', 'is not a folder', 'rm apps'],
    ])('that makes the folder %s blocks this endpoint alone', async (_what, script, reason, remedy) => {
      const { attack, blocked, serving, runtime } = await setUp();
      // The folder has to be changed before the bridge restores the socket.
      await attack(`until rm -rf apps/discord-ipc-0; ${script} 2>/dev/null && ! [ -S apps/discord-ipc-0 ]
do chmod 0700 apps; done`);
      await blocked(reason);
      expect(existsSync(join(runtime.folder, 'discord-ipc-0'))).toBe(true);
      await attack(remedy);
      await serving();
    });

    it('that removes the folder, again and again, finds the endpoint again afterwards', async () => {
      const { attack, serving } = await setUp();
      await attack('rm -rf apps');
      await serving();
      await attack('for i in 1 2 3 4 5 6 7 8 9 10; do rm -rf apps; sleep 0.05; done');
      await serving();
    });

    const sandboxesOf = async (daemon: Daemon): Promise<readonly (string | null)[]> =>
      ((await daemon.json('status')) as Status).sessions.map(({ sandbox }) => sandbox);

    it('is proven by the folder of its instance, and unverified in a PID namespace of its own', async () => {
      const { daemon, hostile } = await setUp('"full"');
      const own = hostile(`cat >/tmp/connect.cjs; node /tmp/connect.cjs`);
      own.child.stdin?.end(CONNECT);
      await expect.poll(() => sandboxesOf(daemon)).toEqual(['Flatpak org.example.App']);
      own.child.kill('SIGKILL');
      await expect.poll(() => sandboxesOf(daemon)).toEqual([]);
      const nested = hostile(`cat >/tmp/connect.cjs
${posing(`exec ${JSON.stringify(process.execPath)} /tmp/connect.cjs`)}`);
      nested.child.stdin?.end(CONNECT);
      await expect.poll(() => sandboxesOf(daemon)).toEqual(['unverified']);
    });

    it.each([
      ['writes .flatpak-info', "printf '[Application]\\nname=a.b\\n' >/.flatpak-info; node /tmp/connect.cjs"],
      ['mounts it in namespaces of its own', posing('exec node /tmp/connect.cjs')],
      [
        'is an orphan with namespaces of its own, which the init process of the machine adopted',
        `${posing('sleep 2; exec node /tmp/connect.cjs')} & sleep 1; kill -9 $!; sleep 60`,
      ],
    ])('that %s is unverified', async (_what, script) => {
      const { daemon, hostile } = await setUp('"full"');
      // The command is a file, because functions of the shell are unknown to the shells that it starts.
      const setUpNode = `mkdir /tmp/bin; ln -s "${process.execPath}" /tmp/bin/node; PATH=/tmp/bin:$PATH; unset -f node`;
      const { child, output } = hostile(`cat >/tmp/connect.cjs; ${setUpNode}\n${script}`, {
        info: 'written',
        pids: 'shared',
      });
      child.stdin?.end(CONNECT);
      await expect.poll(() => sandboxesOf(daemon), { message: output() }).toEqual(['unverified']);
    });

    const noMounts = whyNoMounts();
    it.skipIf(noMounts !== undefined)(
      `that mounts a FUSE file system without an answer stops neither the bridge nor doctor (${noMounts ?? '/dev/fuse'})`,
      async () => {
        const { daemon, hostile } = await setUp('"full"');
        const program = fileURLToPath(new URL('./slow-file-system.py', import.meta.url));
        const { child, output } = hostile(
          `exec /usr/bin/python3 "${program}" "${dirname(join(INSIDE, SOCKET))}"`,
          {
            mayMount: true,
          },
        );
        await expect.poll(output, { timeout: 60_000 }).toMatch(/^done$|Error/m);
        expect(output()).not.toMatch(/Error|refused/);
        // Those of the first three have such a file system as root folder, as working folder, and below an overlay.
        expect(output().match(/^answered .+$/gm)).toHaveLength(3 + 24);
        expect(await sandboxesOf(daemon)).toEqual(Array(3).fill('Flatpak org.example.App'));
        for (let round = 0; round < 5; round++) await honestApp(daemon);
        // Doctor ends on its own although the sandbox still does not answer.
        const { code, stdout } = await daemon.cli(['doctor']);
        expect(code, stdout).toBe(0);
        expect(stdout).toContain('a look into it did not end in time');
        expect(child.exitCode).toBeNull();
        await honestApp(daemon);
        expect(await daemon.stop()).toMatchObject({ code: 0, signal: null });
      },
    );

    it.skipIf(noMounts !== undefined).each(['links', 'folder'])(
      `that leads its %s to such a file system keeps neither the start of the bridge nor doctor (${noMounts ?? '/dev/fuse'})`,
      async (what) => {
        const { runtime, daemon, hostile } = await setUp();
        const program = fileURLToPath(new URL('./slow-file-system.py', import.meta.url));
        // A link leads through the entry of proc(5), for which the program has to know its pid outside.
        const script = `exec /usr/bin/python3 "${program}" "${dirname(join(INSIDE, SOCKET))}" ${what}`;
        const { output } = hostile(script, { mayMount: true, pids: 'shared' });
        await expect.poll(output, { timeout: 60_000 }).toMatch(/^linked$|Error/m);
        expect(output()).not.toContain('Error');
        let running = daemon;
        // The bridge looks at the path and connects there at each start.
        for (let round = 0; round < 8; round++) {
          await honestApp(running);
          expect(await running.stop()).toMatchObject({ code: 0, signal: null });
          running = await start(runtime);
        }
        const { stdout } = await running.cli(['doctor']);
        if (what === 'links')
          expect(stdout).toContain('which is not followed, because a program in a sandbox can write there');
        await honestApp(running);
      },
    );

    it('that requests what it has no right to gets 4006, and nobody is asked', async () => {
      const { daemon, hostile } = await setUp();
      const requests = [
        ['AUTHORIZE', { client_id: APP, scopes: ['rpc'] }],
        ['AUTHENTICATE', { access_token: 'x' }],
        ['GET_GUILDS', {}],
        ['GET_VOICE_SETTINGS', {}],
        ['SELECT_VOICE_CHANNEL', { channel_id: '1', force: true }],
        ['OPEN_OVERLAY_VOICE_SETTINGS', { pid: 1 }],
      ] as const;
      for (const [cmd, args] of requests) {
        const { code, output } = await hostile(`export FOOTBRIDGE_ENDPOINT=${INSIDE}/${SOCKET}
echo '${JSON.stringify(args)}' >/tmp/args
footbridge call ${cmd} @/tmp/args`).ended;
        expect(code, output).not.toBe(0);
        expect(output).toMatch(/4006|not permitted/);
      }
      expect(await daemon.json('requests')).toEqual([]);
      await honestApp(daemon);
    });
  },
);
