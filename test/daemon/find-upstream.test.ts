import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { OwnProbes } from '../../platform/endpoint/own-probes.ts';
import { currentOs, type OperatingSystem } from '../../platform/operating-system.ts';
import { LocalError } from '../../src/base/local-error.ts';
import { type SearchOptions, upstreamSearch } from '../../src/daemon/find-upstream.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { eventually } from '../helpers/eventually.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { fullQueue } from '../helpers/full-queue.ts';
import { NOBODY, nodeForOthers } from '../helpers/other-user.ts';
import { ScriptedClient } from '../helpers/scripted-client.ts';
import { leaveStaleSocket, listenOn, temporaryFolder, uid } from '../helpers/sockets.ts';

const os = await currentOs();
const never = new AbortController().signal;

function openSearch(folder: string, options: Partial<SearchOptions> = {}) {
  return openSource(folder, options).connect;
}

function openSource(folder: string, options: Partial<SearchOptions> = {}) {
  return upstreamSearch({
    os,
    folders: os.prepareFolders({ XDG_RUNTIME_DIR: folder }),
    env: { XDG_RUNTIME_DIR: folder },
    upstream: 'auto',
    endpoint: () => join(folder, 'discord-ipc-0'),
    ownPaths: () => [],
    ownProbes: new OwnProbes(),
    ...options,
  });
}

function search(folder: string, options: Partial<SearchOptions> = {}) {
  const find = openSearch(folder, options);
  return async (signal = never) => {
    const { path, stream } = await find(signal);
    stream.destroy();
    return path.replace(`${folder}/`, '');
  };
}

async function clientAt(folder: string, name: string): Promise<ScriptedClient> {
  return new ScriptedClient(join(folder, name)).start();
}

it('the upstream search finds the first index after that of the bridge at which a client answers', async () => {
  const folder = temporaryFolder();
  await clientAt(folder, 'discord-ipc-0');
  await clientAt(folder, 'discord-ipc-1');
  await leaveStaleSocket(join(folder, 'discord-ipc-2'));
  // Listens and says nothing.
  await listenOn({ path: join(folder, 'discord-ipc-3') });
  await clientAt(folder, 'discord-ipc-4');
  await clientAt(folder, 'discord-ipc-5');
  expect(await search(folder, { endpoint: () => join(folder, 'discord-ipc-1') })()).toBe('discord-ipc-4');
});

it('the upstream search ignores an endpoint of another user', async () => {
  const folder = temporaryFolder();
  const stranger = await clientAt(folder, 'discord-ipc-1');
  await clientAt(folder, 'discord-ipc-2');
  // The first that is asked is the stranger's.
  const uids = [(os.uid ?? 0) + 12_345];
  const peerOf: OperatingSystem['peerOf'] = () => ({
    kind: 'known',
    credentials: { pid: 1, uid: uids.shift() ?? os.uid ?? 0, gid: 0 },
  });
  expect(await search(folder, { os: { ...os, peerOf } })()).toBe('discord-ipc-2');
  expect(stranger.sessions).toEqual([]);
});

it.skipIf(uid !== 0 || os.native.kind === 'absent')(
  'the upstream search ignores an endpoint of another user in a shared folder (needs root and native calls)',
  async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o1777);
    const script = `require('net').createServer((s) => s.on('error', () => {}).write('pong')).listen(process.argv[1], () => {
      require('fs').chmodSync(process.argv[1], 0o666); console.log('ready') })`;
    const squat = spawn(nodeForOthers(), ['-e', script, join(folder, 'discord-ipc-1')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      uid: NOBODY,
    });
    onTestFinished(() => void squat.kill('SIGKILL'));
    await once(squat.stdout, 'data');
    await clientAt(folder, 'discord-ipc-2');
    expect(await search(folder)()).toBe('discord-ipc-2');
  },
);

it('the upstream search returns the same endpoint until it closes, and then searches again', async () => {
  const folder = temporaryFolder();
  const find = search(folder);
  const two = await clientAt(folder, 'discord-ipc-2');
  expect(await find()).toBe('discord-ipc-2');
  await clientAt(folder, 'discord-ipc-1');
  expect(await find()).toBe('discord-ipc-2');
  await two.stop();
  expect(await find()).toBe('discord-ipc-1');
});

