import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../src/base/local-error.ts';
import { type InodeIdentity, identityOf, lstatOf } from '../files/inode.ts';
import type { Program } from '../process/program.ts';
import { checkPathLength } from './endpoints.ts';
import { type LiveReason, type PingOptions, type PingResult, ping } from './ping.ts';

/** A kind of file that is no socket and must be left alone. */
export type ForeignKind = 'symbolic link' | 'regular file' | 'FIFO' | 'folder' | 'device';

/** State of an endpoint's path. Only `absent` and `stale` may be claimed. */
export type Probe =
  | { readonly kind: 'absent' }
  /** A socket without a listener. */
  | { readonly kind: 'stale'; readonly identity: InodeIdentity; readonly uid: number }
  /** The path has a listener, or may have one. `detail` is a system error's code. Pipes have no inode. */
  | {
      readonly kind: 'live';
      readonly reason: LiveReason;
      readonly detail?: string;
      readonly identity?: InodeIdentity;
      readonly uid?: number;
      readonly owner?: Program;
    }
  | { readonly kind: 'foreign'; readonly what: ForeignKind };

/** Grace period (ms) for a server that has bound but does not listen yet, and refuses like a dead one. */
const YOUNG_MS = 1000;
const YOUNG_RETRY_MS = 50;

/**
 * Probes the path: looks without following, then connects, sends a PING and leaves with a CLOSE, as the chat client
 * itself does before it picks an index. Never changes the file. Never throws for the state of the path; a folder that
 * cannot be searched is `live` with reason `denied`.
 */
export async function probeEndpoint(path: string, options: PingOptions = {}): Promise<Probe> {
  if (isPipe(path)) return verdict(await ping(path, options), undefined);
  if (!fitsAddress(path)) return { kind: 'live', reason: 'error', detail: 'ENAMETOOLONG' };
  const before = look(path);
  if (before.kind !== 'socket') return before;

  let answer = await ping(path, options);
  if (answer.kind === 'refused' && before.ageMs < YOUNG_MS) {
    await delay(YOUNG_RETRY_MS);
    answer = await ping(path, options);
  }
  return verdict(answer, before);
}

interface Found {
  readonly kind: 'socket';
  readonly identity: InodeIdentity;
  readonly uid: number;
  readonly ageMs: number;
}

function look(path: string): Found | Exclude<Probe, { kind: 'stale' }> {
  try {
    const status = lstatOf(path);
    if (status === undefined) return { kind: 'absent' };
    if (status.isSocket()) {
      const ageMs = Math.abs(Date.now() - Number(status.ctimeMs));
      return { kind: 'socket', identity: identityOf(status), uid: Number(status.uid), ageMs };
    }
    if (status.isSymbolicLink()) return { kind: 'foreign', what: 'symbolic link' };
    if (status.isFile()) return { kind: 'foreign', what: 'regular file' };
    if (status.isFIFO()) return { kind: 'foreign', what: 'FIFO' };
    return { kind: 'foreign', what: status.isDirectory() ? 'folder' : 'device' };
  } catch (error) {
    const code = systemCode(error) ?? 'unknown error';
    // A missing folder has no endpoint either.
    if (code === 'ENOTDIR') return { kind: 'absent' };
    return { kind: 'live', reason: code === 'EACCES' ? 'denied' : 'error', detail: code };
  }
}

function verdict(answer: PingResult, found: Found | undefined): Probe {
  const inode = found === undefined ? {} : { identity: found.identity, uid: found.uid };
  switch (answer.kind) {
    case 'missing':
      return { kind: 'absent' };
    case 'refused':
      // A pipe has no file that could outlive its server.
      return found === undefined
        ? { kind: 'live', reason: 'error', detail: 'ECONNREFUSED' }
        : { kind: 'stale', identity: found.identity, uid: found.uid };
    case 'live': {
      const { owner, ...rest } = answer;
      return { ...rest, ...inode, ...(owner === undefined ? {} : { owner }) };
    }
  }
}

/** Node 20 and 22 would cut a longer path short and ping another socket. */
function fitsAddress(path: string): boolean {
  try {
    checkPathLength(process.platform === 'darwin' ? 'darwin' : 'linux', path);
    return true;
  } catch {
    return false;
  }
}

function isPipe(path: string): boolean {
  return path.startsWith('\\\\');
}
