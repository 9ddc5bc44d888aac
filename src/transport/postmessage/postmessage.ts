import type { TcpOwnerLookup } from '../../../platform/tcp/tcp-owner.ts';
import { ownerCheck } from '../../loopback/owner.ts';
import type { Connection } from '../../wire/connection.ts';
import type { RefusedPage } from '../refused-page.ts';
import type { Transport, Welcome } from '../transport.ts';
import type { ActivityDirectory } from './directory.ts';
import type { HostServer } from './host-server.ts';

/** Options of the transport of embedded apps. */
export interface PostMessageOptions {
  readonly directory: ActivityDirectory;
  readonly handshakeFrameBytes: number;
  /** Maximum size of a message in bytes. */
  readonly frameBytes: number;
  /** Maximum number of bytes that a peer may leave unread before it is dropped. */
  readonly unreadBytes: number;
  /** User id of this process; undefined on Windows. */
  readonly uid: number | undefined;
  /** Looks up the owner of a peer. The default uses native calls, which are loaded for the first peer. */
  readonly ownerOf?: TcpOwnerLookup;
  /** Called when a peer is refused; `page` is present when the peer is a web page. */
  onRefused?(reason: string, page?: RefusedPage): void;
}

/**
 * Transport for apps in the frame of an activity. They communicate by `postMessage` with our host page around the
 * frame.
 */
export interface PostMessageTransport extends Transport {
  /** Starts to serve host pages. Resolves with the port on 127.0.0.1; rejects with the operating system's error. */
  open(): Promise<number>;
}

/** Returns the transport. Until the first activity is launched it neither listens nor loads code for host pages. */
export function postMessageTransport(options: PostMessageOptions): PostMessageTransport {
  let accept: ((connection: Connection, welcome?: Welcome) => void) | undefined;
  let opening: Promise<HostServer> | undefined;
  const start = async (): Promise<HostServer> => {
    const { startHostServer } = await import('./host-server.ts');
    return startHostServer({
      ...options,
      refusedOwner: ownerCheck(options.uid, options.ownerOf),
      onRefused: (reason, page) => options.onRefused?.(reason, page),
      // READY contains the user only over IPC, and the SDK cannot parse a user without an avatar.
      onConnection: (connection) => {
        if (accept === undefined) connection.destroy();
        else accept(connection, { readyUser: false });
      },
    });
  };
  const opened = async (): Promise<HostServer | undefined> => opening?.catch(() => undefined);
  return {
    async open() {
      if (accept === undefined) throw new Error('The bridge accepts nobody any more');
      opening ??= start();
      try {
        return (await opening).port;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    async listen(onConnection) {
      accept = onConnection;
      return [];
    },
    stopAccepting() {
      accept = undefined;
      void opened().then((server) => server?.stopAccepting());
    },
    async close() {
      accept = undefined;
      (await opened())?.close();
    },
  };
}
