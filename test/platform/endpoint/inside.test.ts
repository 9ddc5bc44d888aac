import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileNumber, viewInside } from '../../../platform/endpoint/inside.ts';
import { lstatOf } from '../../../platform/files/inode.ts';
import { listenOn, temporaryFolder } from '../../helpers/sockets.ts';

const PID = 77;
const MOUNTS = '22 1 0:21 / / rw - overlay overlay rw\n';
const VARIABLES = 'SECRET=canary\0XDG_RUNTIME_DIR=/run/user/7\0TMPDIR=relative\0';

/** A folder like proc(5) with one process, and its root folder. */
function process({ environ = VARIABLES, mounts = MOUNTS } = {}) {
  const proc = temporaryFolder();
  const root = join(proc, String(PID), 'root');
  mkdirSync(join(root, 'run/user/7'), { recursive: true });
  mkdirSync(join(root, 'tmp'));
  writeFileSync(join(proc, String(PID), 'environ'), environ);
  writeFileSync(join(proc, String(PID), 'mountinfo'), mounts);
  const listen = async (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    await listenOn({ path: join(root, path) });
    const status = lstatOf(join(root, path));
    return status === undefined ? undefined : fileNumber(status);
  };
  const view = async () => {
    const found = await viewInside(PID, 7, proc);
    return found && { ...found, seen: found.seen.map(({ kind, path }) => [kind, path]) };
  };
  return { proc, root, listen, view };
}

describe('viewInside', () => {
  it('searches the folders of the process by the rule of every search', async () => {
    const { proc, root, listen, view } = process();
    const file = await listen('run/user/7/discord-ipc-3');
    await listen('run/user/7/app/org.a.Game/discord-ipc-0');
    await listen('run/user/7/app/org.b.Cord/discord-ipc-0');
    await listen('tmp/discord-ipc-0');
    writeFileSync(join(root, 'tmp/discord-ipc-1'), 'no socket');
    expect(await view()).toEqual({
      folders: ['/run/user/7', '/tmp'],
      seen: [
        ['socket', '/run/user/7/discord-ipc-3'],
        ['socket', '/tmp/discord-ipc-0'],
        ['socket', '/run/user/7/app/org.b.Cord/discord-ipc-0'],
        ['socket', '/run/user/7/app/org.a.Game/discord-ipc-0'],
      ],
      skipped: [],
    });
    const [first] = (await viewInside(PID, 7, proc))?.seen ?? [];
    // The server accepts the connection that asks whether it lives.
    expect(first).toMatchObject({ file, isLive: true });
  });

  it('follows links within the root of the process, and never out of it', async () => {
    const { root, listen, view } = process({ environ: 'XDG_RUNTIME_DIR=/var/run/user/7\0' });
    await listen('run/user/7/real');
    const outside = join(temporaryFolder(), 'discord-ipc-0');
    await listenOn({ path: outside });
    mkdirSync(join(root, 'var'));
    symlinkSync('/run', join(root, 'var/run'));
    symlinkSync('../7/real', join(root, 'run/user/7/discord-ipc-0'));
    symlinkSync(outside, join(root, 'run/user/7/discord-ipc-1'));
    symlinkSync(`../../../../../../..${outside}`, join(root, 'run/user/7/discord-ipc-2'));
    symlinkSync('discord-ipc-3', join(root, 'run/user/7/discord-ipc-3'));
    expect((await view())?.seen).toEqual([
      ['socket', '/var/run/user/7/discord-ipc-0'],
      ['dangling link', '/var/run/user/7/discord-ipc-1'],
      ['dangling link', '/var/run/user/7/discord-ipc-2'],
      ['dangling link', '/var/run/user/7/discord-ipc-3'],
    ]);
  });

  it('does not enter a file system of another program', async () => {
    const { listen, view } = process({
      mounts: `${MOUNTS}23 22 0:22 / /run/user/7 rw - fuse.hostile x rw\n`,
    });
    await listen('run/user/7/discord-ipc-0');
    expect(await view()).toEqual({ folders: ['/run/user/7', '/tmp'], seen: [], skipped: ['/run/user/7'] });
  });

  it('is undefined for a process that is not there or hides', async () => {
    expect(await viewInside(PID, 7, temporaryFolder())).toBeUndefined();
  });

  it('survives a root folder that is full and variables that are long', async () => {
    const { root, view } = process({ environ: `A=${'x'.repeat(100_000)}\0${VARIABLES}` });
    for (let index = 0; index < 300; index++) mkdirSync(join(root, `run/user/7/snap.${index}`));
    expect((await view())?.folders).toEqual(['/run/user/7', '/tmp']);
  });
});
