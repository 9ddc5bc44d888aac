import net, { type Socket } from 'node:net';
import { connectDirectly } from '../../platform/endpoint/connect-directly.ts';
import {
  checkPathLength,
  ENDPOINT_INDEXES,
  type Environment,
  endpointPath,
} from '../../platform/endpoint/endpoints.ts';
import { bridgeFolders, endpointBehind, sandboxEndpoints } from '../../platform/endpoint/search.ts';
import { identityOf, isStill, lstatOf } from '../../platform/files/inode.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import { LocalError } from '../base/local-error.ts';
import type { Connected } from '../core/upstream/upstream-core.ts';
import { checkPeer } from '../loopback/owner.ts';
import type { OwnProbes } from './own-probes.ts';

/** Options of the search. */
export interface SearchOptions {
  readonly os: OperatingSystem;
  readonly folders: EndpointFolders;
  /** Environment of the bridge. */
  readonly env: Environment;
  /** `auto`, or the path of the only endpoint to use. */
  readonly upstream: string;
  /** Returns the path of our own endpoint; undefined before the bridge listens. */
  endpoint(): string | undefined;
  /** Returns the paths of all sockets at which this bridge answers, those for sandboxes included. */
  ownPaths?(): readonly string[];
  readonly ownProbes: OwnProbes;
}

/**
 * Timeout of a probe (ms). It is short, because a hung endpoint is probed again for every new app, and delays each of
 * them.
 */
const PROBE_MS = 500;

/** Time for which an endpoint that was probed is used without another probe (ms). */
const CHECKED_MS = 2000;

/**
 * Returns a function that connects to the chat client behind the bridge: at the configured path, or else at the first
 * index above ours where a server of the same user answers, then in the folder of the login session where the
 * environment has lost it, then in the folders of sandboxes. The client that was found is used as long as it is reachable.
 * A path that leads to the bridge itself, as through a forward, is never used: each app would be connected in a circle
 * until no slot is free. The function then rejects with `LocalError` FOOTBRIDGE_UPSTREAM.
 */
export function upstreamSearch(options: SearchOptions): (signal: AbortSignal) => Promise<Connected> {
  let found: string | undefined;
  let checked: { readonly path: string; readonly at: number; readonly returns: Promise<boolean> } | undefined;
  let searching: Promise<string> | undefined;

  const probeOf = (path: string) =>
    options.ownProbes.probe(path, { native: options.os.native, timeoutMs: PROBE_MS });

  /** Connects to a path that may lead to another program than before; all sessions share one probe. */
  const reachChecked = async (path: string, signal: AbortSignal): Promise<Connected> => {
    const connected = await reach(path, options.os, signal);
    if (checked?.path !== path || performance.now() - checked.at > CHECKED_MS)
      checked = { path, at: performance.now(), returns: probeOf(path).then(({ returns }) => returns) };
    if (!(await checked.returns)) return connected;
    connected.stream.destroy();
    throw loopAt(path);
  };

  const search = async (): Promise<string> => {
    let unusable: Error | undefined;
    for (const path of candidates(options)) {
      try {
        // The owner is checked before the probe, so that another user's endpoint neither ends the search nor delays it.
        (await reach(path, options.os)).stream.destroy();
      } catch (error) {
        if (error instanceof StrangerError) unusable ??= error;
        continue;
      }
      const { probe, returns } = await probeOf(path);
      if (returns) unusable = loopAt(path);
      else if (probe.kind === 'live' && (probe.reason === 'pong' || probe.reason === 'talked')) return path;
    }
    throw unusable ?? new Error('no chat client answers at any index above ours');
  };

  return async (signal) => {
    if (options.upstream !== 'auto') {
      if (options.upstream === options.endpoint() || ownPathsOf(options).includes(options.upstream))
        throw new Error('the upstream is the bridge itself');
      return reachChecked(options.upstream, signal);
    }
    if (found !== undefined) {
      try {
        return await reachChecked(found, signal);
      } catch {
        found = undefined;
      }
    }
    // All sessions lose their upstream in the same moment, so they share one search.
    searching ??= search().finally(() => {
      searching = undefined;
    });
    const path = await searching;
    checked = { path, at: performance.now(), returns: Promise.resolve(false) };
    const connected = await reach(path, options.os, signal);
    found = path;
    return connected;
  };
}

/**
 * Paths to search, only in folders of this user: in a folder that others can write to, any user could pose as the client
 * and get the tokens. Our own socket is left out, also where a hard link shows it to a sandbox.
 */
function* candidates(options: SearchOptions): Generator<string, void, undefined> {
  const { os, folders, env } = options;
  const endpoint = options.endpoint();
  const own = ownIndex(endpoint);
  for (const index of ENDPOINT_INDEXES) {
    if (index > own) yield endpointPath(os.name, folders.folder, index);
  }
  const others = bridgeFolders(os.name, env, os.uid).filter((folder) => folder !== folders.folder);
  for (const folder of others) {
    for (const index of ENDPOINT_INDEXES) yield endpointPath(os.name, folder, index);
  }
  const sockets = [endpoint ?? '', ...ownPathsOf(options)].flatMap((path) => lstatOf(path) ?? []);
  for (const folder of [folders.folder, ...others]) {
    for (const path of sandboxEndpoints(os.name, folder, os.uid)) {
      if (!sockets.some((socket) => isStill(path, identityOf(socket)))) yield path;
    }
  }
}

function ownPathsOf(options: SearchOptions): readonly string[] {
  return options.ownPaths?.() ?? [];
}

/** Index of our own endpoint. Before the bridge listens the index is unknown, and no index counts as above ours. */
function ownIndex(endpoint: string | undefined): number {
  return Number(/discord-ipc-(\d)$/.exec(endpoint ?? '')?.[1] ?? ENDPOINT_INDEXES.length);
}

function loopAt(path: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_UPSTREAM',
    `${path} leads back to this bridge, so the bridge would stand behind itself. Stop the forward or relay that serves that path, or give the path of the chat client with --upstream PATH.`,
  );
}

/** The listener is not proven to run as our user or root. */
class StrangerError extends Error {}

/**
 * Connects, and verifies that a process of the same user or of root is at the other end. Rejects with `StrangerError`
 * for any other process, and with the system's error or `EndpointError` when the connection fails.
 */
function reach(path: string, os: OperatingSystem, signal?: AbortSignal): Promise<Connected> {
  return new Promise((resolve, reject) => {
    checkPathLength(os.name, path);
    const stream = connectDirectly(endpointBehind(path), net);
    const giveUp = (): void => void stream.destroy(new Error('nobody waits for the chat client any more'));
    signal?.addEventListener('abort', giveUp);
    // The listener is never removed, because an error may come after the connection has been handed to the caller.
    stream.on('error', reject);
    stream.once('close', () => signal?.removeEventListener('abort', giveUp));
    stream.once('connect', () => {
      signal?.removeEventListener('abort', giveUp);
      const fault = strangerAt(stream, os);
      if (fault === undefined) return resolve({ path, stream });
      stream.destroy();
      reject(new StrangerError(fault));
    });
  });
}

function strangerAt(stream: Socket, os: OperatingSystem): string | undefined {
  const peer = checkPeer(os, stream, 'the endpoint');
  return peer.kind === 'refused' ? peer.reason : undefined;
}