it('the upstream search covers the folders of packaged clients, and nothing outside its own folder', async () => {
  const folder = temporaryFolder();
  const find = search(folder);
  await expect(find()).rejects.toThrow('no chat client answers at any index above ours');
  mkdirSync(join(folder, 'app/com.discordapp.Discord'), { recursive: true });
  await clientAt(folder, 'app/com.discordapp.Discord/discord-ipc-0');
  expect(await find()).toBe('app/com.discordapp.Discord/discord-ipc-0');
});

it.each(['app/io.example.Any', '.flatpak/io.example.Any/xdg-run', 'snap.any'])(
  'the upstream search finds a client in the sandbox folder %s, which no list names',
  async (name) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, name), { recursive: true });
    await clientAt(folder, `${name}/discord-ipc-1`);
    expect(await search(folder)()).toBe(`${name}/discord-ipc-1`);
  },
);

it('the upstream search never connects to a hard link or symbolic link to our own socket in a sandbox', async () => {
  const folder = temporaryFolder();
  const self = await clientAt(folder, 'discord-ipc-0');
  for (const name of ['snap.a', 'snap.b']) mkdirSync(join(folder, name));
  linkSync(join(folder, 'discord-ipc-0'), join(folder, 'snap.a/discord-ipc-0'));
  symlinkSync('../discord-ipc-0', join(folder, 'snap.b/discord-ipc-0'));
  await expect(search(folder)()).rejects.toThrow('no chat client');
  expect(self.sessions).toEqual([]);
});

it('the upstream search finds no client before the bridge itself listens', async () => {
  const folder = temporaryFolder();
  await clientAt(folder, 'discord-ipc-1');
  await expect(search(folder, { endpoint: () => undefined })()).rejects.toThrow('no chat client');
});

it('the upstream search uses the configured path, and never the bridge itself', async () => {
  const folder = temporaryFolder();
  await clientAt(folder, 'elsewhere');
  expect(await search(folder, { upstream: join(folder, 'elsewhere') })()).toBe('elsewhere');
  const self = join(folder, 'discord-ipc-0');
  await expect(search(folder, { upstream: self, endpoint: () => self })()).rejects.toThrow(
    'is an endpoint of this bridge itself. Give the path of the chat client with --upstream PATH.',
  );
});

it('the upstream search sends nothing to an endpoint of another user', async () => {
  const folder = temporaryFolder();
  const client = await clientAt(folder, 'discord-ipc-1');
  const peerOf = (uid: number): OperatingSystem['peerOf'] => {
    return () => ({ kind: 'known', credentials: { pid: 1, uid, gid: 0 } });
  };
  const other: OperatingSystem = { ...os, peerOf: peerOf((os.uid ?? 0) + 12_345) };
  await expect(search(folder, { os: other })()).rejects.toThrow(/^the endpoint belongs to uid \d+$/);
  const broken: OperatingSystem = { ...os, peerOf: () => ({ kind: 'failed', error: new Error('x') }) };
  await expect(search(folder, { os: broken })()).rejects.toThrow('does not say who');
  expect(client.sessions).toEqual([]);
  expect(await search(folder, { os: { ...os, peerOf: peerOf(0) } })()).toBe('discord-ipc-1');
});

it('the upstream search ignores the sockets that the bridge itself serves for sandboxes', async () => {
  const folder = temporaryFolder();
  for (const client of ['com.discordapp.Discord', 'org.other'])
    mkdirSync(join(folder, 'app', client), { recursive: true, mode: 0o700 });
  const own = await clientAt(folder, 'app/com.discordapp.Discord/discord-ipc-0');
  await clientAt(folder, 'app/org.other/discord-ipc-0');
  const ownPaths = () => [join(folder, 'app/com.discordapp.Discord/discord-ipc-0')];
  expect(await search(folder, { ownPaths })()).toBe('app/org.other/discord-ipc-0');
  await expect(search(folder, { ownPaths, upstream: ownPaths()[0] ?? '' })()).rejects.toThrow(
    'is an endpoint of this bridge itself',
  );
  expect(own.sessions).toEqual([]);
});

