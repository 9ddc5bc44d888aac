import * as z from 'zod';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import { memorySaveResult } from '../base/saves.ts';
import type { PairedClient, PairingStore } from '../core/attach/pairing.ts';
import { contentBy, type DamagedFile, readOwnChecked, writeChecked } from './checked-file.ts';
import { written } from './state-files.ts';

/** Maximum size of the file in bytes, far larger than the names and hashes of all possible clients. */
const MAX_BYTES = 256 * 1024;

const document = () =>
  z.object({
    clients: z.array(z.object({ name: z.string(), tokenHash: z.string(), pairedAt: z.number() })),
  });

/**
 * Paired clients in a file of mode 0600; the store's user holds the lock beside the file. A damaged file pairs no
 * client and is moved aside. `load` throws `LocalError` FOOTBRIDGE_DATA for a path that is no regular file, and for a
 * file that a user other than `uid` may have written.
 */
export function filePairingStore(
  path: string,
  uid: number | undefined,
  onDamaged: (damaged: DamagedFile) => void,
): PairingStore {
  return {
    load() {
      try {
        return read(path, uid, onDamaged);
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return [];
        throw new LocalError(
          'FOOTBRIDGE_DATA',
          `${path} is no list of paired clients: ${systemErrorText(error)}. Move it away, and pair your clients again.`,
          { cause: error },
        );
      }
    },
    save: (clients) => written(path, () => writeChecked(path, { clients })),
  };
}

function read(
  path: string,
  uid: number | undefined,
  onDamaged: (damaged: DamagedFile) => void,
): readonly PairedClient[] {
  const parse = (content: unknown) => contentBy(document(), content).clients;
  return readOwnChecked(path, { maxBytes: MAX_BYTES, uid, parse, onDamaged }) ?? [];
}

/** Store for a bridge that persists no data. `unstored` is the reason, where that is a fault. */
export function memoryPairingStore(unstored?: string): PairingStore {
  let paired: readonly PairedClient[] = [];
  return {
    load: () => paired,
    save(clients) {
      paired = clients;
      return memorySaveResult(unstored);
    },
  };
}
