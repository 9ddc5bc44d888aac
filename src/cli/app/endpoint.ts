import { dirname } from 'node:path';
import {
  checkPathLength,
  ENDPOINT_VARIABLE,
  endpointPath,
  isTrustedOwner,
  type OsName,
} from '../../../platform/endpoint/endpoints.ts';
import type { LiveReason } from '../../../platform/endpoint/ping.ts';
import { type Probe, probeEndpoint } from '../../../platform/endpoint/probe.ts';
import {
  bridgeFolders,
  endpointBehind,
  searchEndpoints,
  usableEndpoint,
} from '../../../platform/endpoint/search.ts';
import { lstatOf } from '../../../platform/files/inode.ts';
import { isLocalError, LocalError } from '../../base/local-error.ts';
import type { Attempt } from '../../client/index.ts';
import type { Io } from '../../daemon/io.ts';
import { currentHost } from '../daemon-client.ts';

/** How long an endpoint may take to answer a PING (ms). */
const PROBE_MS = 1000;
const ANSWERS: readonly LiveReason[] = ['pong', 'talked'];

/** Endpoints to try, and the option or variable that names the only one. */
export interface Candidates {
  readonly paths: readonly string[];
  readonly namedBy: '--endpoint' | typeof ENDPOINT_VARIABLE | undefined;
  /** Returns whether the path is in a folder in which a bridge of this environment listens. */
  readonly isInOwnFolder: (path: string) => boolean;
}

/**
 * The `--endpoint` path, or else that of FOOTBRIDGE_ENDPOINT, or else every endpoint that the client library searches.
 * Throws `LocalError` FOOTBRIDGE_PATH_TOO_LONG or FOOTBRIDGE_ENVIRONMENT.
 */
export function candidates(io: Io, endpoint: string | undefined): Candidates {
  const { os, uid } = currentHost();
  const { env } = io;
  if (endpoint !== undefined) {
    checkPathLength(os, endpoint);
    return { paths: [endpoint], namedBy: '--endpoint', isInOwnFolder: () => true };
  }
  const named = usableEndpoint(os, env);
  if (named !== undefined) return { paths: [named], namedBy: ENDPOINT_VARIABLE, isInOwnFolder: () => true };
  const own = bridgeFolders(os, env, uid);
  for (const folder of own) checkPathLength(os, endpointPath(os, folder, 0));
  return {
    paths: [...searchEndpoints(os, env, uid)].filter((path) => fits(os, path)),
    namedBy: undefined,
    isInOwnFolder: (path) => os === 'win32' || own.includes(dirname(path)),
  };
}

function fits(os: OsName, path: string): boolean {
  try {
    checkPathLength(os, path);
    return true;
  } catch {
    return false;
  }
}

/** Endpoint to try. */
export interface Candidate {
  readonly path: string;
  readonly probe: Probe;
  /** The listener does not answer a PING: a server without PING support, or a program that hangs. */
  readonly isSilent: boolean;
}

/**
 * Whether more than one of the paths exists. A test of a pipe would connect to it, so every pipe counts as existing.
 */
export function hasChoice(paths: readonly string[]): boolean {
  if (currentHost().os === 'win32') return paths.length > 1;
  return paths.filter(isThere).length > 1;
}

/** Whether there is a socket or another file, behind links of the user, too. */
export function isThere(path: string): boolean {
  try {
    return lstatOf(endpointBehind(path)) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Probes all endpoints at the same time, each with its own timeout, and puts silent endpoints last. A link is not
 * probed behind its target, so it keeps its position.
 */
export async function silentLast(paths: readonly string[]): Promise<readonly Candidate[]> {
  const probed = await Promise.all(
    paths.map(async (path) => {
      const probe = await probeEndpoint(path, { timeoutMs: PROBE_MS });
      return { path, probe, isSilent: probe.kind === 'live' && !ANSWERS.includes(probe.reason) };
    }),
  );
  return [...probed.filter(({ isSilent }) => !isSilent), ...probed.filter(({ isSilent }) => isSilent)];
}

/**
 * First endpoint of a bridge or chat client in this environment; undefined where nothing listens. `answering` leaves out
 * a listener that does not answer a PING.
 */
export async function listeningEndpoint(
  io: Io,
  which: 'listening' | 'answering' = 'listening',
): Promise<string | undefined> {
  const { paths, isInOwnFolder } = candidates(io, undefined);
  const isOurs = ({ path, probe }: Candidate): boolean =>
    probe.kind === 'live' && probe.uid !== undefined
      ? isTrustedOwner(probe.uid, currentHost().uid)
      : isInOwnFolder(path);
  const found = (await silentLast(paths)).filter(({ isSilent }) => which === 'listening' || !isSilent);
  return found.find((one) => (one.probe.kind === 'live' || isLink(one.probe)) && isOurs(one))?.path;
}

function isLink(probe: Probe): boolean {
  return probe.kind === 'foreign' && probe.what === 'symbolic link';
}

/** Converts a failure of the client library to a failure of the command; returns any other error unchanged. */
export function asLocalError(error: unknown): unknown {
  const isOurs = isLocalError(error) && error.name === 'ClientError';
  return isOurs ? new LocalError('FOOTBRIDGE_REFUSED', `${error.message}.`) : error;
}

/** Error that explains why none of the tried endpoints serves us. */
export function unreachable(
  attempts: readonly Attempt[],
  { namedBy, isInOwnFolder }: Candidates,
): LocalError {
  // Other users may have endpoints in shared folders, which are none of the caller's business.
  const served = attempts.filter(
    ({ reason, path }) => reason in OBJECTIONS && (reason !== 'foreign' || isInOwnFolder(path)),
  );
  if (served.length > 0) {
    const list = served.map((attempt) => `${attempt.path} ${OBJECTIONS[attempt.reason]?.(attempt)}`);
    return new LocalError('FOOTBRIDGE_REFUSED', `${list.join('; ')}.`);
  }
  return new LocalError(
    'FOOTBRIDGE_NO_DAEMON',
    namedBy === ENDPOINT_VARIABLE
      ? `No endpoint answers at the path in ${namedBy} (${grouped(attempts)}). Start its server, or unset the variable`
      : `No endpoint answers (${grouped(attempts)}). Start one with: footbridge run`,
  );
}

/**
 * Refusal text by reason, for an endpoint that exists but does not serve this process; any other reason means that
 * nothing visible listens.
 */
const OBJECTIONS: { readonly [R in Attempt['reason']]?: (attempt: Attempt) => string } = {
  foreign: ({ message }) =>
    `${message}, and would receive everything that is sent, tokens included: run this as that user, or add --any-owner`,
  silent: () => 'does not answer',
  rejected: ({ code, message }) => `refused: ${[code, message].filter(Boolean).join(' ')}`,
};

function grouped(attempts: readonly Attempt[]): string {
  const byReason = new Map<string, string[]>();
  for (const { path, reason, message } of attempts) {
    const why = message ?? reason;
    byReason.set(why, [...(byReason.get(why) ?? []), path]);
  }
  return [...byReason].map(([why, paths]) => `${several(paths)}: ${why}`).join('; ');
}

function several(paths: readonly string[]): string {
  const [first = ''] = paths;
  return paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
}
