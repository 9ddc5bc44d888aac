import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../src/base/local-error.ts';
import { type InodeIdentity, identityOf, lstatOf } from '../files/inode.ts';
import type { Program } from '../process/program.ts';
import { checkPathLength } from './endpoints.ts';
import { type LiveReason, type PingOptions, type PingResult, ping } from './ping.ts';

/** Kind of a file that is not a socket and must not be changed. */
export type ForeignKind = 'symbolic link' | 'regular file' | 'FIFO' | 'folder' | 'device';

/** State of an endpoint's path. A claim is possible only for `absent` and `stale`. */
export type Probe =
  | { readonly kind: 'absent' }
  /** A socket without a listener. */
  | { readonly kind: 'stale'; readonly identity: InodeIdentity; readonly uid: number }
  /** The path has a listener, or may have one. `detail` is the code of a system error. Pipes have no inode. */
  | {
      readonly kind: 'live';
      readonly reason: LiveReason;
      readonly detail?: string;
      readonly identity?: InodeIdentity;
      readonly uid?: number;
      readonly owner?: Program;
    }
  | { readonly kind: 'foreign'; readonly what: ForeignKind };

/**
 * Grace period (ms) for a server that has bound its socket but does not listen yet, and therefore refuses like a dead
 * one, and the interval of further attempts (ms).
 */
const YOUNG_MS = 1000;
const YOUNG_RETRY_MS = 50;

/**
 * Probes the path. It inspects the file without following links, then connects, sends a PING and ends with a CLOSE, as
 * the chat client does before it selects an index. Never changes the file. Never throws because of the path's state; a
 * path in a folder that cannot be searched is `live` with the reason `denied`.
 */
export async function probeEndpoint(path: string, options: PingOptions = {}): Promise<Probe> {
  if (isPipe(path)) return verdict(await ping(path, options), undefined);
  if (!fitsAddress(path)) return { kind: 'live', reason: 'error', detail: 'ENAMETOOLONG' };
  const before = inspectPath(path);
  if (before.kind !== 'socket') return before;

  let answer = await ping(path, options);
  if (answer.kind === 'refused' && before.ageMs < YOUNG_MS) {
    await delay(YOUNG_RETRY_MS);
    answer = await ping(path, options);
  }
  return verdict(answer, before);
}

/** A socket that was not probed yet. */
export interface FoundSocket {
  readonly kind: 'socket';
  readonly identity: InodeIdentity;
  readonly uid: number;
  readonly ageMs: number;
}

/** Kind of the file at a path, without following links and without connecting. `live` where it cannot be known. */
export function inspectPath(path: string): FoundSocket | Exclude<Probe, { kind: 'stale' }> {
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
    return { kind: 'live', reason: code === 'EACCES' ? 'denied' : 'error', detail: code };
  }
}

function verdict(answer: PingResult, found: FoundSocket | undefined): Probe {
  const inode = found === undefined ? {} : { identity: found.identity, uid: found.uid };
  switch (answer.kind) {
    case 'missing':
      return { kind: 'absent' };
    case 'refused':
      // A pipe has no file that remains after its server, so this error means that the pipe is live.
      return found === undefined
        ? { kind: 'live', reason: 'error', detail: 'ECONNREFUSED' }
        : { kind: 'stale', identity: found.identity, uid: found.uid };
    case 'live': {
      const { owner, ...rest } = answer;
      return { ...rest, ...inode, ...(owner === undefined ? {} : { owner }) };
    }
  }
}

/** Whether the path fits into a socket address. Node 20 and 22 would shorten a longer path and ping another socket. */
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
