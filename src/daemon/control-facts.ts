import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { degradedWithoutNative } from '../../platform/degraded.ts';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import { programOf, programText } from '../../platform/process/program.ts';
import { residentMemory } from '../../platform/process/resident-memory.ts';
import type { ControlStatus, ForwardFacts } from '../control/routes.ts';
import type { AdminCaller } from '../core/core.ts';
import type { Journal } from '../journal/journal.ts';
import { checkPeer } from '../loopback/owner.ts';
import type { Server } from '../server/server.ts';
import type { IpcTransport } from '../transport/ipc/ipc.ts';
import type { BuiltCore } from './core-options.ts';
import type { Endpoints } from './endpoints/endpoints.ts';
import type { RefusedPages } from './refused-pages.ts';
import { version } from './version.ts';

/**
 * Identifies the caller of the control API. Admits processes of this process's user and of root, as the apps' endpoint
 * does; throws for any other user.
 */
export function callerOf(os: OperatingSystem, socket: Socket): AdminCaller {
  const peer = checkPeer(os, socket, 'the caller');
  if (peer.kind === 'refused') throw new Error(peer.reason);
  const pid = peer.kind === 'known' ? peer.credentials.pid : 0;
  if (pid === 0) return { via: 'control' };
  const program = programText(pid);
  return { pid, via: 'control', ...(program === undefined ? {} : { program }) };
}

/** Parts of a bridge that its status describes; `started` is a time of `performance.now()`. */
export interface StatusSources {
  readonly os: OperatingSystem;
  readonly server: Server;
  readonly ipc: IpcTransport;
  readonly started: number;
  readonly journal: Journal | undefined;
  readonly refused: RefusedPages;
  readonly applicationName: BuiltCore['applicationName'];
  /** Endpoints besides the bridge's own. */
  readonly further: Pick<Endpoints, 'list'>;
  readonly forwards: readonly ForwardFacts[];
  readonly places: ControlStatus['places'];
  readonly unstored: readonly string[];
}

/** Status of this process for the control API. */
export function statusOf(sources: StatusSources): ControlStatus {
  const { os, server, ipc, started, journal, refused, applicationName, further, forwards } = sources;
  const { places, unstored } = sources;
  return {
    version: version(),
    pid: process.pid,
    uptime: Math.floor((performance.now() - started) / 1000),
    executable: process.execPath,
    core: { name: server.core.name, api: server.core.api ?? null, details: server.core.describe() },
    notInFrontOf: ipc.skipped().map(({ path, why }) => ({ path, why })),
    endpoints: server.endpoints,
    further: further.list(),
    forwards,
    places,
    unstored,
    weaker: os.native.kind === 'loaded' ? [] : degradedWithoutNative(os.name),
    sessions: sessionFacts(server, applicationName),
    refused: refused.list(),
    journal: !journal?.isOn ? null : { entries: journal.size, bytes: journal.bytes },
    counters: { ...server.counters(), emfile: ipc.starved() },
    rss: residentMemory(),
    fds: openDescriptors(),
  };
}

/** The sessions of a server, with what the daemon knows of each. */
export function sessionFacts(
  server: Pick<Server, 'sessions'>,
  applicationName: BuiltCore['applicationName'],
): ControlStatus['sessions'] {
  return server.sessions().map((session) => ({
    ...session,
    program: (session.pid === null ? undefined : programOf(session.pid)?.name) ?? null,
    application: session.clientId === null ? null : (applicationName?.(session.clientId) ?? null),
  }));
}

function openDescriptors(): number | null {
  try {
    // One entry is not counted, because the listing itself holds a descriptor of the folder.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}
