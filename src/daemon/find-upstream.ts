import net from 'node:net';
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
import {
  bridgeFolders,
  endpointBehind,
  isLikelyClient,
  sandboxEndpoints,
} from '../../platform/endpoint/search.ts';
import { statusIn } from '../../platform/files/held-folder.ts';
import { identityOf, isStill } from '../../platform/files/inode.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import { programOf } from '../../platform/process/program.ts';
import { isLocalError, LocalError } from '../base/local-error.ts';
import { FixedWindow } from '../core/fixed-window.ts';
import {
  type ClientSource,
  type Connected,
  type ServingProgram,
  UNKNOWN_MARK,
} from '../core/upstream/client-source.ts';
import { checkPeer, type PeerCheck } from '../loopback/owner.ts';
import { upstreamPaths } from './upstream-paths.ts';

/** Options of the search. */
export interface SearchOptions {
  readonly os: OperatingSystem;
  readonly folders: EndpointFolders;
  /** Environment of the bridge. */
  readonly env: Environment;
  /** `auto`, or the paths of the endpoints to use, the first of them first, with commas between. */
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

/** The chat clients behind the bridge: the first that answers, and every one by its path. */
export interface UpstreamSearch extends ClientSource {
  /** Connects to the first client that answers, and to the same one as long as it is reachable. */
  readonly connect: (signal: AbortSignal) => Promise<Connected>;
}

/**
 * Searches the chat clients behind the bridge: at the configured paths, or else at each index above ours where a server
 * of the same user answers, then in the folder of the login session where the environment has lost it, then in the
 * folders of sandboxes. A path that leads to the bridge itself, as through a forward, is never used: each app would be
 * connected in a circle until no slot is free. It is refused with `LocalError` FOOTBRIDGE_UPSTREAM.
 */
export function upstreamSearch(options: SearchOptions): UpstreamSearch {
  const configured = upstreamPaths(options.upstream);
  let found: string | undefined;
  const checked = new Map<string, { readonly at: number; readonly returns: Promise<boolean> }>();
  let searching: Promise<string> | undefined;
  /** Paths from which a probe came back, and when. */
  const loops = new Map<string, number>();
  /** Paths that did not lead back. */
  const straight = new Set<string>();
  /** Paths that were used, to which the probes of other bridges are passed on. */
  const used = new Set<string>();

  const isLoop = (path: string): boolean => {
    const at = loops.get(path);
    return at !== undefined && performance.now() - at < CHECKED_MS;
  };
  const probeOf = async (path: string): Promise<{ readonly probe?: Probe; readonly returns: boolean }> => {
    if (isLoop(path)) return { returns: true };
    const { probe } = await options.ownProbes.probe(
      path,
      { native: options.os.native, timeoutMs: PROBE_MS },
      () => setBounded(loops, path, performance.now()),
    );
    if (!straight.has(path) && !isLoop(path)) await delay(ROUND_MS, undefined, { ref: false });
    if (isLoop(path)) straight.delete(path);
    else addBounded(straight, path);
    return { probe, returns: isLoop(path) };
  };
  passProbes(options, () => (configured === 'auto' ? used : configured));

  /** Connects to a path that may lead to another program than before; all sessions share one probe. */
  const reachChecked = async (path: string, signal: AbortSignal): Promise<Connected> => {
    const connected = await reach(path, options.os, signal);
    let last = checked.get(path);
    if (last === undefined || performance.now() - last.at > CHECKED_MS) {
      last = { at: performance.now(), returns: probeOf(path).then(({ returns }) => returns) };
      setBounded(checked, path, last);
    }
    if (!(await last.returns) && !isLoop(path)) {
      addBounded(used, path);
      return connected;
    }
    connected.stream.destroy();
    throw loopAt(path);
  };

  /** Whether a client answers, and its program. */
  const check = async (path: string): Promise<{ readonly program?: ServingProgram | undefined }> => {
    refuseOwn(path, options);
    // The owner is checked before the probe, so that another user's endpoint neither ends the search nor delays it.
    const { stream, program } = await reach(path, options.os, AbortSignal.timeout(PROBE_MS));
    stream.destroy();
    const { probe, returns } = await probeOf(path);
    if (returns) throw loopAt(path);
    if (probe?.kind !== 'live' || (probe.reason !== 'pong' && probe.reason !== 'talked'))
      throw new Error('no chat client answers there');
    addBounded(used, path);
    setBounded(checked, path, { at: performance.now(), returns: Promise.resolve(false) });
    return { program };
  };

  const search = async (): Promise<string> => {
    let unusable: Error | undefined;
    for (const path of candidates(options)) {
      try {
        await check(path);
        return path;
      } catch (error) {
        if (isLocalError(error)) unusable = error;
        else if (error instanceof StrangerError) unusable ??= error;
      }
    }
    throw unusable ?? new Error('no chat client answers at any index above ours');
  };

  /** Connects to the first configured client; a list begins with the one that was used last. */
  const reachConfigured = async (paths: readonly string[], signal: AbortSignal): Promise<Connected> => {
    let fault: unknown;
    for (const path of found === undefined ? paths : [...new Set([found, ...paths])]) {
      try {
        refuseOwn(path, options);
        const connected = await reachChecked(path, signal);
        found = path;
        return connected;
      } catch (error) {
        if (fault === undefined || (isLocalError(error) && !isLocalError(fault))) fault = error;
      }
    }
    throw fault;
  };

  return {
    async connect(signal) {
      if (configured !== 'auto') return reachConfigured(configured, signal);
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
      const connected = await reach(path, options.os, signal);
      found = path;
      return connected;
    },
    candidates() {
      if (configured !== 'auto') return configured;
      // Any program in a sandbox can serve a socket there, and would get the presence of every app.
      return [...candidates(options)].filter((path) => path === found || isLikelyClient(path));
    },
    mark: (path) => markOf(path),
    check,
    async reach(path, signal) {
      refuseOwn(path, options);
      return reachChecked(path, signal);
    },
  };
}

/** Maximum of paths that are remembered; sandboxes may make any number of them. */
const MAX_PATHS = 256;

function setBounded<V>(map: Map<string, V>, path: string, value: V): void {
  map.delete(path);
  map.set(path, value);
  const [oldest] = map.keys();
  if (map.size > MAX_PATHS && oldest !== undefined) map.delete(oldest);
}

function addBounded(set: Set<string>, path: string): void {
  set.delete(path);
  set.add(path);
  const [oldest] = set;
  if (set.size > MAX_PATHS && oldest !== undefined) set.delete(oldest);
}

/** Identity of the file behind a path; pipes of Windows have none. */
function markOf(path: string): string | undefined {
  if (/^[\\/]{2}/.test(path)) return UNKNOWN_MARK;
  const status = statusIn(endpointBehind(path));
  if (status === undefined) return undefined;
  const { dev, ino, birth } = identityOf(status);
  return `${dev}:${ino}:${birth}`;
}

function refuseOwn(path: string, options: SearchOptions): void {
  if (path !== options.endpoint() && !options.ownPaths().includes(path)) return;
  throw new LocalError(
    'FOOTBRIDGE_UPSTREAM',
    `${path} is an endpoint of this bridge itself. Give the path of the chat client with --upstream PATH.`,
  );
}

/**
 * Passes the probes of other bridges on to every upstream, so that each bridge of a circle gets its own one back. Apps
 * may send such probes as well, so their number is limited.
 */
function passProbes({ os, ownProbes }: SearchOptions, upstreams: () => Iterable<string>): void {
  const { perSecond, atOnce, remembered } = MAX_PASSED;
  const rate = new FixedWindow({ messages: perSecond });
  const passed = new Set<string>();
  let passing = 0;
  ownProbes.passOn((text) => {
    const paths = [...upstreams()];
    if (paths.length === 0 || passing >= atOnce || passed.has(text)) return;
    if (rate.take(1, 0, performance.now()).kind === 'beyond') return;
    passed.add(text);
    const [oldest] = passed;
    if (passed.size > remembered && oldest !== undefined) passed.delete(oldest);
    passing += 1;
    const pass = async (path: string): Promise<void> => {
      const { stream } = await reach(path, os);
      stream.destroy();
      await probeEndpoint(endpointBehind(path), { text, timeoutMs: PROBE_MS });
    };
    void Promise.allSettled(paths.map(pass)).finally(() => {
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
      const peer = checkPeer(os, stream, 'the endpoint');
      if (peer.kind !== 'refused') return resolve({ path, stream, program: programAt(peer) });
      stream.destroy();
      reject(new StrangerError(peer.reason));
    });
  });
}

/** Program that serves an endpoint. A program in a sandbox may be unknown to the system, or choose its own name. */
function programAt(peer: PeerCheck): ServingProgram | undefined {
  return peer.kind === 'known' && peer.credentials.pid > 0 ? programOf(peer.credentials.pid) : undefined;
}
