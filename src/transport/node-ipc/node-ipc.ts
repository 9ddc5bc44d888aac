import { Socket } from 'node:net';
import { join } from 'node:path';
import { checkPathLength } from '../../../platform/endpoint/endpoints.ts';
import { decideOn } from '../../../platform/endpoint/obstacle.ts';
import { probeEndpoint } from '../../../platform/endpoint/probe.ts';
import { PublishedSocket } from '../../../platform/endpoint/published-socket.ts';
import { removeDeadTemporaries } from '../../../platform/endpoint/temporaries.ts';
import { temporaryPath } from '../../../platform/files/inode.ts';
import { withTightUmask } from '../../../platform/files/umask.ts';
import { acquireLock } from '../../../platform/native/lock.ts';
import type { EndpointFolders, OperatingSystem } from '../../../platform/operating-system.ts';
import { LocalError } from '../../base/local-error.ts';
import { checkPeer } from '../../loopback/owner.ts';
import type { Connection } from '../../wire/connection.ts';
import { hangUp } from '../ipc/hang-up.ts';
import type { Transport } from '../transport.ts';
import { NodeIpcConnection } from './node-ipc-connection.ts';
import { loadNodeIpc, type NodeIpc, type NodeIpcServer } from './node-ipc-package.ts';

/** Names of the socket and of its lock in our private folder. */
const SOCKET_NAME = 'node-ipc.sock';
const LOCK_NAME = 'node-ipc.lock';

/** Size of `{"type":"handshake","data":…}` around a body, rounded up (bytes). */
const ENVELOPE_BYTES = 64;
/** Time limit for a message that is incomplete (ms). */
const MESSAGE_TIMEOUT_MS = 10_000;
const CONNECTIONS = 100;

/** Events that the package emits about itself; with the guarded parser a peer cannot send them. */
const LIFECYCLE: ReadonlySet<string> = new Set([
  'start',
  'connect',
  'disconnect',
  'destroy',
  'close',
  'socket.disconnected',
  'error',
  'data',
]);

/** Options of the node-ipc transport. */
export interface NodeIpcOptions {
  readonly os: OperatingSystem;
  readonly folders: EndpointFolders;
  readonly handshakeFrameBytes: number;
  readonly frameBytes: number;
  readonly unreadBytes: number;
  /** URL of a file; the search for the package starts one folder above the file's folder. Default: our own package. */
  readonly from?: string;
  onRefused?(reason: string): void;
}

/**
 * Transport for apps that use the package node-ipc: it speaks the package's framed events on a socket in our private
 * folder. The package's server never gets the final path: the transport claims it, binds a temporary name and publishes
 * the socket, as for any other endpoint. `listen` throws `LocalError` FOOTBRIDGE_NODE_IPC (package or system) or
 * FOOTBRIDGE_ENDPOINT_TAKEN.
 */
export function nodeIpcTransport(options: NodeIpcOptions): Transport {
  const connections = new Map<Socket, NodeIpcConnection>();
  let published: PublishedSocket | undefined;
  let server: NodeIpcServer | undefined;
  let accept: ((connection: Connection) => void) | undefined;

  const onConnect = (socket: Socket, from: NodeIpcServer): void => {
    const peer = checkPeer(options.os, socket);
    if (peer.kind === 'refused' || accept === undefined) {
      socket.destroy();
      if (peer.kind === 'refused') options.onRefused?.(peer.reason);
      return;
    }
    const connection = new NodeIpcConnection(socket, {
      handshakeFrameBytes: options.handshakeFrameBytes,
      unreadBytes: options.unreadBytes,
      emit: (type, data) => void from.emit(socket, type, data),
      ...(peer.kind === 'known' ? { peer: peer.credentials } : {}),
    });
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    accept(connection);
  };

  const onEvent = (type: unknown, first: unknown, second: unknown, from: NodeIpcServer): void => {
    if (type === 'connect' && first instanceof Socket) onConnect(first, from);
    if (typeof type !== 'string' || LIFECYCLE.has(type) || !(second instanceof Socket)) return;
    connections.get(second)?.receive(type, first);
  };

  return {
    async listen(onConnection) {
      const folder = privateFolderOf(options);
      const ipc = await loadNodeIpc(options.from);
      published = await claim(folder, options);
      try {
        server = configure(ipc, folder, published.bindPath, options);
        const started = server;
        started.on('*', (type, first, second) => onEvent(type, first, second, started));
        await start(started);
        published.publish();
      } catch (error) {
        server?.stop();
        published.release();
        throw error;
      }
      accept = onConnection;
      return [{ kind: 'node-ipc', path: published.path }];
    },
    stopAccepting() {
      accept = undefined;
      published?.release();
      if (server?.server) server.server.close();
    },
    async close() {
      this.stopAccepting();
      await hangUp(connections.keys());
      server?.stop();
    },
  };
}

