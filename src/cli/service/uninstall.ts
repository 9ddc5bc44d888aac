import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOf } from '../../../platform/files/inode.ts';
import { holderAt } from '../../../platform/process/pid-file.ts';
import { LocalError } from '../../base/local-error.ts';
import { printable } from '../../base/text.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import { loadConfiguration } from '../../daemon/config/settings.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { printJson } from '../daemon-client.ts';
import { currentManager } from './context.ts';
import { removeCopies } from './durable-copy.ts';

/**
 * Runs `footbridge uninstall`. Throws `LocalError` FOOTBRIDGE_DATA_TAKEN and removes nothing if a bridge other than the
 * service stores its data in a folder that `purge` would remove.
 */
export async function runUninstall(
  { purge, force }: { readonly purge?: true | undefined; readonly force?: true | undefined },
  json: boolean,
  io: Io,
): Promise<number> {
  const folders = applicationFolders();
  const manager = await currentManager(io);
  if (purge === true) {
    const service = await manager.status();
    refuseInUse(folders.data, service.kind === 'running' ? service.pid : undefined);
  }
  const uninstalled = await manager.uninstall({ force: force === true });
  const removed = [...uninstalled.files];
  const notes = [...uninstalled.notes];
  if (removeCopies(folders.data)) removed.push(`${folders.data}/app`);
  if (purge === true) {
    // The service has been stopped by now. If its stop failed, it still uses the folder.
    refuseInUse(folders.data);
    const configured = await dataFolder(io);
    for (const folder of [folders.data, folders.log]) {
      if (lstatOf(folder)?.isDirectory() !== true) continue;
      rmSync(folder, { recursive: true, force: true });
      removed.push(folder);
    }
    // The user chose the configured folder, so it may contain other files and stays.
    if (configured !== undefined && configured !== folders.data)
      notes.push(`Grants and tokens stay in ${configured}.`);
    if (lstatOf(folders.config) !== undefined) notes.push(`What you wrote yourself stays: ${folders.config}`);
  }
  const change = removed.length > 0 ? 'removed' : uninstalled.change;
  if (json) printJson(io, { change, files: removed, notes });
  else {
    io.out(change === 'removed' ? 'Uninstalled.\n' : 'Nothing was installed.\n');
    for (const path of removed) io.out(`  removed ${printable(path)}\n`);
    for (const note of notes) io.err(`note: ${printable(note)}\n`);
  }
  return ExitCode.OK;
}

/**
 * Throws if a running bridge uses the folder: without its grants and lock, that bridge would ask for consent that it
 * already has.
 */
function refuseInUse(folder: string, servicePid?: number): void {
  if (lstatOf(folder)?.isDirectory() !== true) return;
  for (const name of readdirSync(folder)) {
    const pid = name.endsWith('.lock') ? holderAt(join(folder, name)) : undefined;
    if (pid === undefined || pid === servicePid) continue;
    throw new LocalError(
      'FOOTBRIDGE_DATA_TAKEN',
      `A bridge (pid ${pid}) runs and keeps its data in ${folder}. Stop it, with Ctrl-C where it was started or with ` +
        `"kill ${pid}", then run this again.`,
    );
  }
}

/** An unreadable configuration must not prevent the removal. */
async function dataFolder(io: Io): Promise<string | undefined> {
  try {
    return (await loadConfiguration({}, io.env, applicationFolders())).settings.dataDir;
  } catch {
    return undefined;
  }
}
