import { statSync } from 'node:fs';
import {
  ENDPOINT_INDEXES,
  type Environment,
  eachSearchFolder,
  endpointPath,
  type OsName,
} from '../../platform/endpoints.ts';
import { type Attempt, type ClientError, noServer } from './errors.ts';
import type { Ready } from './generated.ts';
import { limit } from './limit.ts';
import { type Link, openLink } from './link.ts';

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
  /** Leave sockets of users other than this one alone: the paths were searched for, not named by the program. */
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
export async function openFirst(paths: Iterable<string>, options: OpenOptions): Promise<OpenedLink> {
  const attempts: Attempt[] = [];
  for (const path of paths) {
    // The first is mostly there: it is looked at while the server answers.
    const known = attempts.length > 0 && inspect(path, options.owner);
    const opened = known || (await open(path, options));
    if (!('reason' in opened)) return opened;
    attempts.push(opened);
  }
  throw noServer(attempts);
}

/**
 * What speaks against a path. Looking costs less than a failed connect; but opening a Windows pipe to look is a connect.
 */
function inspect(path: string, uid: number | undefined): Attempt | undefined {
  if (uid === undefined) return undefined;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return { path, reason: 'missing' };
    // Anybody may put a socket into /tmp, and would be handed the access token.
    return uid && found.uid && found.uid !== uid ? { path, reason: 'foreign' } : undefined;
  } catch (error) {
    return explain(path, error);
  }
}

function open(path: string, options: OpenOptions): Promise<OpenedLink | Attempt> {
  const { application, patienceMs } = options;
  return new Promise((resolve) => {
    let opened: OpenedLink | undefined;
    options.trying((error) => {
      if (opened) opened.link.end(error);
      else socket.destroy();
    });
    // Loaded with the first connect: it is most of what the import of this library would cost.
    const socket = process.getBuiltinModule('node:net').connect(path);
    let failure: unknown;
    // Before the link's own listener, which knows nothing of system errors.
    socket.on('error', (error) => {
      failure = error;
    });
    const give = (attempt: Attempt): void => {
      release();
      socket.destroy();
      resolve(attempt);
    };
    const release = limit(path, patienceMs, undefined, () => give({ path, reason: 'silent' }));
    const link = openLink(socket, application, {
      ready(ready) {
        release();
        opened = { link, ready };
        resolve(opened);
      },
      dispatch: options.dispatch,
      ended(error) {
        release();
        if (opened) options.ended(link, error);
        else
          resolve(
            failure
              ? explain(path, failure)
              : { path, reason: 'rejected', message: error.message, ...error.reason },
          );
      },
    });
    // The handshake waits until the connect is reported: who is objected to is sent nothing.
    const objection = inspect(path, options.owner);
    if (objection) give(objection);
  });
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