function privateFolderOf({ folders, os }: NodeIpcOptions): string {
  if (folders.privateFolder !== undefined) return folders.privateFolder;
  throw new LocalError(
    'FOOTBRIDGE_NODE_IPC',
    `The node-ipc door needs a folder that only its owner can reach, which ${os.name} has no equal of. ` +
      'Use the named pipe of the default transport instead.',
  );
}

/**
 * Claims the socket's path under a lock, which is held for the lifetime of the endpoint. Never replaces a socket that
 * another process may serve.
 */
async function claim(folder: string, { os }: NodeIpcOptions): Promise<PublishedSocket> {
  const path = join(folder, SOCKET_NAME);
  const bindPath = temporaryPath(folder);
  for (const each of [path, bindPath]) checkPathLength(os.name, each);
  const lock = await acquireLock(join(folder, LOCK_NAME), os.native);
  if (lock.kind === 'held') {
    const who = lock.heldBy === undefined ? '' : ` (pid ${lock.heldBy})`;
    throw taken(path, `another footbridge${who} serves it`);
  }
  try {
    return new PublishedSocket(path, bindPath, await targetAt(path, folder, os), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function targetAt(
  path: string,
  folder: string,
  os: OperatingSystem,
): Promise<ConstructorParameters<typeof PublishedSocket>[2]> {
  if (os.uid !== undefined) await removeDeadTemporaries(folder, os.uid);
  const judgement = decideOn(await probeEndpoint(path, { native: os.native }), os.uid, false);
  if (judgement.kind === 'blocked') throw taken(path, judgement.why);
  return judgement.kind === 'stale' ? { kind: 'stale', identity: judgement.probe.identity } : judgement;
}

function taken(path: string, why: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_ENDPOINT_TAKEN',
    `${path} is taken: ${why}. Stop or move what is there, or leave the node-ipc door off.`,
  );
}

function configure(ipc: NodeIpc, folder: string, path: string, options: NodeIpcOptions): NodeIpcServer {
  Object.assign(ipc.config, {
    // The package's logger would write payloads to standard output.
    silent: true,
    logPayloads: false,
    // With the package's default parser, a message `{}` ends the process.
    parser: 'guarded',
    rawBuffer: false,
    allowReservedEvents: false,
    // With `unlink`, the package would replace a live server's socket.
    unlink: false,
    socketRoot: `${folder}/`,
    secureSocketRoot: true,
    readableAll: false,
    writableAll: false,
    maxMessageSize: options.frameBytes + ENVELOPE_BYTES,
    maxPendingBytes: options.unreadBytes,
    messageTimeout: MESSAGE_TIMEOUT_MS,
    maxConnections: CONNECTIONS,
  });
  ipc.serve(path);
  if (ipc.server === false) throw new LocalError('FOOTBRIDGE_NODE_IPC', 'node-ipc made no server.');
  return ipc.server;
}

async function start(server: NodeIpcServer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.on('start', () => resolve());
    // Later the server emits this event for errors of single connections, too; the promise is then settled and ignores
    // them.
    server.on('error', reject);
    withTightUmask(() => server.start());
  });
}
