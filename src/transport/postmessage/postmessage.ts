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
  /** Largest message in bytes. */
  readonly frameBytes: number;
  /** Bytes a peer may leave unread before it is dropped. */
  readonly unreadBytes: number;
  /** Our user id; undefined on Windows. */
  readonly uid: number | undefined;
  /** Names the owner of a peer; default: by native calls that are loaded for the first one. */
  readonly ownerOf?: TcpOwnerLookup;
  /** A peer was turned away, `page` if it is a web page. */
  onRefused?(reason: string, page?: RefusedPage): void;
}

/** Apps in the frame of an activity, which speak by `postMessage` to a page of ours around it. */
export interface PostMessageTransport extends Transport {
  /** Serves host pages from now on. Resolves to the port on 127.0.0.1; rejects with the system's error. */
  open(): Promise<number>;
}

/** Serves nothing before the first activity is launched, and loads nothing for it. */
export function postMessageTransport(options: PostMessageOptions): PostMessageTransport {
  let accept: ((connection: Connection, welcome?: Welcome) => void) | undefined;
  let opening: Promise<HostServer> | undefined;
  const start = async (): Promise<HostServer> => {
    const { startHostServer } = await import('./host-server.ts');
    return startHostServer({
      ...options,
      refusedOwner: ownerCheck(options.uid, options.ownerOf),
      onRefused: (reason, page) => options.onRefused?.(reason, page),
      // READY contains the user over IPC alone, and the SDK reads no user without an avatar.
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