/** A bridge whose forward leads to itself: what comes in at a path is a PING of the bridge's own sessions. */
async function loopAt(path: string, probes: OwnProbes) {
  return listenOn({ path }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const frame = Buffer.from(bytes);
      if (frame.readUInt32LE(0) !== Opcode.PING) return;
      probes.received(frame.subarray(8));
      socket.write(frameBytes(Opcode.PONG, frame.subarray(8).toString()));
    });
  });
}

it('the upstream search leaves out an endpoint that leads back to the bridge, and names it where there is no other', async () => {
  const folder = temporaryFolder();
  const ownProbes = new OwnProbes();
  await loopAt(join(folder, 'discord-ipc-1'), ownProbes);
  const find = search(folder, { ownProbes });
  await expect(find()).rejects.toThrow(
    new LocalError(
      'FOOTBRIDGE_UPSTREAM',
      `${folder}/discord-ipc-1 leads back to this bridge, so the bridge would stand behind itself. ` +
        'Stop the forward or relay that serves that path, give the bridge there another upstream, or give this one the path of the chat client with --upstream PATH.',
    ),
  );
  await clientAt(folder, 'discord-ipc-2');
  expect(await find()).toBe('discord-ipc-2');
});

it('the upstream search refuses a configured path that leads back to the bridge, also by a link', async () => {
  const folder = temporaryFolder();
  const ownProbes = new OwnProbes();
  const upstream = join(folder, 'elsewhere');
  await loopAt(upstream, ownProbes);
  await expect(search(folder, { ownProbes, upstream })()).rejects.toThrow('leads back to this bridge');
  const link = join(folder, 'link');
  symlinkSync(upstream, link);
  const linked = search(folder, { ownProbes, upstream: link });
  await expect(linked()).rejects.toThrow(`${link} leads back to this bridge`);
});

it('the upstream search notices when the path of the chat client leads back to the bridge later', async () => {
  const folder = temporaryFolder();
  const ownProbes = new OwnProbes();
  const find = search(folder, { ownProbes });
  const client = await clientAt(folder, 'discord-ipc-1');
  expect(await find()).toBe('discord-ipc-1');
  await client.stop();
  await loopAt(join(folder, 'discord-ipc-1'), ownProbes);
  await eventually(() => expect(find()).rejects.toThrow('leads back to this bridge'));
});

it.each([
  [2, 'bridge'],
  [3, 'bridge'],
  [2, 'link'],
])('each bridge of a circle of %d notices it at the path of a %s, and none is used', async (count, name) => {
  const folder = temporaryFolder();
  const bridges = Array.from({ length: count }, () => new OwnProbes());
  for (const [at, ownProbes] of bridges.entries()) {
    await loopAt(join(folder, `bridge-${at}`), ownProbes);
    symlinkSync(`bridge-${at}`, join(folder, `link-${at}`));
  }
  const finds = bridges.map((ownProbes, at) =>
    search(folder, { ownProbes, upstream: join(folder, `${name}-${(at + 1) % count}`) }),
  );
  for (const find of [...finds, ...finds]) await expect(find()).rejects.toThrow('leads back to this bridge');
});

it('a bridge behind another one is used while a chat client stands at the end', async () => {
  const folder = temporaryFolder();
  const client = await clientAt(folder, 'client');
  const ownProbes = new OwnProbes();
  const other = new OwnProbes();
  await loopAt(join(folder, 'other'), other);
  const behind = search(folder, { ownProbes: other, upstream: join(folder, 'client') });
  expect(await behind()).toBe('client');
  expect(await search(folder, { ownProbes, upstream: join(folder, 'other') })()).toBe('other');
  // The probe has been passed on.
  await eventually(() => expect(client.connections).toBeGreaterThan(3));
});

