import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../src/base/local-error.ts';
import { inFolder } from '../files/held-folder.ts';
import { describeProgram, type Program } from '../process/program.ts';
import type { LiveReason } from './ping.ts';
import { type ForeignKind, inspectPath, type Probe } from './probe.ts';

/** Permitted action for the file at an endpoint's path, or the reason why none is permitted. */
export type Judgement =
  | { readonly kind: 'free' }
  | { readonly kind: 'stale'; readonly probe: Extract<Probe, { kind: 'stale' }> }
  | { readonly kind: 'takeover' }
  | { readonly kind: 'blocked'; readonly why: string; readonly owner?: Program };

/**
 * Decides about a probed path for the user `uid`. `force` permits to take over a live socket of the same user; another
 * user's socket, and a file that is not a socket, block the path in any case. `uid` is undefined on a system where
 * sockets have no owner.
 */
export function decideOn(probe: Probe, uid: number | undefined, force: boolean): Judgement {
  switch (probe.kind) {
    case 'absent':
      return { kind: 'free' };
    case 'stale':
      return probe.uid === uid
        ? { kind: 'stale', probe }
        : {
            kind: 'blocked',
            why: `nobody listens on that socket, but it belongs to uid ${probe.uid} and is theirs to remove`,
          };
    case 'foreign':
      return { kind: 'blocked', why: foreignText(probe.what) };
    case 'live':
      if (force && probe.uid !== undefined && probe.uid === uid) return { kind: 'takeover' };
      return {
        kind: 'blocked',
        why: `${nameOf(probe)} ${behaviour(probe.reason, probe.detail)}`,
        ...(probe.owner === undefined ? {} : { owner: probe.owner }),
      };
  }
}

/** Clause about the file that has replaced a socket at a path; the file is not probed. */
export function describeObstacle(path: string): string {
  const found = lookAt(path);
  switch (found.kind) {
    case 'foreign':
      return foreignText(found.what);
    case 'socket':
      return 'the socket of another program stands there';
    case 'live':
      return `its folder cannot be searched (${found.detail ?? 'no reason given'})`;
    case 'absent':
      return 'another footbridge may be about to serve it';
  }
}

function lookAt(path: string): ReturnType<typeof inspectPath> {
  try {
    return inFolder(dirname(path), (folder) => inspectPath(join(folder, basename(path))));
  } catch (error) {
    return { kind: 'live', reason: 'error', detail: systemCode(error) ?? 'unknown error' };
  }
}

function foreignText(what: ForeignKind): string {
  return `a ${what} stands there, which is not ours and was left alone`;
}

function nameOf(probe: Extract<Probe, { kind: 'live' }>): string {
  if (probe.owner !== undefined) return describeProgram(probe.owner);
  return probe.uid === undefined ? 'another program' : `a program of uid ${probe.uid}`;
}

function behaviour(reason: LiveReason, detail: string | undefined): string {
  switch (reason) {
    case 'pong':
      return 'serves it';
    case 'talked':
      return 'serves it, with an answer of its own';
    case 'silent':
      return 'listens there and does not answer: it may hang or be stopped';
    case 'closed':
      return 'listens there and hung up on us';
    case 'backlog-full':
      return 'listens there and accepts nobody: it may hang or be stopped';
    case 'denied':
      return `may be listening there, and we are not allowed to ask (${detail ?? 'no reason given'})`;
    case 'error':
      return `may be listening there; asking failed (${detail ?? 'no reason given'})`;
  }
}
