import { closeSync, lstatSync, openSync, type Stats } from 'node:fs';
import type * as Net from 'node:net';
import { connectDirectly } from '../../platform/endpoint/connect-directly.ts';
import {
  ENDPOINT_VARIABLE,
  type Environment,
  isTrustedOwner,
  type OsName,
} from '../../platform/endpoint/endpoints.ts';
import { endpointBehind, searchEndpoints, usableEndpoint } from '../../platform/endpoint/search.ts';
import { createEndpointWait } from './endpoint-wait.ts';
import type { Attempt } from './errors.ts';
import type { ClientOptions } from './options.ts';
import { socketWire } from './socket-wire.ts';
import type { Transport } from './transport.ts';

const MAX_RETRY_DELAY_MS = 5000;
/** Maximum delay between two attempts where new endpoints cannot be watched (ms). */
const MAX_BLIND_RETRY_DELAY_MS = 1000;

/** The module `node:net`, loaded with the first connect: it is most of the cost of importing this library. */
let net: typeof Net | undefined;

/**
 * Transport to the endpoints of this machine: sockets, or named pipes on Windows. Only sockets of the user `uid` and of
 * root are accepted.
 */
export function socketTransport(
  { paths, anyOwner }: Pick<ClientOptions, 'paths' | 'anyOwner'>,
  uid = process.getuid?.(),
): Transport {
  const owner = anyOwner === true ? undefined : uid;
  const addresses = (): Iterable<string> => paths ?? endpointPaths(process.platform, process.env, uid);
  const variable = (): string | undefined =>
    !paths && process.env[ENDPOINT_VARIABLE] ? ENDPOINT_VARIABLE : undefined;
  return {
    addresses,
    variable,
    objection: (path) => (variable() && unusable(path)) || inspect(path, owner),
    dial(path, clientId, listener) {
      net ??= process.getBuiltinModule('node:net');
      const socket = connectDirectly(endpointBehind(path), net);
      let failure: unknown;
      // This listener is added before the wire's own listener, which does not handle system errors.
      socket.on('error', (error) => {
        failure = error;
      });
      return {
        wire: socketWire(socket, clientId, listener),
        failure: () => (failure ? explain(path, failure) : undefined),
      };
    },
    createWait: () => createEndpointWait(addresses),
    maxRetryDelayMs: process.platform === 'win32' ? MAX_BLIND_RETRY_DELAY_MS : MAX_RETRY_DELAY_MS,
    isLocal: true,
    pid: process.pid,
  };
}

/**
 * Every path of a possible server, the likeliest first. Systems other than Windows and macOS follow the rule of Linux.
 */
export function endpointPaths(platform: NodeJS.Platform, env: Environment, uid?: number): Iterable<string> {
  return searchEndpoints(osName(platform), env, uid);
}

/** Returns the objection to the path in the variable, where no server can ever listen at it. */
function unusable(path: string): Attempt | undefined {
  try {
    usableEndpoint(osName(process.platform), process.env);
    return undefined;
  } catch (error) {
    return { path, reason: 'failed', message: (error as Error).message };
  }
}

function osName(platform: NodeJS.Platform): OsName {
  return platform === 'win32' || platform === 'darwin' ? platform : 'linux';
}

/**
 * Returns the objection to a path, if there is any. A check costs less than a failed connect, except on Windows, where
 * the check of a pipe would itself be a connect.
 */
function inspect(path: string, uid: number | undefined): Attempt | undefined {
  if (uid === undefined) return undefined;
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    // A link of another user may change its target from our socket to theirs: link and target must both be ours.
    const found = entry?.isSymbolicLink()
      ? lstatSync(endpointBehind(path), { throwIfNoEntry: false })
      : entry;
    if (!(entry && found)) return { path, reason: 'missing' };
    return foreign(path, entry, uid) ?? foreign(path, found, uid);
  } catch (error) {
    return explain(path, error);
  }
}

/** Any user may create a socket in /tmp, and would receive the access token. */
function foreign(path: string, { uid: owner }: Stats, uid: number): Attempt | undefined {
  if (isTrustedOwner(owner, uid)) return undefined;
  return { path, reason: 'foreign', message: `belongs to user ${owner}, not to ${uid}` };
}

function explain(path: string, error: unknown): Attempt {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  if (reason === 'denied' && isOfOthers(path)) return { path, reason, message: ELEVATED };
  return reason ? { path, reason } : { path, reason: 'failed', message };
}

const ELEVATED =
  'the server runs as administrator or as another user, this program does not; footbridge doctor says which';

/**
 * Whether the pipe of a refused connect has the default security descriptor of Windows, which grants everyone to read,
 * and only its creator and administrators to write.
 */
function isOfOthers(path: string): boolean {
  if (!path.startsWith('\\\\')) return false;
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch {
    return false;
  }
}

const REASONS: { readonly [code: string]: Attempt['reason'] } = {
  ENOENT: 'missing',
  ECONNREFUSED: 'refused',
  EACCES: 'denied',
  // Windows denies access to a named pipe with this code.
  EPERM: 'denied',
  EAGAIN: 'busy',
};
