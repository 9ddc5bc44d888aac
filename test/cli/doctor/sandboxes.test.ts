import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flatpak } from '../../../src/cli/doctor/checks/flatpak.ts';
import { snap } from '../../../src/cli/doctor/checks/snap.ts';
import type { FurtherEndpoint } from '../../../src/control/routes.ts';
import { listenOn } from '../../helpers/sockets.ts';
import { running, scene } from './scene.ts';

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A machine with Flatpak apps: id and `filesystems` of each. */
async function withApps(apps: Readonly<Record<string, string>>) {
  const machine = await scene();
  const system = join(machine.folder, 'system');
  for (const [id, filesystems] of Object.entries(apps)) {
    write(
      join(system, 'app', id, 'current/active/metadata'),
      `[Application]\nname=${id}\nfilesystems=xdg-run/discord-ipc-0;\n\n[Context]\nshared=network;\nfilesystems=${filesystems}\n\n[Other]\nfilesystems=xdg-run;\n`,
    );
  }
  return { ...machine, env: { ...machine.env, FLATPAK_SYSTEM_DIR: system } };
}

const override = (folder: string, id: string, filesystems: string): void =>
  write(join(folder, '.local/share/flatpak/overrides', id), `[Context]\nfilesystems=${filesystems}\n`);

const further = (path: string): FurtherEndpoint => ({
  name: 'box',
  preset: 'snap',
  path,
  rights: 'presence',
  state: 'serving',
  why: null,
});

describe('the Flatpak check', () => {
  it('is not applicable without apps or on another system', async () => {
    expect((await flatpak.inspect(await withApps({}))).verdict).toBe('not applicable');
    expect((await flatpak.inspect({ ...(await withApps({ a: '' })), os: 'darwin' })).verdict).toBe(
      'not applicable',
    );
  });

  it('passes when every app can reach the endpoint', async () => {
    const machine = await withApps({ 'org.a.A': 'home;xdg-run/discord-ipc-0:ro;', 'org.b.B': 'xdg-run;' });
    expect(await flatpak.inspect(machine)).toMatchObject({
      verdict: 'ok',
      evidence: ['all 2 apps see the endpoint'],
    });
  });

  it('warns of an app that is built for a chat client and cannot reach one, with the command', async () => {
    const machine = await withApps({
      'org.a.A': 'host;',
      'org.b.B': 'xdg-run/app/com.discordapp.Discord:create;',
    });
    const found = await flatpak.inspect(machine);
    expect(found).toMatchObject({
      verdict: 'warning',
      evidence: [
        '0 of 2 apps see the endpoint',
        'not: org.a.A, org.b.B',
        'meant to talk to a chat client: org.b.B',
      ],
      fix: expect.stringContaining('flatpak override --user --filesystem=xdg-run/discord-ipc-0 org.b.B'),
    });
  });

  it('applies user overrides for one app and for all apps, including removals', async () => {
    const machine = await withApps({ 'org.a.A': '', 'org.b.B': 'xdg-run/app/com.discordapp.Discord;' });
    override(machine.folder, 'org.b.B', 'xdg-run/discord-ipc-0;');
    expect((await flatpak.inspect(machine)).evidence[0]).toBe('1 of 2 apps see the endpoint');
    override(machine.folder, 'global', 'xdg-run/discord-ipc-0;');
    override(machine.folder, 'org.a.A', '!xdg-run/discord-ipc-0;');
    expect((await flatpak.inspect(machine)).evidence[1]).toBe('not: org.a.A');
  });

  it('counts a further endpoint in the folder of a Flatpak, for that app and those with a permission for it', async () => {
    const machine = await withApps({
      'org.a.A': '',
      'org.b.B': 'xdg-run/app/org.a.A:create;',
      'org.c.C': 'host;',
    });
    const bridge = running({ further: [further(join(machine.folder, 'app/org.a.A/discord-ipc-0'))] });
    expect((await flatpak.inspect({ ...machine, bridge })).evidence).toEqual([
      '2 of 3 apps see the endpoint',
      'not: org.c.C',
    ]);
  });

  it('warns that no app can reach an endpoint outside of XDG_RUNTIME_DIR', async () => {
    const machine = await withApps({ 'org.a.A': 'xdg-run/discord-ipc-0;' });
    const endpoints = { kind: 'known', folder: '/tmp', source: 'default' } as const;
    expect((await flatpak.inspect({ ...machine, endpoints })).verdict).toBe('warning');
  });
});

describe('the snap check', () => {
  it('is not applicable without snaps or without a bridge', async () => {
    const machine = await scene();
    expect((await snap.inspect(machine)).verdict).toBe('not applicable');
    mkdirSync(join(machine.folder, 'snap.game'));
    expect((await snap.inspect(machine)).verdict).toBe('not applicable');
  });

  it('names the snaps without the endpoint, with the command that serves one there', async () => {
    const machine = await scene({ bridge: running() });
    const { folder } = machine;
    for (const name of ['snap.discord', 'snap.game', 'snap.other']) mkdirSync(join(folder, name));
    const path = join(folder, 'discord-ipc-0');
    await listenOn({ path });
    await listenOn({ path: join(folder, 'snap.discord/discord-ipc-0') });
    linkSync(path, join(folder, 'snap.other/discord-ipc-0'));
    const found = await snap.inspect(machine);
    expect(found.evidence).toContain('without an endpoint in it: snap.game');
    expect(found.fix).toContain('footbridge endpoints add snap --client game');
    linkSync(path, join(folder, 'snap.game/discord-ipc-0'));
    expect(await snap.inspect(machine)).toMatchObject({
      evidence: [
        'the endpoint is in the folder of: snap.game, snap.other',
        'another socket is in the folder of: snap.discord; the check of endpoints says whose',
      ],
      fix: null,
    });
  });

  it('counts a further endpoint that the bridge serves in the folder of a snap', async () => {
    const machine = await scene();
    const { folder } = machine;
    mkdirSync(join(folder, 'snap.discord'));
    const paths = [join(folder, 'discord-ipc-0'), join(folder, 'snap.discord/discord-ipc-0')];
    for (const path of paths) await listenOn({ path });
    expect(
      await snap.inspect({ ...machine, bridge: running({ further: [further(paths[1] ?? '')] }) }),
    ).toEqual({
      verdict: 'ok',
      evidence: ['the endpoint is in the folder of: snap.discord'],
      fix: null,
    });
  });
});
