import { descriptorLimit } from '../../platform/descriptor-limit.ts';
import type { EndpointIndex, Environment } from '../../platform/endpoints.ts';
import { currentOs } from '../../platform/operating-system.ts';
import { requirePeerCheck } from './check-peer.ts';
import { type IpcTransport, ipcTransport } from './ipc.ts';
import type { Transport } from './transport.ts';
import { type WebSocketOptions, websocketTransport } from './websocket.ts';

/** What a transport bounds by itself; part of the server's limits. */
export interface TransportLimits {
  readonly handshakeFrameBytes: number;
  readonly frameBytes: number;
  readonly unreadBytes: number;
}

/** Where the local socket is to be. */
export interface LocalSocketOptions {
  /** Decides the folder: give it `process.env`. Nothing else of it is read. */
  readonly env: Environment;
  /** Number N of `discord-ipc-N`; `auto`, the default, is the first that nobody serves. Most apps only look at 0. */
  readonly index?: 'auto' | EndpointIndex;
  /** Somebody was turned away before a byte was read. */
  onRefused?(reason: string): void;
}

/**
 * The socket or pipe `discord-ipc-N` of this system, for a program that embeds the bridge. Throws an Error with a
 * `FOOTBRIDGE_…` code where the folder cannot be used, or others could reach it without being checked.
 */
export async function hostedSocket(
  options: LocalSocketOptions,
  { handshakeFrameBytes, unreadBytes }: TransportLimits,
): Promise<IpcTransport> {
  const { env, index = 'auto' } = options;
  const os = await currentOs();
  const folders = os.prepareFolders(env);
  requirePeerCheck(os, folders);
  return ipcTransport({
    os,
    folders,
    index,
    handshakeFrameBytes,
    unreadBytes,
    descriptorLimit: descriptorLimit(),
    onRefused: (reason) => options.onRefused?.(reason),
  });
}

/** Which pages a loopback port lets in, and where it listens. */
export type LoopbackPortOptions = Pick<
  WebSocketOptions,
  'originAllowed' | 'ports' | 'readyUser' | 'onRefused' | 'onUnavailable'
>;

/** WebSocket and `POST /rpc` on 127.0.0.1, for a program that embeds the bridge. */
export async function hostedPort(
  options: LoopbackPortOptions,
  { frameBytes, unreadBytes }: TransportLimits,
): Promise<Transport> {
  const { uid } = await currentOs();
  return websocketTransport({ ...options, uid, frameBytes, unreadBytes });
}
