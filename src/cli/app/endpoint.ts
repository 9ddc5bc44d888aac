import {
  checkPathLength,
  ENDPOINT_INDEXES,
  endpointFolder,
  endpointPath,
} from '../../../platform/endpoints.ts';
import { isLocalError, LocalError } from '../../../platform/local-error.ts';
import type { Attempt } from '../../client/index.ts';
import type { Io } from '../../daemon/io.ts';
import { currentPlace } from '../ask-daemon.ts';

/**
 * The path that was given, or `discord-ipc-0` to `9` of the folder in which a bridge of this environment listens.
 * Throws `LocalError` FOOTBRIDGE_PATH_TOO_LONG or FOOTBRIDGE_ENVIRONMENT.
 */
export function candidates(io: Io, given: string | undefined): string[] {
  const { os } = currentPlace();
  if (given !== undefined) {
    checkPathLength(os, given);
    return [given];
  }
  const { folder } = endpointFolder(os, io.env);
  const paths = ENDPOINT_INDEXES.map((index) => endpointPath(os, folder, index));
  for (const path of paths) checkPathLength(os, path);
  return paths;
}

/** A failure of the client library as a failure of the command; anything else is returned as it is. */
export function asLocalError(error: unknown): unknown {
  const isOurs = isLocalError(error) && error.name === 'ClientError';
  return isOurs ? new LocalError('FOOTBRIDGE_REFUSED', `${error.message}.`) : error;
}

/** Why none of the endpoints that were tried serves us. */
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

/** Where something stands that does not serve us; elsewhere there is nothing, or nothing we may see. */
const OBJECTIONS: { readonly [R in Attempt['reason']]?: (attempt: Attempt) => string } = {
  foreign: ({ message }) =>
    `${message}, and would be handed what is sent, a token too: run this as that user, or add --any-owner`,
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
