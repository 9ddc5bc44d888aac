import { existsSync } from 'node:fs';
import { bridgeEndpoints, checkPathLength } from '../../../platform/endpoint/endpoints.ts';
import type { LiveReason } from '../../../platform/endpoint/ping.ts';
import { type Probe, probeEndpoint } from '../../../platform/endpoint/probe.ts';
import { isLocalError, LocalError } from '../../base/local-error.ts';
import type { Attempt } from '../../client/index.ts';
import type { Io } from '../../daemon/io.ts';
import { currentHost } from '../daemon-client.ts';

/** How long an endpoint may take to answer a PING (ms). */
const PROBE_MS = 1000;
const ANSWERS: readonly LiveReason[] = ['pong', 'talked'];

/**
 * The `--endpoint` path, or else the endpoints at which a bridge of this environment listens. Throws `LocalError`
 * FOOTBRIDGE_PATH_TOO_LONG or FOOTBRIDGE_ENVIRONMENT.
 */
export function candidates(io: Io, endpoint: string | undefined): string[] {
  const { os, uid } = currentHost();
  if (endpoint !== undefined) {
    checkPathLength(os, endpoint);
    return [endpoint];
  }
  return bridgeEndpoints(os, io.env, uid);
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
  return paths.filter((path) => existsSync(path)).length > 1;
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

/** First endpoint of a bridge or chat client in this environment; undefined where nothing listens. */
export async function listeningEndpoint(io: Io): Promise<string | undefined> {
  const found = await silentLast(candidates(io, undefined));
  return found.find(({ probe }) => probe.kind === 'live' || isLink(probe))?.path;
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
export function unreachable(attempts: readonly Attempt[]): LocalError {
  const served = attempts.filter(({ reason }) => reason in OBJECTIONS);
  if (served.length > 0) {
    const list = served.map((attempt) => `${attempt.path} ${OBJECTIONS[attempt.reason]?.(attempt)}`);
    return new LocalError('FOOTBRIDGE_REFUSED', `${list.join('; ')}.`);
  }
  return new LocalError(
    'FOOTBRIDGE_NO_DAEMON',
    `No endpoint answers (${grouped(attempts)}). Start one with: footbridge run`,
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
