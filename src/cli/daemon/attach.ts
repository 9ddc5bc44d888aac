import type { Socket } from 'node:net';
import { join } from 'node:path';
import { tcpOwnerLookup } from '../../../platform/tcp-owner.ts';
import { attachCore } from '../../core/attach/attach-core.ts';
import type { BuiltCore, CoreOptions } from './cores.ts';
import { filePairingStore, memoryPairingStore } from './pairing-store.ts';

/** The core that a chat client attaches to; who may attach is kept in the data folder. */
export async function buildAttach({ attach, data, os }: CoreOptions): Promise<BuiltCore> {
  const ownerOf = tcpOwnerLookup();
  const core = attachCore({
    ...attach,
    origins: attach.attachOrigins,
    store: data.kind === 'folder' ? filePairingStore(join(data.path, 'attached.json')) : memoryPairingStore(),
    async isOurs(socket: Socket) {
      const owner = await ownerOf(socket);
      if (owner.kind === 'unknowable') return true;
      return owner.kind === 'known' && (owner.uid === os.uid || owner.uid === 0);
    },
  });
  return { core, release: () => {} };
}
