import { join } from 'node:path';
import { removeIfStill } from '../files/inode.ts';
import { checkEndpointFolder, ensurePrivateFolder } from '../files/private-folder.ts';
import { acquireLock } from '../native/lock.ts';
import type { Native, NativeAbsence } from '../native/native.ts';
import { type EndpointIndex, endpointPath } from './endpoints.ts';
import { decideOn } from './obstacle.ts';
import { probeEndpoint } from './probe.ts';

/** Endpoint whose socket is removed, and the user who removes it. */
export interface RemovalOptions {
  readonly os: 'linux' | 'darwin';
  readonly folder: string;
  readonly index: EndpointIndex;
  readonly uid: number;
  readonly native: Native | NativeAbsence;
}

/** Result of the removal; `why` completes "it was left alone: …". */
export type Removal = { readonly kind: 'removed' } | { readonly kind: 'left'; readonly why: string };

/**
 * Removes one of our sockets that has no listener, by the rules of a bridge that claims it: under the index's lock,
 * after another probe, and only that very file. A live socket, another kind of file or another user's file stays.
 * Throws as `checkEndpointFolder`, `ensurePrivateFolder` and `acquireLock` do.
 */
export async function removeStaleEndpoint(options: RemovalOptions): Promise<Removal> {
  const { os, folder, index, uid, native } = options;
  checkEndpointFolder(folder, uid);
  const lock = await acquireLock(join(ensurePrivateFolder(folder, uid), `${index}.lock`), native);
  if (lock.kind === 'held') {
    const holder = lock.heldBy === undefined ? '' : ` (pid ${lock.heldBy})`;
    return { kind: 'left', why: `another footbridge${holder} holds this index` };
  }
  try {
    const path = endpointPath(os, folder, index);
    const judgement = decideOn(await probeEndpoint(path, { native }), uid, false);
    if (judgement.kind === 'blocked') return { kind: 'left', why: judgement.why };
    const removed = judgement.kind === 'stale' && removeIfStill(path, judgement.probe.identity);
    return removed ? { kind: 'removed' } : { kind: 'left', why: 'it is gone already' };
  } finally {
    lock.release();
  }
}
