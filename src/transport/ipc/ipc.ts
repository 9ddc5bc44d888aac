import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { drainAcceptQueue } from '../../../platform/endpoint/accept-queue.ts';
import type { ActivatedSocket } from '../../../platform/endpoint/activation.ts';
import { MAX_BACKLOG } from '../../../platform/endpoint/backlog.ts';
import type { PathClaim, SkippedEndpoint } from '../../../platform/endpoint/claim.ts';
import type { PathClaimOptions } from '../../../platform/endpoint/claim-path.ts';
import type { EndpointIndex } from '../../../platform/endpoint/endpoints.ts';
import { unusableFolder } from '../../../platform/files/private-folder.ts';
import { withTightUmask } from '../../../platform/files/umask.ts';
import { AcceptedSocket } from '../../../platform/native/accepted-socket.ts';
import { socketFd } from '../../../platform/native/drain.ts';
import type { EndpointFolders, OperatingSystem } from '../../../platform/operating-system.ts';
import { isLocalError, systemCode } from '../../base/local-error.ts';
import { checkPeer } from '../../loopback/owner.ts';
import type { Connection } from '../../wire/connection.ts';
import type { Transport } from '../transport.ts';
import { IpcConnection, type IpcHost } from './ipc-connection.ts';
import { TurnWatch } from './turn-watch.ts';

/** Number of file descriptors that are reserved for the bridge; a connection that would use one of them is dropped. */
const LAST_DESCRIPTORS = 8;

/**
 * Maximum number of refused connections that linger so that their peers can read CLOSE. Beyond it the oldest is dropped:
 * each holds a descriptor and is read, and there is no other limit for them.
 */
const MAX_REFUSED = 256;

/** Options of the IPC transport. */
export interface IpcOptions {
  readonly os: OperatingSystem;
  readonly folders: EndpointFolders;
  readonly index: 'auto' | EndpointIndex;
  /** Path of a socket to serve in place of an index. */
  readonly at?: Pick<PathClaimOptions, 'path' | 'madeFolders'> | undefined;
  readonly handshakeFrameBytes: number;
  readonly unreadBytes: number;
  /**
   * With false, frames are sent without waiting until the peer has read the previous ones. Use it for peers that handle
   * several frames in one read.
   */
  readonly pacing?: boolean;
  /** Whether to take the endpoint from a live owner of the same user. */
  readonly force?: boolean;
  /**
   * Socket on which the service manager listens. It is served in place of a socket of the bridge, and is not closed at
   * the end.
   */
  readonly activated?: ActivatedSocket | undefined;
  /** Maximum number of file descriptors of this process, when known. */
  readonly descriptorLimit?: number | undefined;
  /** Called when a peer is refused before a byte was read or sent. */
  onRefused?(reason: string): void;
}

/** The IPC transport, with the data of a status display. */
export interface IpcTransport extends Transport {
  /** Indexes that other processes use; known when the transport listens. */
  skipped(): readonly SkippedEndpoint[];
  /** Whether the path still references our socket. */
  owned(): boolean;
  /** Whether the path no longer exists. */
  deleted(): boolean;
  /**
   * Listens again at a path that was deleted; connected peers stay connected. Rejects with the error that prevented it.
   */
  restore(): Promise<void>;
  /** How many connections were dropped because descriptors ran out. */
  starved(): number;
}

