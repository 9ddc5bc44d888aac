import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { guidePath } from '../../src/cli/guides.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { stepsOf } from '../helpers/page-sessions.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { compiled, isThere, missing, WARNINGS } from './compiled.ts';

const COMPAT = join(root, 'src/native/compat');
const SOURCES = ['discord_rpc.c', 'discord_register.c'].map((name) => join(COMPAT, name));
const APP = '300000000000000001';
const CHECKED = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];

const COMPILERS = [
  ['gcc', '-std=c99'],
  ['gcc', '-std=c11'],
  ['clang', '-std=c99'],
  ['x86_64-w64-mingw32-gcc', '-std=c99'],
  ['s390x-linux-gnu-gcc', '-std=gnu99'],
] as const;

/** Ways to get the library into a game. */
const BUILDS: readonly (readonly [name: string, build: () => string])[] = [
  ['compiled into it', () => compiled('game.c', 'gcc', ...CHECKED, '-I', COMPAT, ...SOURCES, '-pthread')],
  [
    'without a thread',
    () => compiled('game.c', 'gcc', ...CHECKED, '-DDISCORD_DISABLE_IO_THREAD', '-I', COMPAT, ...SOURCES),
  ],
  [
    'watched for races',
    () => compiled('game.c', 'gcc', '-g', '-fsanitize=thread', '-I', COMPAT, ...SOURCES, '-pthread'),
  ],
  [
    'as a shared library',
    () => {
      const library = join(temporaryFolder(), 'libdiscord-rpc.so');
      const exported = ['-DDISCORD_DYNAMIC_LIB', '-DDISCORD_BUILDING_SDK', '-fvisibility=hidden'];
      execFileSync('gcc', ['-shared', '-fPIC', '-pthread', ...exported, ...SOURCES, '-o', library]);
      return compiled('game.c', 'gcc', '-DDISCORD_DYNAMIC_LIB', '-I', COMPAT, library);
    },
  ],
];

