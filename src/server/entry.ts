/** API for a program that embeds the bridge: `footbridge/server`. */

import { defaultLimits, type Limits } from '../session/limits.ts';
import { hostedPort, hostedSocket } from '../transport/hosted.ts';
import type { LocalSocket, LocalSocketOptions, LoopbackPortOptions } from '../transport/hosting.ts';
import type { Transport } from '../transport/transport.ts';

/** Limits that differ from the defaults; pass the same limits to `createServer`. */
export interface HostLimits {
  readonly limits?: Partial<Limits>;
}

/**
 * Returns the socket or pipe `discord-ipc-N` of this system. `createServer` starts to listen on it, and `close` frees
 * it. Rejects with an Error that has a `FOOTBRIDGE_…` code when the folder cannot be used.
 */
export function localSocket(options: LocalSocketOptions & HostLimits): Promise<LocalSocket> {
  return hostedSocket(options, { ...defaultLimits, ...options.limits });
}

/**
 * Returns WebSocket and `POST /rpc` on the first free port of 127.0.0.1:6463–6472, for the web pages that the program
 * admits.
 */
export function loopbackPort(options: LoopbackPortOptions & HostLimits): Promise<Transport> {
  const { limits, ...rest } = options;
  return hostedPort(rest, { ...defaultLimits, ...limits });
}

export { defaultLimits, type Limits } from '../session/limits.ts';
export type { LocalSocket, LocalSocketOptions, LoopbackPortOptions } from '../transport/hosting.ts';
export { type MemoryPeer, memoryTransport } from '../transport/memory.ts';
export type { Endpoint, Transport } from '../transport/transport.ts';
export type { CoreInfo } from './core-info.ts';
export { type Logger, type ServerOptions, type SessionSummary, silentLogger } from './options.ts';
export { createServer, type Server } from './server.ts';