/** Serves `discord-ipc-N` in `folder`, or the named pipe on Windows. */
export function ipcTransport(options: IpcOptions): IpcTransport {
  const { os } = options;
  let server: Server | undefined;
  const connections = new Set<IpcConnection>();
  const refused = new Set<IpcConnection>();
  const host: IpcHost = {
    os,
    handshakeFrameBytes: options.handshakeFrameBytes,
    unreadBytes: options.unreadBytes,
    pacing: options.pacing === false ? undefined : new TurnWatch(),
    refused(connection) {
      refused.add(connection);
      const [oldest] = refused;
      if (refused.size <= MAX_REFUSED || oldest === undefined) return;
      refused.delete(oldest);
      // Its CLOSE is in the kernel already, because nothing was sent before it.
      oldest.destroy();
    },
    ended(connection) {
      connections.delete(connection);
      refused.delete(connection);
    },
  };
  let claim: PathClaim | undefined;
  let skipped: readonly SkippedEndpoint[] = [];
  let deliver: (connection: Connection) => void = () => {};
  let accepting = true;
  let starved = 0;

  const onSocket = (socket: Socket | AcceptedSocket): void => {
    if (takesLastDescriptors(socket, options.descriptorLimit)) {
      starved += 1;
      drop(socket);
      options.onRefused?.('no descriptors are left');
      return;
    }
    const peer = checkPeer(os, socket);
    if (peer.kind === 'refused' || !accepting) {
      drop(socket);
      if (peer.kind === 'refused') options.onRefused?.(peer.reason);
      return;
    }
    const connection = new IpcConnection(socket, host, peer.kind === 'known' ? peer.credentials : undefined);
    connections.add(connection);
    deliver(connection);
  };

  /**
   * Starts a server that replaces the previous one. The previous server's socket has lost its name, so no new peer can
   * reach it.
   */
  const serve = async (where: { readonly path: string } | { readonly fd: number }): Promise<void> => {
    const fresh = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    try {
      await bind(fresh, where);
      claim?.publish();
    } catch (error) {
      fresh.close();
      throw error;
    }
    fresh.on('connection', (socket) => onSocket(socket));
    drainAcceptQueue(fresh, os.native, { take: onSocket });
    // After the start, an error such as EMFILE affects only one connection; the next accept works again.
    fresh.on('error', (error) => options.onRefused?.(systemCode(error) ?? error.message));
    const before = server;
    server = fresh;
    // The old server closes later, because connections in its queue are accepted in the next turn.
    setImmediate(() => setImmediate(() => before?.close()));
  };

  return {
    async listen(onConnection) {
      const { activated, index, force = false } = options;
      deliver = onConnection;
      try {
        if (options.at === undefined) {
          const endpoint = await os.claim(options.folders, { index, force, adopt: activated?.path });
          claim = endpoint;
          skipped = endpoint.skipped;
        } else claim = await os.claimPath(options.folders, options.at);
        await serve(activated === undefined ? { path: claim.bindPath } : { fd: activated.fd });
      } catch (error) {
        claim?.release();
        // A pipe has no folder, so an unusable folder cannot be the cause on Windows.
        if (isLocalError(error) || os.name === 'win32') throw error;
        if (options.at) throw unusableFolder(dirname(options.at.path), error, 'chosen');
        throw unusableFolder(options.folders.folder, error);
      }
      return [{ kind: 'ipc', path: claim.path }];
    },
    async restore() {
      if (claim === undefined || !accepting || !(await claim.renew())) return;
      // The service manager's socket still listens; only its second name has to be restored.
      if (options.activated !== undefined) return claim.publish();
      if (accepting) await serve({ path: claim.bindPath });
      // The transport was stopped in the meantime, so the name that was just published is released.
      if (!accepting) this.stopAccepting();
    },
    stopAccepting() {
      accepting = false;
      claim?.release();
      server?.close();
    },
    async close() {
      this.stopAccepting();
      await Promise.all([...connections].map((connection) => connection.leave()));
    },
    skipped: () => skipped,
    owned: () => claim?.owned() ?? false,
    deleted: () => claim?.deleted() ?? false,
    starved: () => starved,
  };
}

/**
 * Whether a socket uses one of the last file descriptors. The system assigns the lowest free number, so a high number
 * means that the table is nearly full. When it is full, libuv drops connections without an event, and no file can be
 * opened.
 */
function takesLastDescriptors(socket: Socket | AcceptedSocket, limit: number | undefined): boolean {
  const fd = socketFd(socket);
  return limit !== undefined && fd !== undefined && fd >= limit - LAST_DESCRIPTORS;
}

function drop(socket: Socket | AcceptedSocket): void {
  if (socket instanceof AcceptedSocket) return socket.close();
  socket.on('error', () => {});
  socket.destroy();
}

async function bind(
  server: Server,
  where: { readonly path: string } | { readonly fd: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const listen = (): Server =>
      server.listen({ ...where, backlog: MAX_BACKLOG }, () => {
        server.off('error', reject);
        resolve();
      });
    // The service manager has already set the mode of its socket.
    if ('fd' in where) listen();
    else withTightUmask(listen, where.path);
  });
}
