import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { LocalError, systemCode } from '../../../platform/local-error.ts';
import { readRegularFile } from '../../../platform/read-regular.ts';
import type { PairedClient, PairingStore } from '../../core/attach/pairing.ts';

/** Far more than the names and hashes of all clients there may be. */
const MAX_BYTES = 256 * 1024;

const document = () =>
  z.object({
    version: z.literal(1),
    clients: z.array(z.object({ name: z.string(), tokenHash: z.string(), pairedAt: z.number() })),
  });

/**
 * Paired clients in a file of mode 0600; whoever uses it holds the lock beside it. `load` throws `LocalError`
 * FOOTBRIDGE_DATA when it is not one of ours.
 */
export function filePairingStore(path: string): PairingStore {
  return {
    load() {
      try {
        return read(path);
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
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.new`;
      // `wx` follows no link that somebody put there; a reader sees the old file or the new one.
      rmSync(temporary, { force: true });
      try {
        writeFileSync(temporary, `${JSON.stringify({ version: 1, clients })}\n`, {
          flag: 'wx',
          mode: 0o600,
          flush: true,
        });
        renameSync(temporary, path);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
    },
  };
}

function read(path: string) {
  const status = lstatSync(path);
  // A link leads to what is not ours.
  if (!status.isFile()) throw new Error('it is no file');
  if ((status.mode & 0o077) !== 0) chmodSync(path, 0o600);
  const text = new TextDecoder().decode(readRegularFile(path, MAX_BYTES));
  return document().parse(JSON.parse(text)).clients;
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
