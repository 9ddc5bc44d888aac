import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PathClaim } from '../../../platform/endpoint/claim.ts';
import { claimPath, type PathClaimOptions } from '../../../platform/endpoint/claim-path.ts';
import { MadeFolders } from '../../../platform/files/made-folders.ts';
import { loadNative } from '../../../platform/native/native.ts';
import { LocalError } from '../../../src/base/local-error.ts';
import { leaveStaleSocket, listenOn, temporaryFolder, uid } from '../../helpers/sockets.ts';

const native = await loadNative();

/** A search in the processes of this machine would depend on their number and on its load. */
const noFlatpak = async () => ({ sandboxes: [], isComplete: true });

/** A private folder for locks, and a folder of apps. */
function place() {
  const privateFolder = temporaryFolder();
  const folder = join(temporaryFolder(), 'app');
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, 'discord-ipc-0');
  const claim = (more: Partial<PathClaimOptions> = {}): Promise<PathClaim> =>
    claimPath({
      os: 'linux',
      path,
      privateFolder,
      uid,
      native,
      probeTimeoutMs: 200,
      scan: noFlatpak,
      ...more,
    });
  return { privateFolder, folder, path, claim };
}

/** Listens where the claim says, and publishes. */
async function publish(claim: PathClaim): Promise<void> {
  onTestFinished(() => claim.release());
  await listenOn({ path: claim.bindPath });
  claim.publish();
}

const code = (name: string) => expect.objectContaining({ code: name });

describe('claimPath', () => {
  it('publishes a socket with mode 0600, and removes it at the end', async () => {
    const { path, claim } = place();
    const claimed = await claim();
    await publish(claimed);
    expect(lstatSync(path).isSocket()).toBe(true);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(claimed.owned()).toBe(true);
    claimed.release();
    expect(existsSync(path)).toBe(false);
  });

  it('replaces a socket that nobody listens on, and what a killed bridge left', async () => {
    const { path, folder, claim } = place();
    await leaveStaleSocket(path);
    await leaveStaleSocket(join(folder, '.fb0123abcd'));
    await publish(await claim());
    expect(existsSync(join(folder, '.fb0123abcd'))).toBe(false);
  });

  it('leaves a live socket, a link and another kind of file', async () => {
    const { path, folder, claim } = place();
    await listenOn({ path });
    await expect(claim()).rejects.toThrow(code('FOOTBRIDGE_ENDPOINT_TAKEN'));
    rmSync(path);
    symlinkSync(join(folder, 'elsewhere'), path);
    await expect(claim()).rejects.toThrow('symbolic link');
    rmSync(path);
    writeFileSync(path, '');
    await expect(claim()).rejects.toThrow('regular file');
    expect(existsSync(path)).toBe(true);
  });

  it('waits for at most 16 of many silent sockets with temporary names', async () => {
    const { folder, claim } = place();
    let probes = 0;
    const probed = () => {
      probes += 1;
    };
    for (let at = 10; at < 70; at += 1) await listenOn({ path: join(folder, `.fb000000${at}`) }, probed);
    (await claim()).release();
    expect(probes).toBe(16);
  });

  it('refuses a folder that is missing, linked, or writable by others', async () => {
    const { path, folder, claim } = place();
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    await expect(claim({ path: join(link, 'discord-ipc-0') })).rejects.toThrow('symbolic link');
    chmodSync(folder, 0o777);
    await expect(claim()).rejects.toThrow('0777');
    rmSync(folder, { recursive: true });
    await expect(claim()).rejects.toThrow(code('FOOTBRIDGE_NO_FOLDER'));
    await expect(claim({ path: `/${'a'.repeat(200)}/x` })).rejects.toThrow(code('FOOTBRIDGE_PATH_TOO_LONG'));
    expect(existsSync(path)).toBe(false);
  });

  it('makes its folder on request, in a folder of this user', async () => {
    const { path, folder, claim } = place();
    rmSync(folder, { recursive: true });
    await publish(await claim({ madeFolders: new MadeFolders() }));
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expect(existsSync(path)).toBe(true);
  });

  it('says that it makes only the last folder, where it makes folders', async () => {
    const { folder, claim } = place();
    const missing = { path: join(folder, 'a/b/discord-ipc-0') };
    const text = `${join(folder, 'a/b')} does not exist yet.`;
    await expect(claim(missing)).rejects.toThrow(new LocalError('FOOTBRIDGE_NO_FOLDER', text));
    await expect(claim({ ...missing, madeFolders: new MadeFolders() })).rejects.toThrow(
      `${text} The bridge makes only the last folder of a path, and only in a folder of yours. Make `,
    );
  });

  it('replaces the empty file of a Flatpak that has ended, and no other file', async () => {
    const { folder, claim } = place();
    const xdgRun = join(folder, '.flatpak/org.example.Game/xdg-run');
    mkdirSync(xdgRun, { recursive: true, mode: 0o700 });
    const path = join(xdgRun, 'discord-ipc-0');
    writeFileSync(path, 'x');
    await expect(claim({ path })).rejects.toThrow('regular file');
    writeFileSync(path, '');
    const unfinished = async () => ({ sandboxes: [], isComplete: false });
    await expect(claim({ path, scan: unfinished })).rejects.toThrow('Flatpak org.example.Game may run');
    await publish(await claim({ path }));
    expect(lstatSync(path).isSocket()).toBe(true);
    const elsewhere = join(folder, 'discord-ipc-0');
    writeFileSync(elsewhere, '');
    await expect(claim({ path: elsewhere })).rejects.toThrow('regular file');
    expect(lstatSync(elsewhere).isFile()).toBe(true);
  });

  it('is exclusive: a second claim fails until the first is released', async () => {
    const { claim } = place();
    const first = await claim();
    await expect(claim()).rejects.toThrow('another footbridge');
    first.release();
    (await claim()).release();
  });

  it('publishes nothing in a folder that was replaced by a link', async () => {
    const { path, folder, claim } = place();
    const elsewhere = temporaryFolder();
    const early = await claim();
    renameSync(folder, `${folder}-moved`);
    symlinkSync(elsewhere, folder);
    await expect(publish(early)).rejects.toThrow('symbolic link');
    // Not even the temporary socket is made there.
    expect(readdirSync(elsewhere)).toEqual([]);
    early.release();
    rmSync(folder);
    renameSync(`${folder}-moved`, folder);
    const claimed = await claim();
    await publish(claimed);
    renameSync(folder, `${folder}-moved`);
    symlinkSync(`${folder}-moved`, folder);
    expect(lstatSync(path).isSocket()).toBe(true);
    expect(claimed.owned()).toBe(false);
    await expect(claimed.renew()).rejects.toThrow('symbolic link');
  });

  it('renews a deleted socket, and not one that was replaced', async () => {
    const { path, folder, privateFolder, claim } = place();
    const claimed = await claim();
    await publish(claimed);
    expect(await claimed.renew()).toBe(false);
    rmSync(folder, { recursive: true });
    await expect(claimed.renew()).rejects.toThrow('does not exist');
    mkdirSync(folder, { mode: 0o700 });
    rmSync(privateFolder, { recursive: true });
    expect(claimed.deleted()).toBe(true);
    writeFileSync(path, '');
    expect(claimed.deleted()).toBe(false);
    rmSync(path);
    const server = createServer();
    onTestFinished(() => void server.close());
    mkdirSync(privateFolder, { mode: 0o700 });
    expect(await claimed.renew()).toBe(true);
    await publish(claimed);
    expect(claimed.owned()).toBe(true);
  });
});
