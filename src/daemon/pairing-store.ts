import { lstatSync } from 'node:fs';
import * as z from 'zod';
import { LocalError, systemCode } from '../../platform/local-error.ts';
import { tightenFile, writePrivateFile } from '../../platform/private-file.ts';
import { readRegularFile } from '../../platform/read-regular.ts';
import type { PairedClient, PairingStore } from '../core/attach/pairing.ts';

/** Far more than the names and hashes of all clients there may be. */
const MAX_BYTES = 256 * 1024;

const document = () =>
  z.object({
    version: z.literal(1),
    clients: z.array(z.object({ name: z.string(), tokenHash: z.string(), pairedAt: z.number() })),
  });

/**
 * Paired clients in a file of mode 0600; whoever uses it holds the lock beside it. `load` throws `LocalError`
 * FOOTBRIDGE_DATA when it is not one of ours, or somebody else than the user `uid` may have written it.
 */
export function filePairingStore(path: string, uid: number | undefined): PairingStore {
  return {
    load() {
      try {
        return read(path, uid);
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return [];
        throw new LocalError(
          'FOOTBRIDGE_DATA',
          `${path} is no list of paired clients. Move it away, and pair your clients again.`,
          { cause: error },
        );
      }
    },
    save(clients) {
      writePrivateFile(path, `${JSON.stringify({ version: 1, clients })}\n`);
    },
  };
}

function read(path: string, uid: number | undefined) {
  const status = lstatSync(path);
  // A link leads to what is not ours.
  if (!status.isFile()) throw new Error('it is no file');
  const text = new TextDecoder().decode(readRegularFile(path, MAX_BYTES, uid));
  const { clients } = document().parse(JSON.parse(text));
  // Ours, as its content says: somebody loosened it.
  if ((status.mode & 0o077) !== 0) tightenFile(path);
  return clients;
}

/** For a bridge that keeps nothing beyond its end. */
export function memoryPairingStore(): PairingStore {
  let paired: readonly PairedClient[] = [];
  return {
    load: () => paired,
    save(clients) {
      paired = clients;
    },
  };
}