describe('discord_rpc.h', () => {
  for (const [compiler, ...flags] of COMPILERS) {
    it.skipIf(!isThere(compiler))(
      `is compiled without a warning by ${[compiler, ...flags].join(' ')}${missing(compiler)}`,
      () => {
        for (const source of SOURCES)
          for (const switches of [[], ['-DDISCORD_DISABLE_IO_THREAD']]) {
            const args = [...flags, ...WARNINGS, ...switches, '-c', source, '-o', '/dev/null'];
            const { status, stderr } = spawnSync(compiler, args, { encoding: 'utf8' });
            expect({ status, stderr }, args.join(' ')).toEqual({ status: 0, stderr: '' });
          }
      },
    );
  }

  it.skipIf(!isThere('gcc'))(`is built as the guide says, and exports what it lists${missing('gcc')}`, () => {
    const native = join(temporaryFolder(), 'src/native');
    cpSync(join(root, 'src/native'), native, { recursive: true });
    const all = stepsOf(guidePath('native-apps'));
    const begin = all.findIndex(({ command }) => command === 'cd src/native/compat');
    const steps = all.slice(begin, begin + 3);
    const input = steps.map(({ command }) => `${command}\n`).join('');
    const printed = execFileSync('sh', ['-e'], { cwd: join(native, '../..'), input, encoding: 'utf8' });
    expect(printed.trimEnd()).toBe(steps.at(-1)?.printed);
  });

  for (const compiler of ['g++', 'clang++'])
    it.skipIf(!isThere(compiler))(`is a header for C++ with ${compiler}${missing(compiler)}`, () => {
      const input = '#include "discord_rpc.h"\nint main() { Discord_RunCallbacks(); return 0; }\n';
      const args = ['-std=c++11', ...WARNINGS, '-I', COMPAT, '-x', 'c++', '-c', '-', '-o', '/dev/null'];
      const { status, stderr } = spawnSync(compiler, args, { input, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });

  it.skipIf(!isThere('gcc'))(`lets two threads begin, show and end at the same time${missing('gcc')}`, () => {
    const checked = ['-g', '-O1', '-fsanitize=thread', '-I', COMPAT, ...SOURCES, '-pthread'];
    const env = { PATH: process.env['PATH'], FOOTBRIDGE_ENDPOINT: join(temporaryFolder(), 'none') };
    const { status, stdout, stderr } = spawnSync(compiled('race.c', 'gcc', ...checked), {
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'both are done\n', stderr: '' });
  });

  for (const [name, build] of BUILDS)
    it.skipIf(!isThere('gcc'))(
      `serves a game of the archived library, ${name}${missing('gcc')}`,
      async () => {
        const bridge = await startEmulator();
        onTestFinished(() => bridge.close());
        const game = start(build(), APP, bridge.env);
        const ready = 'ready 200000000000000001 river 0 [3f2a9c41d07be685f19340ae5c8d27b6]\n';
        await game.prints(ready);
        await called(bridge, 'SUBSCRIBE', 3);

        await game.obeys('full By the river');
        await expect
          .poll(() => bridge.presence(APP))
          .toMatchObject({
            details: 'By the river',
            state: 'On the river',
            timestamps: { start: 1_700_000_000_000, end: 1_700_000_600_000 },
            assets: { large_image: 'boat', large_text: 'A boat', small_image: 'oar', small_text: 'An oar' },
            party: { id: 'crew', size: [2, 5] },
          });

        const { args } = await bridge.waitFor('SET_ACTIVITY');
        expect(args).toMatchObject({
          activity: {
            instance: true,
            party: { privacy: 1 },
            secrets: { match: '[hidden]' },
          },
        });

        await bridge.operations.call('activity.join', { app: APP });
        await game.prints('join join secret\n');
        await bridge.operations.call('activity.spectate', { app: APP });
        await game.prints('spectate spectate secret\n');
        const { user } = await bridge.operations.call('activity.request-join', { user: 'heron', app: APP });
        await game.prints(`asks ${user} heron\n`);
        await game.obeys(`yes ${user}`);
        await called(bridge, 'SEND_ACTIVITY_JOIN_INVITE', 1);
        await bridge.operations.call('activity.request-join', { user: 'heron', app: APP });
        await game.prints(`asks ${user} heron\n`);
        await game.obeys(`no ${user}`);
        await called(bridge, 'CLOSE_ACTIVITY_JOIN_REQUEST', 1);

        await bridge.restart();
        await game.prints(/^disconnected \d+ .+\n/);
        await game.prints(ready);
        await expect.poll(() => bridge.presence(APP)).toMatchObject({ details: 'By the river' });

        await game.obeys('without joins');
        await called(bridge, 'UNSUBSCRIBE', 1);

        await game.obeys('show x');
        await game.prints('error 4000 presence.details: must be UTF-8 of 2 to 128 characters\n');
        await game.obeys('clear');
        await expect.poll(() => bridge.presence(APP)).toBe(null);
        await game.obeys('show By the sea');
        await expect
          .poll(() => bridge.presence(APP))
          .toEqual(expect.not.objectContaining({ party: expect.anything() }));
        await expect.poll(() => bridge.presence(APP)).toMatchObject({ details: 'By the sea' });

        // What a handler does is done after it, and nothing is left of the first time.
        await game.obeys('end at an error');
        await game.obeys('show y');
        await game.prints('error 4000 presence.details: must be UTF-8 of 2 to 128 characters\n');
        await game.prints(ready);
        await expect.poll(() => bridge.presence(APP)).toBe(null);

        await game.obeys('shutdown');
        await game.obeys('show after the end');
        game.write('cycle');
        await game.prints('left 0\n');
        await game.prints('done cycle\n');
        await game.obeys('again');
        await game.prints(ready);
        expect(await bridge.presence(APP)).toBe(null);
        expect(await game.ends()).toEqual({ code: 0, left: '' });
      },
    );

  it.skipIf(!isThere('gcc'))(
    `tells a game once that its application id is refused${missing('gcc')}`,
    async () => {
      const bridge = await startEmulator({ fixture: { ...defaultFixture(), strict: true } });
      onTestFinished(() => bridge.close());
      const program = BUILDS[0]?.[1]() ?? '';
      for (const id of ['399999999999999999', 'no id']) {
        const game = start(program, id, bridge.env);
        await game.prints('disconnected 4000 Invalid Client ID\n');
        await game.obeys('show By the river');
        await game.obeys('yes 1');
        expect(await game.ends()).toEqual({ code: 0, left: '' });
      }
    },
  );

  it.skipIf(!isThere('gcc') || process.platform !== 'linux')(
    `registers what starts the game, without a shell${missing('gcc')}`,
    async () => {
      const folder = temporaryFolder();
      const mime = join(folder, 'xdg-mime');
      writeFileSync(mime, `#!/bin/sh\necho "$@" >> ${folder}/called\n`);
      chmodSync(mime, 0o755);
      const program = join(folder, 'a $game of "100%"');
      execFileSync('cp', [BUILDS[0]?.[1]() ?? '', program]);
      const data = join(folder, 'data');
      const env = { PATH: `${folder}:${process.env['PATH']}`, XDG_DATA_HOME: data };
      const entry = join(data, `applications/discord-${APP}.desktop`);
      const execOf = () => /^Exec=(.*)$/m.exec(readFileSync(entry, 'utf8'))?.[1];
      const game = start(program, APP, env);
      await game.obeys('clear');
      expect(readFileSync(entry, 'utf8')).toBe(
        `[Desktop Entry]
Type=Application
Name=Game ${APP}
Exec="${folder}/a \\\\$game of \\\\"100%%\\\\"" %u
NoDisplay=true
Categories=Game;
MimeType=x-scheme-handler/discord-${APP};
`,
      );
      await game.obeys('command play --now');
      expect(execOf()).toBe('play --now %u');
      await game.obeys('steam 70');
      expect(execOf()).toBe('xdg-open steam://rungameid/70 %u');
      await game.obeys('steam 70; rm');
      await game.obeys('command play\rMimeType=text/plain');
      expect(execOf()).toBe('xdg-open steam://rungameid/70 %u');
      const call = `default discord-${APP}.desktop x-scheme-handler/discord-${APP}\n`;
      expect(readFileSync(join(folder, 'called'), 'utf8')).toBe(call.repeat(3));
      expect(await game.ends()).toEqual({ code: 0, left: '' });
      const other = start(program, '../1', env);
      await other.prints('disconnected 4000 Invalid Client ID\n');
      expect(await other.ends()).toEqual({ code: 0, left: '' });
      expect(existsSync(join(data, '1.desktop'))).toBe(false);
    },
  );
});

/** Waits until a command has come so often. */
async function called(bridge: TestEmulator, command: string, times: number): Promise<void> {
  const count = () =>
    bridge
      .expect(command)
      .toHaveBeenCalledTimes(times)
      .then(
        () => 'so often',
        (error: Error) => error.message,
      );
  await expect.poll(count).toBe('so often');
}

/** Starts the game, whose folder of data is a temporary one. */
function start(program: string, id: string, env: Readonly<Record<string, string>>) {
  const data = { XDG_DATA_HOME: temporaryFolder() };
  const child = spawn(program, [id], {
    env: { ...process.env, ...data, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  /** Waits for the next line, which must be this one. */
  const prints = async (line: string | RegExp) => {
    await expect.poll(() => text).toContain('\n');
    const end = text.indexOf('\n') + 1;
    const first = text.slice(0, end);
    text = text.slice(end);
    if (typeof line === 'string') expect(first).toBe(line);
    else expect(first).toMatch(line);
  };
  const write = (line: string): void => void child.stdin.write(`${line}\n`);
  return {
    prints,
    write,
    async obeys(line: string) {
      write(line);
      await prints(`done ${line}\n`);
    },
    async ends() {
      child.stdin.end();
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, left: text };
    },
  };
}
