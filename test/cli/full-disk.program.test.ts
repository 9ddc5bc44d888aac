import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createRuntime, startDaemon } from '../helpers/daemon.ts';
import { diskFaults, mountSmallDisk } from '../helpers/small-disk.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { footbridge, temporaryPlace } from './spawn.ts';

/** Mounts a small disk over a folder of a place, with a file in it. */
function diskAt(folder: string, name: string, content: string, context: TestContext): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mountSmallDisk(folder, context);
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content);
  return path;
}

/** The names in a folder, without what fills its disk. */
const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'filler');

/** An error in one line that names a path, the reason and, in the last sentence, a remedy. */
const oneLine = (path: string, reason: string, remedy: string) => {
  const [where, why, what] = [path, reason, remedy].map((text) => text.replaceAll(/[.()[\]\\+*?|]/g, '\\$&'));
  return expect.stringMatching(
    new RegExp(`^footbridge: [^\\n]*${where}[^\\n]*: ${why}\\. [^\\n]*${what}[^\\n]*\\n$`),
  );
};

describe.for(diskFaults)('on $name', ({ begin, reason }) => {
  it.for([
    ['add', 'flatpak'],
    ['remove', 'box'],
  ])('endpoints %s leaves the configuration as it was', async (words, context) => {
    const place = temporaryPlace();
    const text = 'consent = "ask"\n\n[[endpoints]]\nname = "box"\npath = "/tmp/box/discord-ipc-0"\n';
    const folder = join(place.folder, 'config', 'footbridge');
    const file = diskAt(folder, 'footbridge.toml', text, context);
    begin(folder);
    expect(await footbridge(place, 'endpoints', ...words)).toEqual({
      code: 78,
      signal: null,
      stdout: '',
      stderr: oneLine(file, reason, 'Make room on its disk or make it writable'),
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(namesIn(folder)).toEqual(['footbridge.toml']);
  });

  it.for([
    ['the copy of the program', join('data', 'footbridge'), 'app'],
    ['the entry of the session', 'config', join('autostart', 'footbridge.desktop')],
  ] as const)('install without a place for %s leaves nothing', async ([, at, part], context) => {
    const place = temporaryPlace();
    const folder = join(place.folder, at);
    diskAt(folder, 'mine', 'mine', context);
    begin(folder);
    // Without a service manager, so that the session starts the bridge.
    const bare = { ...place, env: { ...place.env, PATH: '' } };
    expect(await footbridge(bare, 'install', '--no-start', '--force')).toEqual({
      code: 78,
      signal: null,
      stdout: '',
      stderr: oneLine(join(folder, part), reason, 'run "footbridge install" again'),
    });
    expect(namesIn(folder).filter((name) => name !== 'autostart')).toEqual(['mine']);
    expect(existsSync(join(place.folder, 'data', 'footbridge', 'app'))).toBe(false);
    expect(existsSync(join(place.folder, 'data', 'footbridge', 'service.json'))).toBe(false);
  });

  it('call presents its token, although it cannot be stored or replaced', async (context) => {
    const runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    // Its decisions are in another folder than the tokens of the commands.
    const args = [
      '--data-dir',
      temporaryFolder(),
      '--consent',
      'allow',
      '--http-port',
      '0',
      '--ws-port',
      'off',
    ];
    const daemon = await startDaemon({ runtime, args });
    onTestFinished(async () => void (await daemon.stop()));
    const folder = join(runtime.env['XDG_DATA_HOME'] ?? '', 'footbridge');
    const tokens = join(folder, 'tokens');
    diskAt(folder, 'mine', 'mine', context);
    const call = (scopes: string) => daemon.cli(['call', 'GET_USER', '{"id":"1"}', '--scopes', scopes]);
    expect(await call('identify')).toMatchObject({ code: 0, stderr: '' });
    const [name = ''] = readdirSync(tokens);
    const stored = readFileSync(join(tokens, name), 'utf8');
    begin(folder);
    const warned = { code: 0, stderr: oneLine(tokens, reason, 'Make room on its disk, or make it writable') };
    expect(await call('rpc')).toMatchObject(warned);
    // A revoked token is replaced by a new one for this call.
    for (const { id } of (await daemon.json('grants')) as { id: string }[])
      expect(await daemon.cli(['revoke', id])).toMatchObject({ code: 0 });
    expect(await call('identify')).toMatchObject(warned);
    expect(readdirSync(tokens)).toEqual([name]);
    expect(readFileSync(join(tokens, name), 'utf8')).toBe(stored);
  });

  it('emulator export and bugreport leave the files that were there', async (context) => {
    const runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    const daemon = await startDaemon({ runtime, args: ['--http-port', '0', '--ws-port', 'off'] });
    onTestFinished(async () => void (await daemon.stop()));
    const folder = temporaryFolder();
    const file = diskAt(folder, 'world.jsonl', 'an afternoon of work\n', context);
    begin(folder);
    expect(await daemon.cli(['emulator', 'export', file])).toMatchObject({
      code: 78,
      stdout: '',
      stderr: oneLine(file, reason, 'Name a file in a folder that you may write to'),
    });
    const report = join(folder, 'report.txt');
    expect(await daemon.cli(['bugreport', '--out', report])).toMatchObject({
      code: 78,
      stdout: '',
      stderr: oneLine(report, reason, 'Name another with --out'),
    });
    expect(await daemon.cli(['bugreport', '--out', file])).toMatchObject({ code: 78, stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe('an afternoon of work\n');
    expect(namesIn(folder)).toEqual(['world.jsonl']);
  });
});

describe('without a folder for the configuration', () => {
  it('endpoints add makes it, for the user alone', async () => {
    const place = temporaryPlace();
    const folder = join(place.folder, 'missing', 'deeper');
    const there = { ...place, env: { ...place.env, XDG_CONFIG_HOME: folder } };
    expect(await footbridge(there, 'endpoints', 'add', 'flatpak')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(folder, 'footbridge', 'footbridge.toml'), 'utf8')).toContain('flatpak');
    for (const one of [folder, join(folder, 'footbridge')]) expect(statSync(one).mode & 0o777).toBe(0o700);
  });

  it('endpoints add says in one line that a file stands there', async () => {
    const place = temporaryPlace();
    const file = join(place.folder, 'file');
    writeFileSync(file, 'mine');
    const there = { ...place, env: { ...place.env, XDG_CONFIG_HOME: file } };
    expect(await footbridge(there, 'endpoints', 'add', 'flatpak')).toMatchObject({
      code: 78,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^footbridge: ${file}/[^\\n]*ENOTDIR[^\\n]*\\n$`)),
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});
