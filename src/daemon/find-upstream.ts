import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDirectly } from '../../platform/endpoint/connect-directly.ts';
import {
  checkPathLength,
  ENDPOINT_INDEXES,
  type Environment,
  endpointPath,
} from '../../platform/endpoint/endpoints.ts';
import type { OwnProbes } from '../../platform/endpoint/own-probes.ts';
import { type Probe, probeEndpoint } from '../../platform/endpoint/probe.ts';
import { bridgeFolders, endpointBehind, sandboxEndpoints } from '../../platform/endpoint/search.ts';
import { statusIn } from '../../platform/files/held-folder.ts';
import { identityOf, isStill } from '../../platform/files/inode.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import { LocalError } from '../base/local-error.ts';
import { FixedWindow } from '../core/fixed-window.ts';
import type { Connected } from '../core/upstream/upstream-core.ts';
import { checkPeer } from '../loopback/owner.ts';

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
  ownPaths(): readonly string[];
  readonly ownProbes: OwnProbes;
}

/**
 * Timeout of a probe (ms). It is short, because a hung endpoint is probed again for every new app, and delays each of
 * them.
 */
const PROBE_MS = 500;

/** Time for which an endpoint that was probed is used, or refused, without another probe (ms). */
const CHECKED_MS = 2000;

/**
 * Time in which a probe comes back over other bridges, which pass it on after their answer (ms). The first use of a path
 * waits for it, and each use of a path that has led back.
 */
const ROUND_MS = 150;

/** Maximum number of probes of other bridges that are passed on: per second, at a time, and remembered. */
const MAX_PASSED = { perSecond: 20, atOnce: 4, remembered: 256 };

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
  /** Path from which a probe came back, and when. */
  let loop: { readonly path: string; readonly at: number } | undefined;
  /** Path that did not lead back. */
  let straight: string | undefined;

  const isLoop = (path: string): boolean => loop?.path === path && performance.now() - loop.at < CHECKED_MS;
  const probeOf = async (path: string): Promise<{ readonly probe?: Probe; readonly returns: boolean }> => {
    if (isLoop(path)) return { returns: true };
    const { probe } = await options.ownProbes.probe(
      path,
      { native: options.os.native, timeoutMs: PROBE_MS },
      () => {
        loop = { path, at: performance.now() };
      },
    );
    if (path !== straight && !isLoop(path)) await delay(ROUND_MS, undefined, { ref: false });
    straight = isLoop(path) ? undefined : path;
    return { probe, returns: isLoop(path) };
  };
  passProbes(options, () => (options.upstream === 'auto' ? found : options.upstream));

  /** Connects to a path that may lead to another program than before; all sessions share one probe. */
  const reachChecked = async (path: string, signal: AbortSignal): Promise<Connected> => {
    const connected = await reach(path, options.os, signal);
    if (checked?.path !== path || performance.now() - checked.at > CHECKED_MS)
      checked = { path, at: performance.now(), returns: probeOf(path).then(({ returns }) => returns) };
    if (!(await checked.returns) && !isLoop(path)) return connected;
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
      else if (probe?.kind === 'live' && (probe.reason === 'pong' || probe.reason === 'talked')) return path;
    }
    throw unusable ?? new Error('no chat client answers at any index above ours');
  };

  return async (signal) => {
    if (options.upstream !== 'auto') {
      if (options.upstream === options.endpoint() || options.ownPaths().includes(options.upstream))
        throw new LocalError(
          'FOOTBRIDGE_UPSTREAM',
          `${options.upstream} is an endpoint of this bridge itself. Give the path of the chat client with --upstream PATH.`,
        );
      return reachChecked(options.upstream, signal);
    }
    if (found !== undefined) {
      try {
        return await reachChecked(found, signal);
      } catch {
        // It is searched for anew.
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
 * Passes the probes of other bridges on to the upstream, so that each bridge of a circle gets its own one back. Apps may
 * send such probes as well, so their number is limited.
 */
function passProbes({ os, ownProbes }: SearchOptions, upstream: () => string | undefined): void {
  const { perSecond, atOnce, remembered } = MAX_PASSED;
  const rate = new FixedWindow({ messages: perSecond });
  const passed = new Set<string>();
  let passing = 0;
  ownProbes.passOn((text) => {
    const path = upstream();
    if (path === undefined || passing === atOnce || passed.has(text)) return;
    if (rate.take(1, 0, performance.now()).kind === 'beyond') return;
    passed.add(text);
    const [oldest] = passed;
    if (passed.size > remembered && oldest !== undefined) passed.delete(oldest);
    passing += 1;
    void reach(path, os)
      .then(({ stream }) => {
        stream.destroy();
        return probeEndpoint(endpointBehind(path), { text, timeoutMs: PROBE_MS });
      })
      .catch(() => {})
      .finally(() => {
        passing -= 1;
      });
  });
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
  const sockets = [endpoint ?? [], options.ownPaths()].flat().flatMap((path) => statusIn(path) ?? []);
  for (const folder of [folders.folder, ...others]) {
    for (const path of sandboxEndpoints(os.name, folder, os.uid)) {
      if (!sockets.some((socket) => isStill(path, identityOf(socket)))) yield path;
    }
  }
}

/** Index of our own endpoint. Before the bridge listens the index is unknown, and no index counts as above ours. */
function ownIndex(endpoint: string | undefined): number {
  return Number(endpoint?.match(/discord-ipc-(\d)$/)?.[1] ?? ENDPOINT_INDEXES.length);
}

function loopAt(path: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_UPSTREAM',
    `${path} leads back to this bridge, so the bridge would stand behind itself. Stop the forward or relay that serves that path, give the bridge there another upstream, or give this one the path of the chat client with --upstream PATH.`,
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