it('probes that an app makes up reach the chat client a few times a second, each once', async () => {
  const folder = temporaryFolder();
  const client = await clientAt(folder, 'client');
  const ownProbes = new OwnProbes();
  await search(folder, { ownProbes, upstream: join(folder, 'client') })();
  const before = client.connections;
  const probe = (id: number) => {
    const uuid = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
    ownProbes.received(Buffer.from(JSON.stringify(`footbridge-probe:${uuid}`)));
  };
  const end = performance.now() + 300;
  for (let id = 0; performance.now() < end; id += 1) {
    probe(id % 1000);
    if (id % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  // A connection to check its owner, and one for the PING.
  await eventually(() => expect(client.connections).toBeGreaterThan(before));
  expect(client.connections - before).toBeLessThanOrEqual(2 * 2 * 20);
});

it('the upstream search leaves a connection that nobody waits for any more, and keeps one that it has handed over', async () => {
  const folder = temporaryFolder();
  const client = await clientAt(folder, 'client');
  const upstream = join(folder, 'client');
  const giveUp = new AbortController();
  const found = search(folder, { upstream })(giveUp.signal);
  giveUp.abort();
  await expect(found).rejects.toThrow('nobody waits for the chat client any more');
  const later = new AbortController();
  const { stream } = await openSearch(folder, { upstream })(later.signal);
  onTestFinished(() => void stream.destroy());
  later.abort();
  expect([stream.destroyed, client.connections > 0]).toEqual([false, true]);
});

it.skipIf(process.platform !== 'linux')(
  'the upstream search gives up once nobody waits for it (Linux only)',
  async () => {
    const folder = temporaryFolder();
    const upstream = join(folder, 'full');
    await fullQueue(upstream);
    const giveUp = new AbortController();
    const found = search(folder, { upstream })(giveUp.signal);
    giveUp.abort();
    await expect(found).rejects.toThrow(/^(?:nobody waits for the chat client any more|connect EAGAIN .*)$/);
  },
);

it('the upstream search takes a client that answers a probe with something else, as an app would get it', async () => {
  const folder = temporaryFolder();
  await listenOn({ path: join(folder, 'discord-ipc-1') }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(frameBytes(Opcode.CLOSE, '{"code":4000,"message":"no"}')));
  });
  expect(await search(folder)()).toBe('discord-ipc-1');
});

it.each(['/nowhere/discord-ipc-3', '/nowhere/other'])(
  'the upstream search begins above the index of the endpoint %s',
  async (endpoint) => {
    const folder = temporaryFolder();
    await clientAt(folder, 'discord-ipc-3');
    await clientAt(folder, 'discord-ipc-4');
    const found = search(folder, { endpoint: () => endpoint })();
    if (endpoint.endsWith('3')) expect(await found).toBe('discord-ipc-4');
    else await expect(found).rejects.toThrow('no chat client');
  },
);

it('all apps share one probe of the configured path, and the next ones within two seconds', async () => {
  const folder = temporaryFolder();
  const client = await clientAt(folder, 'client');
  const find = search(folder, { upstream: join(folder, 'client') });
  await Promise.all(Array.from({ length: 5 }, () => find()));
  await eventually(() => expect(client.connections).toBe(6));
  await find();
  await eventually(() => expect(client.connections).toBe(7));
});

it('a path that has led back to the bridge is used once it does no longer', async () => {
  const folder = temporaryFolder();
  const ownProbes = new OwnProbes();
  const upstream = join(folder, 'elsewhere');
  const server = await loopAt(upstream, ownProbes);
  const find = search(folder, { ownProbes, upstream });
  await expect(find()).rejects.toThrow('leads back to this bridge');
  await new Promise((resolve) => server.close(resolve));
  await clientAt(folder, 'elsewhere');
  // Not at once: it is left alone for two seconds.
  await expect(find()).rejects.toThrow('leads back to this bridge');
  await eventually(async () => expect(await find()).toBe('elsewhere'));
});

it('the upstream search goes on in the folder of the login session, whatever the number', async () => {
  const [folder, session] = [temporaryFolder(), temporaryFolder()];
  const find = search(folder, { env: { XDG_RUNTIME_DIR: session } });
  await clientAt(session, 'discord-ipc-0');
  expect(await find()).toBe(join(session, 'discord-ipc-0'));
  const other = search(folder, { env: { XDG_RUNTIME_DIR: session } });
  mkdirSync(join(session, 'snap.any'));
  await clientAt(session, 'snap.any/discord-ipc-0');
  await clientAt(folder, 'discord-ipc-1');
  expect(await other()).toBe('discord-ipc-1');
});

