import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeProgram, programOf } from '../../../platform/process/program.ts';
import { isLocalError } from '../../../src/base/local-error.ts';
import type { Flags } from '../../../src/daemon/config/settings.ts';
import { exitCodeOf } from '../../../src/daemon/exit-codes.ts';
import {
  bridgeRun,
  linesIn,
  type RunPlace,
  type RunSetting,
  runPlace,
  startRun,
} from '../../helpers/bridge-run.ts';
import { isRoot } from '../../helpers/fault-bridge.ts';
import { listenOn, uid } from '../../helpers/sockets.ts';

/** How a start that fails ends: exit code, code and message, and what is left. */
async function refused(setting: RunSetting) {
  const run = await startRun(setting);
  const error = await run.result.then(
    () => new Error('it has started'),
    (reason: unknown) => reason,
  );
  if (!isLocalError(error)) throw error;
  const own = join(run.place.folder, `footbridge-${uid}`);
  return {
    exit: exitCodeOf(error),
    code: error.code,
    message: error.message.replaceAll(run.place.folder, 'FOLDER'),
    left: existsSync(own) ? readdirSync(own) : [],
    stdout: run.stdout(),
    run,
  };
}

async function takenPort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A file in the place, whose path stands for `PATH` in what follows. */
type Case = readonly [
  what: string,
  setting: (place: RunPlace) => Omit<RunSetting, 'place'>,
  expected: { readonly exit: number; readonly code: string; readonly message: string | RegExp },
];

const flags = (all: Flags) => () => ({ flags: all });

