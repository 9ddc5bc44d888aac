import { currentOs } from '../../platform/operating-system.ts';
import { descriptorLimit } from '../../platform/process/descriptor-limit.ts';
import { requirePeerCheck } from '../loopback/owner.ts';
import type { LocalSocket, LocalSocketOptions, LoopbackPortOptions } from './hosting.ts';
import { ipcTransport } from './ipc/ipc.ts';
import type { Transport } from './transport.ts';
import { maxBehindFront } from './unread.ts';
import { websocketTransport } from './websocket/websocket.ts';

/** Limits that a transport enforces itself; they are part of the server's limits. */
export interface TransportLimits {
  readonly handshakeFrameBytes: number;
  readonly frameBytes: number;
  readonly unreadBytes: number;
}

/**
 * Returns the socket or pipe `discord-ipc-N` of this system, for a program that embeds the bridge. Throws an Error with
 * a `FOOTBRIDGE_…` code when the folder cannot be used, or when other users could connect without a check.
 */
export async function hostedSocket(
  options: LocalSocketOptions,
  { handshakeFrameBytes, unreadBytes }: TransportLimits,
): Promise<LocalSocket> {
  const { env, index = 'auto' } = options;
  const os = await currentOs();
  const folders = os.prepareFolders(env);
  requirePeerCheck(os, folders);
  return ipcTransport({
    os,
    folders,
    index,
    handshakeFrameBytes,
    unreadBytes: maxBehindFront(unreadBytes),
    descriptorLimit: descriptorLimit(),
    onRefused: (reason) => options.onRefused?.(reason),
  });
}

/** WebSocket and `POST /rpc` on 127.0.0.1, for a program that embeds the bridge. */
export async function hostedPort(
  options: LoopbackPortOptions,
  { frameBytes, unreadBytes }: TransportLimits,
): Promise<Transport> {
  const { uid } = await currentOs();
  const { ports, readyUser = false } = options;
  return websocketTransport({
    originAllowed: (clientId, origin) => options.originAllowed(clientId, origin),
    uid,
    frameBytes,
    unreadBytes: maxBehindFront(unreadBytes),
    ...(ports === undefined ? {} : { ports }),
    readyUser: () => readyUser,
    onRefused: (reason) => options.onRefused?.(reason),
    onUnavailable: (reason) => options.onUnavailable?.(reason),
  });
}