it('a list of endpoints is tried in its order, and the bridge itself is left out with the reason', async () => {
  const folder = temporaryFolder();
  const [self, one, two] = ['discord-ipc-0', 'one', 'two'].map((name) => join(folder, name));
  const list = { upstream: `${self},${one},${two}` };
  const find = search(folder, list);
  const { check, candidates, reach } = openSource(folder, list);
  await expect(find()).rejects.toThrow(`${self} is an endpoint of this bridge itself`);
  await clientAt(folder, 'two');
  expect(await find()).toBe('two');
  await clientAt(folder, 'one');
  // The client that was found is used as long as it is reachable.
  expect(await find()).toBe('two');
  expect(await search(folder, list)()).toBe('one');
  expect(candidates()).toEqual([self, one, two]);
  for (const use of [check(self ?? ''), reach(self ?? '', never)])
    await expect(use).rejects.toThrow(`${self} is an endpoint of this bridge itself. Give the path`);
  expect(await check(two ?? '')).toMatchObject({ program: { pid: process.pid } });
});

it('a further endpoint of a list that leads back to the bridge is refused with path and remedy, and the others are used', async () => {
  const folder = temporaryFolder();
  const ownProbes = new OwnProbes();
  await clientAt(folder, 'client');
  await loopAt(join(folder, 'circle'), ownProbes);
  const upstream = `${join(folder, 'client')},${join(folder, 'circle')}`;
  const { connect, check, reach } = openSource(folder, { ownProbes, upstream });
  (await connect(never)).stream.destroy();
  const text = `${folder}/circle leads back to this bridge, so the bridge would stand behind itself. Stop the forward`;
  await expect(check(join(folder, 'circle'))).rejects.toThrow(text);
  await expect(reach(join(folder, 'circle'), never)).rejects.toThrow(text);
});

it('a bridge passes the probes of another bridge on to each of its clients, so that a circle by one of them is noticed', async () => {
  const folder = temporaryFolder();
  const [ownProbes, other] = [new OwnProbes(), new OwnProbes()];
  await clientAt(folder, 'client');
  await loopAt(join(folder, 'ours'), ownProbes);
  await loopAt(join(folder, 'other'), other);
  openSource(folder, { ownProbes: other, upstream: `${folder}/client,${folder}/ours` });
  const { check } = openSource(folder, { ownProbes, upstream: `${folder}/client,${folder}/other` });
  await expect(check(join(folder, 'other'))).rejects.toThrow(`${folder}/other leads back to this bridge`);
});

it('the mark of an endpoint changes when another program listens there', async () => {
  const folder = temporaryFolder();
  const { mark } = openSource(folder);
  const path = join(folder, 'client');
  expect(mark(path)).toBeUndefined();
  const client = await clientAt(folder, 'client');
  const before = mark(path);
  expect(before).toMatch(/^\d+:\d+:\d+$/);
  expect(mark(path)).toBe(before);
  await client.restart();
  expect(mark(path)).not.toBe(before);
  expect(mark('\\\\.\\pipe\\x')).toBe('unknown');
});

it('a program in a sandbox is a further client only where its id is that of a chat client, unless it is the only one', async () => {
  const folder = temporaryFolder();
  const names = [
    'app/dev.vencord.Vesktop',
    'app/io.example.Game',
    '.flatpak/io.example.Game/xdg-run',
    'snap.discord',
    'snap.game',
  ];
  for (const name of names) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const { candidates, connect } = openSource(folder);
  const sandboxes = () =>
    [...new Set(candidates().map((path) => dirname(path)))].filter((path) => path !== folder).sort();
  const clients = ['app/dev.vencord.Vesktop', 'snap.discord'].map((name) => join(folder, name));
  expect(sandboxes()).toEqual(clients);
  await clientAt(folder, 'snap.game/discord-ipc-0');
  (await connect(never)).stream.destroy();
  expect(sandboxes()).toEqual([...clients, join(folder, 'snap.game')]);
});
