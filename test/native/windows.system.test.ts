import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { prepareWine, type Wine, type WineProgram } from '../system/wine.ts';
import { isThere, missing } from './compiled.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));
const COMPILER = 'x86_64-w64-mingw32-gcc';
const NATIVE = join(root, 'src/native');
const APP = '300000000000000001';
/** Far beyond what a start in Wine takes on a busy machine (ms). */
const PATIENCE_MS = 60_000;

const prepared = isThere(COMPILER) ? prepareWine() : { missing: missing(COMPILER) };
const reason = 'missing' in prepared ? ` (skipped: ${prepared.missing})` : '';
/** A test during which Wine itself crashed is repeated; the reporter shows how often. */
const retry = { count: 2, condition: () => (prepared as Wine).crashed() };

describe.skipIf(reason !== '')(`footbridge.h on Windows, as provided by Wine${reason}`, { retry }, () => {
  const wine = prepared as Wine;
  const footbridge = (...words: readonly string[]): WineProgram =>
    wine.node([wine.windowsPath(PROGRAM), ...words]);
  const flags = ['run', '--json', '--consent', 'allow', '--http-port', '0', '--ws-port', 'off'];
  let bridge: WineProgram | undefined;

  beforeEach(async () => {
    if (wine.crashed()) wine.boot();
    else if (bridge !== undefined) return;
    bridge = footbridge(...flags);
    await expect.poll(() => bridge?.output().stdout, { timeout: PATIENCE_MS }).toContain('\n');
  }, PATIENCE_MS);
  afterAll(async () => {
    bridge?.child.kill('SIGKILL');
    await bridge?.ended;
    wine.remove();
  });

  function built(name: string, ...sources: readonly string[]): string {
    const program = join(wine.folder, `${name}.exe`);
    const include = ['-I', NATIVE, '-I', join(NATIVE, 'compat')];
    execFileSync(COMPILER, ['-std=gnu99', ...include, ...sources, '-o', program]);
    return program;
  }

  /** What the user's profile shows, or "nothing". */
  async function shown(): Promise<string> {
    const { stdout } = await footbridge('emulator', 'profile', '--json').ended;
    return /"details": ?"([^"]*)"/.exec(stdout)?.[1] ?? 'nothing';
  }

  it('serves a game of the archived library, which is registered for its links', async () => {
    const game = built(
      'game',
      join(root, 'test/native/windows-game.c'),
      join(NATIVE, 'compat/discord_rpc.c'),
      join(NATIVE, 'compat/discord_register.c'),
    );
    const stop = join(mkdtempSync(join(wine.folder, 'game-')), 'stop');
    const running = wine.start(game, [APP, wine.windowsPath(stop)]);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await expect.poll(() => running.output().stdout, { timeout: PATIENCE_MS }).toBe('ready river\r\n');
    await expect.poll(shown, { timeout: PATIENCE_MS }).toBe('On Windows');
    expect(await footbridge('emulator', 'activity', 'join', APP).ended).toMatchObject({ code: 0 });
    await expect
      .poll(() => running.output().stdout, { timeout: PATIENCE_MS })
      .toBe('ready river\r\njoin the secret\r\n');
    const key = `HKCU\\Software\\Classes\\discord-${APP}`;
    const { stdout } = await wine.start('reg', ['query', `${key}\\shell\\open\\command`, '/ve']).ended;
    expect(stdout).toContain(`"${wine.windowsPath(game)}"`);
    writeFileSync(stop, '');
    const { code, stdout: all } = await running.ended;
    expect([code, all]).toEqual([0, 'ready river\r\njoin the secret\r\nover\r\n']);
    await expect.poll(shown, { timeout: PATIENCE_MS }).toBe('nothing');
  });

  it('asks the user for the example mute, with a verifier from the random bytes of Windows', async () => {
    const mute = built('mute', join(NATIVE, 'examples/mute.c'));
    const { code, stdout } = await wine.start(mute, [APP]).ended;
    expect(stdout).toMatch(/^verifier [\w-]{43}\r\ncode \w+\r\n$/);
    expect(code).toBe(0);
  });

  it('keeps to its results with every wrong call and a failing allocator', async () => {
    const misuse = built('misuse', join(root, 'test/native/misuse.c'), '-ladvapi32');
    const { code, stdout } = await wine.start(misuse, ['\\\\?\\pipe\\discord-ipc-0']).ended;
    expect([code, stdout.trim()]).toEqual([0, 'all holds, 14 answers, 0 without data']);
  });

  it('is closed by another thread than the one that began to read and write', async () => {
    const { code, stdout } = await wine.start(built('pipe', join(root, 'test/native/pipe.c')), []).ended;
    expect([code, stdout.trim()]).toEqual([0, 'all holds']);
  });
});
