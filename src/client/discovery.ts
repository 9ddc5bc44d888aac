import { lstatSync, type Stats, statSync } from 'node:fs';
import type * as Net from 'node:net';
import {
  ENDPOINT_INDEXES,
  type Environment,
  eachSearchFolder,
  endpointPath,
  isTrustedOwner,
  type OsName,
} from '../../platform/endpoints.ts';
import { type Attempt, type ClientError, noServer } from './errors.ts';
import type { Ready } from './generated.ts';
import { limit } from './limit.ts';
import { type Link, openLink } from './link.ts';

/** Loaded with the first connect: it is most of what the import of this library would cost. */
let net: typeof Net | undefined;

/** A link that is ready. */
export interface OpenedLink {
  readonly link: Link;
  readonly ready: Ready;
}

/** How {@link openFirst} is to look, and whom the link tells from then on. */
export interface OpenOptions {
  readonly application: string;
  /** Per endpoint, from connecting to READY. */
  readonly patienceMs: number;
  /** Told of each try what gives it up, or ends the link it led to. Throws when there is to be none. */
  readonly trying: (giveUp: (error: ClientError) => void) => void;
  /** Leave the sockets of users other than this one and root alone. Undefined: whoever owns them is taken. */
  readonly owner: number | undefined;
  readonly dispatch: (event: string, data: unknown) => void;
  readonly ended: (link: Link, error: ClientError) => void;
}

/**
 * Every path at which a server may be found, most likely first. Anything that is neither Windows nor macOS follows the
 * rule of Linux.
 */
export function* endpointPaths(
  platform: NodeJS.Platform,
  env: Environment,
  uid?: number,
): Generator<string, void, undefined> {
  const os = platform as OsName;
  const seen = new Set<string>();
  for (const folder of eachSearchFolder(os, env, uid)) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const index of ENDPOINT_INDEXES) yield endpointPath(os, folder, index);
  }
}

/**
 * Tries the paths one after the other and resolves with the first that becomes ready.
 * Rejects with FOOTBRIDGE_NO_SERVER, or with what `trying` throws.
 */
export function openFirst(paths: Iterable<string>, options: OpenOptions): Promise<OpenedLink> {
  const rest = paths[Symbol.iterator]();
  const attempts: Attempt[] = [];
  return new Promise((resolve, reject) => {
    const next = (failed?: Attempt): void => {
      try {
        for (let known = failed; ; ) {
          if (known) attempts.push(known);
          const { value: path, done } = rest.next();
          if (done) throw noServer(attempts);
          // The first is mostly there: it is looked at while the server answers.
          known = attempts.length > 0 ? inspect(path, options.owner) : undefined;
          if (!known) return open(path, options, resolve, next);
        }
      } catch (error) {
        reject(error);
      }
    };
    next();
  });
}

/**
 * What speaks against a path. Looking costs less than a failed connect; but opening a Windows pipe to look is a connect.
 */
function inspect(path: string, uid: number | undefined): Attempt | undefined {
  if (uid === undefined) return undefined;
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    // A link of another user may lead to our socket now and to his a moment later: both have to be ours.
    const found = entry?.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
    if (!(entry && found)) return { path, reason: 'missing' };
    return foreign(path, entry, uid) ?? foreign(path, found, uid);
  } catch (error) {
    return explain(path, error);
  }
}

/** Anybody may put a socket into /tmp, and would be handed the access token. */
function foreign(path: string, { uid: owner }: Stats, uid: number): Attempt | undefined {
  if (isTrustedOwner(owner, uid)) return undefined;
  return { path, reason: 'foreign', message: `belongs to user ${owner}, not to ${uid}` };
}

/** Calls `found` or `failed`, once. Throws what `trying` throws. */
function open(
  path: string,
  options: OpenOptions,
  found: (opened: OpenedLink) => void,
  failed: (attempt: Attempt) => void,
): void {
  let outcome: OpenedLink | 'failed' | undefined;
  options.trying((error) => {
    if (typeof outcome === 'object') outcome.link.end(error);
    else socket.destroy();
  });
  net ??= process.getBuiltinModule('node:net');
  const socket = net.connect(path);
  let failure: unknown;
  // Before the link's own listener, which knows nothing of system errors.
  socket.on('error', (error) => {
    failure = error;
  });
  const fail = (attempt: Attempt): void => {
    if (outcome) return;
    outcome = 'failed';
    release();
    socket.destroy();
    failed(attempt);
  };
  const release = limit(path, options.patienceMs, undefined, () => fail({ path, reason: 'silent' }));
  const link = openLink(socket, options.application, {
    ready(ready) {
      release();
      outcome = { link, ready };
      found(outcome);
    },
    dispatch: options.dispatch,
    ended(error) {
      if (typeof outcome === 'object') options.ended(link, error);
      else
        fail(
          failure
            ? explain(path, failure)
            : { path, reason: 'rejected', message: error.message, ...error.reason },
        );
    },
  });
  // The handshake waits until the connect is reported: who is objected to is sent nothing.
  const objection = inspect(path, options.owner);
  if (objection) fail(objection);
}

function explain(path: string, error: unknown): Attempt {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  return reason ? { path, reason } : { path, reason: 'failed', message };
}

const REASONS: { readonly [code: string]: Attempt['reason'] } = {
  ENOENT: 'missing',
  ECONNREFUSED: 'refused',
  EACCES: 'denied',
};
