import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { endpointPaths } from '../../src/client/socket-transport.ts';
import { uid } from '../helpers/sockets.ts';
import { fakeIo } from './fake-io.ts';
import { type Place, startDaemonProcess, temporaryPlace } from './spawn.ts';

/** A session, and the environment of a terminal that a snap opened in it. */
function snapTerminal() {
  const place = temporaryPlace();
  const folder = join(place.folder, 'run', 'user', '7');
  const session = { ...place, folder, env: { ...place.env, XDG_RUNTIME_DIR: folder } };
  const own = join(folder, 'snap.code');
  mkdirSync(own, { mode: 0o700, recursive: true });
  return { session, own, terminal: { ...session, env: { ...session.env, XDG_RUNTIME_DIR: own } } };
}

/** `footbridge ARGS` in this process. */
async function run({ env }: Place, ...args: readonly string[]) {
  const io = fakeIo(env);
  return { code: await runProgram(args, commandTable, io), stdout: io.stdout(), stderr: io.stderr() };
}

it('a bridge started in the terminal of a snap serves the session and is found from both environments', async () => {
  const { session, own, terminal } = snapTerminal();
  const daemon = await startDaemonProcess(terminal, '--ws-port', 'off', '--consent', 'allow');
  const path = join(session.folder, 'discord-ipc-0');
  expect(daemon.ready['endpoints']).toEqual([expect.objectContaining({ path })]);
  expect(await daemon.stderrWith('snap')).toContain('XDG_RUNTIME_DIR is the folder of the snap code');

  for (const place of [session, terminal]) {
    const activity = ['call', 'SET_ACTIVITY', '{"pid":1,"activity":{"state":"hello"}}'];
    for (const args of [activity, ['status'], ['requests'], ['emulator', 'show']])
      expect(await run(place, ...args), args.join(' ')).toMatchObject({ code: 0 });
    const report = JSON.parse((await run(place, 'doctor', '--json')).stdout);
    const found = (id: string) => report.checks.find((check: { id: string }) => check.id === id);
    expect(found('bridge').verdict).toBe('ok');
    expect(found('handshake').evidence[0]).toContain(path);
    expect(found('endpoints').evidence).toEqual([`${path}: this bridge`]);
    const hint = 'XDG_RUNTIME_DIR here is the folder of the snap code, where other apps do not look';
    expect(found('runtime-folder').evidence.includes(hint)).toBe(place === terminal);
  }
  expect([...endpointPaths('linux', terminal.env, uid)][0]).toBe(path);
  expect(existsSync(join(own, 'discord-ipc-0'))).toBe(false);
});
