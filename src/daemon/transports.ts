import type { ActivatedSocket } from '../../platform/endpoint/activation.ts';
import type { PathClaimOptions } from '../../platform/endpoint/claim-path.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import { describeProgram } from '../../platform/process/program.ts';
import { tcpOwnerLookup } from '../../platform/tcp/tcp-owner.ts';
import { listenerOn } from '../../platform/tcp/tcp-port.ts';
import { LocalError } from '../base/local-error.ts';
import type { Logger } from '../server/options.ts';
import type { Limits } from '../session/limits.ts';
import type { OriginPolicy } from '../transport/gate.ts';
import { type IpcTransport, ipcTransport } from '../transport/ipc/ipc.ts';
import { postMessageTransport } from '../transport/postmessage/postmessage.ts';
import type { RefusedPage } from '../transport/refused-page.ts';
import type { Transport } from '../transport/transport.ts';
import { maxBehindFront } from '../transport/unread.ts';
import { websocketTransport } from '../transport/websocket/websocket.ts';
import type { Settings } from './config/settings.ts';
import type { BuiltCore } from './core-options.ts';
import { expectsReadyUser } from './origin-list.ts';

function portTaken(port: number): LocalError {
  const { owner } = listenerOn(port);
  const why = owner === undefined ? '' : `: ${describeProgram(owner)} listens there`;
  return new LocalError(
    'FOOTBRIDGE_PORT_TAKEN',
    `Port ${port} of 127.0.0.1 cannot be used for WebSocket${why}. Give another ws_port, or "auto" for the first free one.`,
  );
}

/**
 * Maximum number of web connections. A single origin may use half of them: 64, the limit of a page before origins
 * shared the connections. If every connection receives a whole message at once, they occupy 32 MiB.
 */
const MAX_WEB_APPS = 128;

/** Options of the transports. */
export interface TransportOptions {
  readonly os: OperatingSystem;
  readonly folders: EndpointFolders;
  readonly settings: Pick<Settings, 'index' | 'wsPort' | 'wsReadyUser' | 'nodeIpc' | 'pacing'>;
  readonly limits: Limits;
  readonly force: boolean;
  readonly activated: ActivatedSocket | undefined;
  readonly descriptorLimit: number | undefined;
  /** Maximum number of concurrent connections of a web port that have not sent a request yet. */
  readonly pending: number;
  readonly originAllowed: OriginPolicy;
  readonly onRefusedPage: (page: RefusedPage) => void;
  readonly activities: BuiltCore['activities'];
  readonly logger: Logger;
}

/** The transports of a bridge, and the transport of a socket at any path. */
export interface BuiltTransports {
  readonly ipc: IpcTransport;
  readonly others: readonly Transport[];
  readonly ipcAt: (at: Pick<PathClaimOptions, 'path' | 'madeFolders'>) => IpcTransport;
}

/** Builds the transports that the settings enable; the socket is always one of them. */
export async function buildTransports(options: TransportOptions): Promise<BuiltTransports> {
  const { os, folders, settings, limits, logger } = options;
  const onRefused = (reason: string, page?: RefusedPage): void => {
    logger.warn({ reason }, 'connection refused');
    if (page !== undefined) options.onRefusedPage(page);
  };
  const { frameBytes, handshakeFrameBytes } = limits;
  const unreadBytes = maxBehindFront(limits.unreadBytes);
  const ownerOf = tcpOwnerLookup({ native: os.native });
  const common = {
    os,
    folders,
    index: settings.index,
    descriptorLimit: options.descriptorLimit,
    handshakeFrameBytes,
    unreadBytes,
    pacing: settings.pacing,
    onRefused,
  };
  const ipc = ipcTransport({ ...common, force: options.force, activated: options.activated });
  const others: Transport[] = [];
  if (settings.wsPort !== 'off') {
    const port = settings.wsPort;
    others.push(
      websocketTransport({
        originAllowed: options.originAllowed,
        frameBytes,
        unreadBytes,
        pending: options.pending,
        connections: Math.min(MAX_WEB_APPS, limits.connections),
        uid: os.uid,
        ownerOf,
        readyUser: (clientId, origin) => settings.wsReadyUser || expectsReadyUser(clientId, origin),
        ...(port === 'auto' ? {} : { ports: { first: port, last: port } }),
        onRefused,
        onUnavailable: (reason) => {
          if (port !== 'auto') throw portTaken(port);
          logger.warn({ reason }, 'no WebSocket listener: web pages cannot connect');
        },
      }),
    );
  }
  const { activities } = options;
  if (activities !== undefined) {
    const limited = { handshakeFrameBytes, frameBytes, unreadBytes };
    const frames = postMessageTransport({
      directory: activities,
      ...limited,
      uid: os.uid,
      ownerOf,
      onRefused,
    });
    activities.serveBy(frames);
    others.push(frames);
  }
  if (settings.nodeIpc) {
    const { nodeIpcTransport } = await import('../transport/node-ipc/node-ipc.ts');
    others.push(nodeIpcTransport({ os, folders, handshakeFrameBytes, frameBytes, unreadBytes, onRefused }));
  }
  return { ipc, others, ipcAt: (at) => ipcTransport({ ...common, at }) };
}
