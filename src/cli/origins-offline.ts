import { join } from 'node:path';
import { currentOs } from '../../platform/operating-system.ts';
import { LocalError } from '../base/local-error.ts';
import { printable } from '../base/text.ts';
import { warnOfDamage } from '../daemon/checked-file.ts';
import { applicationFolders } from '../daemon/config/folders.ts';
import { type Flags, loadConfiguration } from '../daemon/config/settings.ts';
import { dataFolder } from '../daemon/data-folder.ts';
import type { Io } from '../daemon/io.ts';
import { ORIGINS_FILE } from '../daemon/origin-list.ts';
import { allowedOrigins, type Change, type Changed } from '../daemon/origins.ts';

/** The list of allowed pages that the next bridge reads, for commands without a running bridge. */
export interface OfflineOrigins {
  readonly path: string;
  list(): Pick<Changed, 'origins'> & { readonly damaged: readonly string[] };
  /** Changes the file. Rejects with `LocalError` FOOTBRIDGE_DATA for a file that cannot be written. */
  change(operation: 'origins.add' | 'origins.remove', change: Change): Promise<Changed>;
}

/** Opens the list in the data folder of the configuration. Throws as the start of a bridge does. */
export async function offlineOrigins(flags: Flags, io: Io): Promise<OfflineOrigins> {
  const [{ settings }, os] = await Promise.all([
    loadConfiguration(flags, io.env, applicationFolders()),
    currentOs(),
  ]);
  const warn = (text: string): void => io.err(`note: ${printable(text)}\n`);
  const logger = { warn: (_fields: object, message: string) => warn(message) } as Parameters<
    typeof dataFolder
  >[0]['logger'];
  dataFolder({ data: { kind: 'folder', path: settings.dataDir, chosen: true }, os, logger });
  const path = join(settings.dataDir, ORIGINS_FILE);
  const { uid, native } = os;
  const list = allowedOrigins({
    path,
    uid,
    native,
    onDamaged: (damaged) => warnOfDamage(logger, damaged),
  });
  return {
    path,
    list: () => list.list(),
    async change(operation, change) {
      const changed = await (operation === 'origins.add' ? list.add(change) : list.remove(change));
      // No bridge has the change in force, so a change that is not stored is no change.
      if (changed.stored) return changed;
      throw new LocalError(
        'FOOTBRIDGE_DATA',
        `${changed.reason}. Nothing was changed. Free space on its disk, or make its folder writable.`,
      );
    },
  };
}
