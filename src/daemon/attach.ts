import { attachCore, MAX_PENDING } from '../core/attach/attach-core.ts';
import type { PairingStore } from '../core/attach/pairing.ts';
import { ownerCheckOn } from '../loopback/owner.ts';
import { warnOfDamage } from './checked-file.ts';
import type { BuiltCore, CoreOptions } from './core-options.ts';
import { type OwnFile, ownFile } from './data-folder.ts';
import { filePairingStore, memoryPairingStore } from './pairing-store.ts';

/** Builds the core that a chat client attaches to; the data folder stores the paired clients. */
export async function buildAttach(options: CoreOptions): Promise<BuiltCore> {
  const { attach, os, slotsOf } = options;
  const file = await ownFile(options, 'attached', 'paired clients');
  const core = attachCore({
    ...attach,
    maxPending: slotsOf(MAX_PENDING),
    origins: attach.attachOrigins,
    store: file.kind === 'nowhere' ? memoryPairingStore(file.reason) : openPairings(file, options),
    refusedOwner: ownerCheckOn(os),
  });
  return { core, release: () => release(file) };
}

function openPairings(
  file: Exclude<OwnFile, { kind: 'nowhere' }>,
  { os, logger, stateFiles }: CoreOptions,
): PairingStore {
  try {
    const store = filePairingStore(file.path, os.uid, (damaged) => warnOfDamage(logger, damaged));
    const paired = store.load();
    return {
      load: () => paired,
      save(clients) {
        if (file.kind === 'read-only') return { kind: 'failed', reason: file.reason, final: true };
        return stateFiles.note(file.path, store.save(clients), logger);
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
