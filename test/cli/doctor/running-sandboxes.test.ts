import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxes } from '../../../src/cli/doctor/checks/sandboxes.ts';
import { canSandbox, flatpakSandbox } from '../../helpers/flatpak-sandbox.ts';
import { listenOn } from '../../helpers/sockets.ts';
import { running, scene } from './scene.ts';

describe.skipIf(!canSandbox)('the check of running sandboxes (needs bwrap)', () => {
  it('tells a sandbox that sees the bridge from one that does not, and from one with an old socket', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'discord-ipc-0');
    const server = await listenOn({ path });
    // The look asks whether the server lives, and closes its connection.
    server.on('connection', (socket) => socket.resume());
    const tag = `t${process.pid}`;
    await flatpakSandbox({
      folder: machine.folder,
      id: `org.${tag}.Sees`,
      runtime: '/run/user/7',
      socket: path,
    });
    await flatpakSandbox({ folder: machine.folder, id: `org.${tag}.Blind`, runtime: '/run/user/7' });
    const bridge = running({ endpoints: [{ kind: 'ipc', path }] });
    const about = async () => {
      const { verdict, evidence, fix } = await sandboxes.inspect({ ...machine, bridge });
      const lines = [...evidence, ...[fix ?? []].flat()].filter((line) => line.includes(tag));
      return { verdict, lines: lines.map((line) => line.replace(/ \(pid \d+\)/, '')).sort() };
    };
    expect((await about()).lines).toEqual([
      `Flatpak org.${tag}.Blind: sees no endpoint; in /run/user/7, /tmp`,
      `Flatpak org.${tag}.Sees: sees the bridge at /run/user/7/discord-ipc-0`,
      `if Flatpak org.${tag}.Blind needs it: flatpak override --user --filesystem=xdg-run/discord-ipc-0 org.${tag}.Blind, then start it again`,
    ]);
    // The bridge starts again: the sandbox keeps the socket of before.
    await new Promise((resolve) => server.close(resolve));
    rmSync(path, { force: true });
    await listenOn({ path });
    const after = await about();
    expect(after.verdict).toBe('warning');
    expect(after.lines).toContain(`Flatpak org.${tag}.Sees: sees a dead socket at /run/user/7/discord-ipc-0`);
    expect(after.lines).toContain(
      `start Flatpak org.${tag}.Sees again, so that it receives the present socket`,
    );
  });
});

it('the check of running sandboxes is for Linux, and does not need flatpak', async () => {
  const machine = await scene();
  expect((await sandboxes.inspect({ ...machine, os: 'darwin' })).verdict).toBe('not applicable');
  expect((await sandboxes.inspect({ ...machine, env: { PATH: machine.folder } })).verdict).not.toBe('failed');
});

it('the scan for sandboxes uses no call that blocks the event loop, but for the proof of a sandbox', () => {
  for (const file of ['platform/endpoint/inside.ts', 'platform/process/sandboxed-processes.ts']) {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    expect(text, file).not.toMatch(/\w+Sync\(/);
  }
});