describe('a run that cannot start', () => {
  it.each<Case>([
    [
      'an unknown core on the command line',
      flags({ core: 'nope' }),
      {
        exit: 64,
        code: 'FOOTBRIDGE_USAGE',
        message: '--core: "nope" is not a client core (emulator, upstream, attach) or the path of a module.',
      },
    ],
    [
      'an unknown core of the file',
      () => ({ toml: 'core = "nope"\n' }),
      {
        exit: 78,
        code: 'FOOTBRIDGE_CONFIG',
        message:
          'FOLDER/config/footbridge.toml: core: "nope" is not a client core (emulator, upstream, attach) or the path of a module.',
      },
    ],
    [
      'a slip in a variable',
      () => ({ env: { FOOTBRIDGE_CONSNT: 'ask' } }),
      {
        exit: 64,
        code: 'FOOTBRIDGE_USAGE',
        message: 'FOOTBRIDGE_CONSNT: no setting has this variable. Did you mean "FOOTBRIDGE_CONSENT"?',
      },
    ],
    [
      'a fixture that is not there',
      flags({ fixture: '/nowhere.toml' }),
      {
        exit: 78,
        code: 'FOOTBRIDGE_FIXTURE',
        message:
          '/nowhere.toml: cannot be read: there is no such file or folder (ENOENT). Give a file that is there and that you may read.',
      },
    ],
    [
      'a fixture with a fault',
      (place) => ({
        flags: {
          fixture: place.file(
            'world.toml',
            'me = "7"\nstrct = true\n[[users]]\nid = "7"\nusername = "seven"\n',
          ),
        },
      }),
      { exit: 78, code: 'FOOTBRIDGE_FIXTURE', message: /^FOLDER\/world\.toml: strct: / },
    ],
    [
      'a module without a core',
      (place) => ({ flags: { core: place.file('core.mjs', 'export const x = 1;') } }),
      {
        exit: 78,
        code: 'FOOTBRIDGE_CORE',
        message: 'FOLDER/core.mjs: it exports no function createCore, and none as its default',
      },
    ],
    [
      'a module as fallback without a core',
      (place) => ({ flags: { core: 'upstream', fallback: place.file('core.mjs', 'export const x = 1;') } }),
      { exit: 78, code: 'FOOTBRIDGE_CORE', message: /it exports no function createCore/ },
    ],
    [
      'a relative runtime folder',
      () => ({ env: { XDG_RUNTIME_DIR: 'run' } }),
      { exit: 78, code: 'FOOTBRIDGE_ENVIRONMENT', message: /XDG_RUNTIME_DIR/ },
    ],
    [
      'a runtime folder that others can write to',
      ({ folder }) => {
        mkdirSync(join(folder, 'open'));
        chmodSync(join(folder, 'open'), 0o777);
        return { env: { XDG_RUNTIME_DIR: join(folder, 'open') } };
      },
      { exit: 78, code: 'FOOTBRIDGE_ENDPOINT_FOLDER', message: /chmod 0700 FOLDER\/open/ },
    ],
    [
      'a data folder that is a file',
      (place) => ({ flags: { 'data-dir': place.file('mine', 'x') } }),
      {
        exit: 78,
        code: 'FOOTBRIDGE_DATA',
        message:
          'The data folder FOLDER/mine cannot be used: it, or what is above it, is no folder. Give another one with --data-dir.',
      },
    ],
    [
      'a data folder that others can write to',
      ({ folder }) => {
        mkdirSync(join(folder, 'shared'));
        chmodSync(join(folder, 'shared'), 0o777);
        return { flags: { 'data-dir': join(folder, 'shared') } };
      },
      {
        exit: 78,
        code: 'FOOTBRIDGE_DATA',
        message:
          'The data folder FOLDER/shared cannot be used: it has mode 0777, so that other users can put files in it. Run: chmod go-w FOLDER/shared, or give another one with --data-dir.',
      },
    ],
    [
      'a data folder in which another program has a file of the same name',
      (place) => {
        const path = join(place.folder, 'theirs');
        mkdirSync(path, { mode: 0o700 });
        writeFileSync(join(path, 'emulator.lock'), 'mine');
        return { flags: { 'data-dir': path } };
      },
      {
        exit: 78,
        code: 'FOOTBRIDGE_DATA',
        message:
          'The data folder FOLDER/theirs cannot be used: The lock file FOLDER/theirs/emulator.lock cannot be used: it holds something else, so another program has it. Use another folder. Give another one with --data-dir.',
      },
    ],
    [
      'a socket of the service manager that is none',
      () => ({ env: { LISTEN_PID: String(process.pid), LISTEN_FDS: '2' } }),
      { exit: 78, code: 'FOOTBRIDGE_ACTIVATION', message: /^.*LISTEN_FDS is "2", and one socket is served/ },
    ],
    [
      'a unit that waits for a message, without native calls',
      () => ({ native: 'absent', flags: { service: true }, env: { NOTIFY_SOCKET: '/run/notify' } }),
      {
        exit: 78,
        code: 'FOOTBRIDGE_ACTIVATION',
        message:
          'The unit waits to be told that the bridge is ready, and that cannot be done: no koffi. ' +
          'Run "footbridge install" again: it writes a unit that does not wait.',
      },
    ],
  ])('because of %s says why, and leaves nothing', async (_what, setting, expected) => {
    const place = runPlace();
    const { exit, code, message, left, stdout } = await refused({ place, ...setting(place) });
    expect({ exit, code }).toEqual({ exit: expected.exit, code: expected.code });
    if (typeof expected.message === 'string') expect(message).toBe(expected.message);
    else expect(message).toMatch(expected.message);
    expect(message).not.toContain('\n');
    expect([left, stdout]).toEqual([[], '']);
  });

  it('because another bridge serves the folder names that bridge, which goes on', async () => {
    const first = await bridgeRun();
    const { exit, code, message } = await refused({ place: first.place });
    expect([exit, code]).toEqual([75, 'FOOTBRIDGE_ENDPOINT_TAKEN']);
    expect(message).toMatch(
      /^Another Footbridge(?: \(pid \d+\))? already serves FOLDER\. "footbridge status" shows it; stop it first, or point XDG_RUNTIME_DIR at another folder\.$/,
    );
    await first.app();
  });

  it('because of a bridge that has not written its pid names it all the same', async () => {
    // The lock of every file is held, or that of the data folder alone.
    const native = { lockFile: () => false };
    expect(await refused({ native })).toMatchObject({
      exit: 75,
      code: 'FOOTBRIDGE_ENDPOINT_TAKEN',
      message:
        'Another Footbridge already serves FOLDER. "footbridge status" shows it; stop it first, or point XDG_RUNTIME_DIR at another folder.',
    });
    const locks = [true, false];
    expect(await refused({ native: { lockFile: () => locks.shift() ?? false } })).toMatchObject({
      exit: 75,
      code: 'FOOTBRIDGE_DATA_TAKEN',
      message:
        'Another Footbridge keeps its grants in FOLDER/data. Stop it, or give this one a --data-dir of its own.',
      left: [],
    });
  });

  it.each([
    ['emulator', 'grants'],
    ['attach', 'paired clients'],
  ])('because another bridge uses the data folder names it (core %s)', async (core, contents) => {
    const env = { FOOTBRIDGE_CORE: core, FOOTBRIDGE_ATTACH_PORT: '0' };
    const first = await bridgeRun({ env });
    const other = runPlace();
    const { exit, code, message, left } = await refused({
      place: other,
      env: { ...env, FOOTBRIDGE_DATA_DIR: first.place.folders.data },
    });
    expect([exit, code, left]).toEqual([75, 'FOOTBRIDGE_DATA_TAKEN', []]);
    expect(message).toMatch(
      new RegExp(
        `^Another Footbridge(?: \\(pid \\d+\\))? keeps its ${contents} in ${first.place.folders.data}\\. ` +
          'Stop it, or give this one a --data-dir of its own\\.$',
      ),
    );
    // The first has its lock still, and gives it up at its end.
    await first.stop();
    await first.result;
    await bridgeRun({ place: other, env: { ...env, FOOTBRIDGE_DATA_DIR: first.place.folders.data } });
  });

  // Other systems do not tell who listens.
  it.skipIf(process.platform !== 'linux').each([
    ['http-port', ': WHO. Give another http_port, or "auto".'],
    ['ws-port', ' for WebSocket: WHO. Give another ws_port, or "auto" for the first free one.'],
  ])('because the port of --%s is taken names who has it', async (flag, text) => {
    const port = await takenPort();
    const { exit, code, message, left } = await refused({ flags: { [flag]: String(port) } });
    expect([exit, code, left]).toEqual([75, 'FOOTBRIDGE_PORT_TAKEN', []]);
    const own = describeProgram(programOf(process.pid) ?? { pid: process.pid });
    expect(message.replace(`${own} listens there`, 'WHO')).toBe(
      `Port ${port} of 127.0.0.1 cannot be used${text}`,
    );
  });

  it('because its index is taken names the endpoint', async () => {
    const place = runPlace();
    await listenOn({ path: join(place.folder, 'discord-ipc-0') }, (socket) => socket.end());
    const { exit, code, message, left } = await refused({ place, flags: { index: '0' } });
    expect([exit, code, left]).toEqual([75, 'FOOTBRIDGE_ENDPOINT_TAKEN', []]);
    expect(message).toContain('FOLDER/discord-ipc-0');
  });

  it('with --log-files says so in the log file too', async () => {
    const { code, message, run } = await refused({ flags: { 'log-files': true, fixture: '/nowhere.toml' } });
    expect(code).toBe('FOOTBRIDGE_FIXTURE');
    expect(run.stderr()).toBe('');
    const text = readFileSync(join(run.place.folders.log, 'footbridge.log'), 'utf8');
    expect(JSON.parse(text).time).toBeGreaterThan(0);
    expect(linesIn(text)).toEqual([{ level: 'error', reason: message, msg: 'the bridge did not start' }]);
  });
});

describe('a run whose default data folder cannot be used', () => {
  it('serves without it, and says what that means', async () => {
    const place = runPlace();
    place.file('data', 'in the way');
    const run = await bridgeRun({ place });
    const problem = 'it, or what is above it, is no folder';
    expect(run.log('data folder not used: grants and tokens are lost at the end')).toMatchObject([
      { level: 'warn', path: place.folders.data, reason: problem },
    ]);
    expect(await run.control.status()).toMatchObject({
      places: { data: null },
      unstored: [`the data folder ${place.folders.data} cannot be used: ${problem}`],
    });
    expect(
      await run.control.call('origins.add', { clientId: '300000000000000001', origin: 'http://localhost' }),
    ).toMatchObject({ stored: false, reason: expect.stringContaining(problem) });
  });

  it.skipIf(isRoot)(
    'reads grants of a folder that it may not write (needs another user than root)',
    async () => {
      const place = runPlace();
      mkdirSync(place.folders.data, { mode: 0o500 });
      const run = await bridgeRun({ place });
      expect((await run.control.status()).unstored).toHaveLength(1);
      chmodSync(place.folders.data, 0o700);
    },
  );
});
