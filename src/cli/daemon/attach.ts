import type { Socket } from 'node:net';
import { tcpOwnerLookup } from '../../../platform/tcp-owner.ts';
import { attachCore } from '../../core/attach/attach-core.ts';
import type { PairingStore } from '../../core/attach/pairing.ts';
import type { BuiltCore, CoreOptions } from './cores.ts';
import { ownFile } from './data-folder.ts';
import { filePairingStore, memoryPairingStore } from './pairing-store.ts';

/** The core that a chat client attaches to; who may attach is kept in the data folder. */
export async function buildAttach(options: CoreOptions): Promise<BuiltCore> {
  const { attach, os } = options;
  const { path, release } = await ownFile(options, 'attached', 'paired clients');
  const ownerOf = tcpOwnerLookup();
  const core = attachCore({
    ...attach,
    origins: attach.attachOrigins,
    store: path === undefined ? memoryPairingStore() : openPairings(path, release),
    async isOurs(socket: Socket) {
      const owner = await ownerOf(socket);
      if (owner.kind === 'unknowable') return true;
      return owner.kind === 'known' && (owner.uid === os.uid || owner.uid === 0);
    },
  });
  return { core, release };
}

function openPairings(path: string, release: () => void): PairingStore {
  try {
    const store = filePairingStore(path);
    const paired = store.load();
    return { load: () => paired, save: (clients) => store.save(clients) };
  } catch (error) {
    release();
    throw error;
  }
}
