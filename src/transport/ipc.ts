import { createServer, type Server, type Socket } from 'node:net';
import type { ActivatedSocket } from '../../platform/activation.ts';
import type { Claim, SkippedEndpoint } from '../../platform/claim.ts';
import { socketFd } from '../../platform/drain.ts';
import type { EndpointIndex } from '../../platform/endpoints.ts';
import { systemCode } from '../../platform/local-error.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import { withTightUmask } from '../../platform/umask.ts';
import type { Connection } from '../wire/connection.ts';
import { checkPeer } from './check-peer.ts';
import { IpcConnection, type IpcHost } from './ipc-connection.ts';
import type { Transport } from './transport.ts';

/** The official C++ client connects without waiting: a short queue would turn it away. */
const BACKLOG = 511;
/** Descriptors left for ourselves; an app that would take one of them is dropped. */
const LAST_DESCRIPTORS = 8;

/** What the IPC transport needs to know. */
export interface IpcOptions {
  readonly os: OperatingSystem;
  readonly folders: EndpointFolders;
  readonly index: 'auto' | EndpointIndex;
  readonly handshakeFrameBytes: number;
  readonly unreadBytes: number;
  /** Take the endpoint from a live owner of the same user. */
  readonly force?: boolean;
  /** A socket that the service manager listens on: served in place of one of our own, and left there at the end. */
  readonly activated?: ActivatedSocket | undefined;
  /** How many descriptors this process may have open, where known. */
  readonly descriptorLimit?: number | undefined;
  /** A peer was turned away before a byte was read from it or sent to it. */
  onRefused?(reason: string): void;
}

/** The IPC transport, with what a status display wants to know. */
export interface IpcTransport extends Transport {
  /** Indexes that others hold; known once it listens. */
  skipped(): readonly SkippedEndpoint[];
  /** Whether the path still leads to our socket. */
  owned(): boolean;
  /** How many connections were dropped because descriptors ran out. */
  starved(): number;
}

/** Serves `discord-ipc-N` in `folder`, or the named pipe on Windows. */
export function ipcTransport(options: IpcOptions): IpcTransport {
  const { os } = options;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  const connections = new Set<IpcConnection>();
  const host: IpcHost = {
    os,
    handshakeFrameBytes: options.handshakeFrameBytes,
    unreadBytes: options.unreadBytes,
    ended: (connection) => connections.delete(connection),
  };
  let claim: Claim | undefined;
  let accepting = true;
  let starved = 0;

  const onSocket = (socket: Socket, onConnection: (connection: Connection) => void): void => {
    if (takesLastDescriptors(socket, options.descriptorLimit)) {
      starved += 1;
      socket.on('error', () => {});
      socket.destroy();
      options.onRefused?.('no descriptors are left');
      return;
    }
    const peer = checkPeer(os, socket);
    if (peer.kind === 'refused' || !accepting) {
      socket.on('error', () => {});
      socket.destroy();
      if (peer.kind === 'refused') options.onRefused?.(peer.reason);
      return;
    }
    const connection = new IpcConnection(socket, host, peer.kind === 'known' ? peer.credentials : undefined);
    connections.add(connection);
    onConnection(connection);
  };

  return {
    async listen(onConnection) {
      const { activated, index, force = false } = options;
      claim = await os.claim(options.folders, { index, force, adopt: activated?.path });
      try {
        await bind(server, activated === undefined ? { path: claim.bindPath } : { fd: activated.fd });
        claim.publish();
      } catch (error) {
        claim.release();
        server.close();
        throw error;
      }
      server.on('connection', (socket) => onSocket(socket, onConnection));
      // After listening, errors concern single connections (EMFILE): the next accept works again.
      server.on('error', (error) => options.onRefused?.(systemCode(error) ?? error.message));
      return [{ kind: 'ipc', path: claim.path }];
    },
    stopAccepting() {
      accepting = false;
      claim?.release();
      server.close();
    },
    async close() {
      this.stopAccepting();
      await Promise.all([...connections].map((connection) => connection.leave()));
    },
    skipped: () => claim?.skipped ?? [],
    owned: () => claim?.owned() ?? false,
    starved: () => starved,
  };
}

/**
 * The system hands out the lowest free number, so a high one tells that the table is nearly full. Once it is full,
 * libuv drops connections without telling anybody, and no file can be opened.
 */
function takesLastDescriptors(socket: Socket, limit: number | undefined): boolean {
  const fd = socketFd(socket);
  return limit !== undefined && fd !== undefined && fd >= limit - LAST_DESCRIPTORS;
}

async function bind(
  server: Server,
  where: { readonly path: string } | { readonly fd: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    withTightUmask(() =>
      server.listen({ ...where, backlog: BACKLOG }, () => {
        server.off('error', reject);
        resolve();
      }),
    );
  });
}
