import type { Socket } from 'node:net';
import { tcpOwnerLookup } from '../../../platform/tcp-owner.ts';
import { attachCore } from '../../core/attach/attach-core.ts';
import type { PairingStore } from '../../core/attach/pairing.ts';
import type { BuiltCore, CoreOptions } from './cores.ts';
import { type OwnFile, ownFile } from './data-folder.ts';
import { filePairingStore, memoryPairingStore } from './pairing-store.ts';

/** The core that a chat client attaches to; who may attach is kept in the data folder. */
export async function buildAttach(options: CoreOptions): Promise<BuiltCore> {
  const { attach, os, places } = options;
  const file = await ownFile(options, 'attached', 'paired clients');
  const ownerOf = tcpOwnerLookup();
  const core = attachCore({
    ...attach,
    places,
    origins: attach.attachOrigins,
    store: file.kind === 'nowhere' ? memoryPairingStore() : openPairings(file),
    async isOurs(socket: Socket) {
      const owner = await ownerOf(socket);
      if (owner.kind === 'unknowable') return true;
      return owner.kind === 'known' && (owner.uid === os.uid || owner.uid === 0);
    },
  });
  return { core, release: () => release(file) };
}

function openPairings(file: Exclude<OwnFile, { kind: 'nowhere' }>): PairingStore {
  try {
    const store = filePairingStore(file.path);
    const paired = store.load();
    return {
      load: () => paired,
      save(clients) {
        if (file.kind === 'read-only') throw new Error(file.reason);
        store.save(clients);
      },
    };
  } catch (error) {
    release(file);
    throw error;
  }
}

function release(file: OwnFile): void {
  if (file.kind === 'ours') file.release();
}
