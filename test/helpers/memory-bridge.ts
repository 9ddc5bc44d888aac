import { onTestFinished } from 'vitest';
import type { LogFields } from '../../src/core/core.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { Logger } from '../../src/server/options.ts';
import { createServer, type Server } from '../../src/server/server.ts';
import type { Limits } from '../../src/session/limits.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import { AppPeer, CLIENT_ID } from './app-peer.ts';
import { type FakeCore, type FakeCoreOptions, fakeCore } from './fake-core.ts';

/** One line of the log. */
export interface LogLine extends LogFields {
  readonly level: string;
  readonly message: string;
}

/** A server on a memory transport with a fake core. */
export interface MemoryBridge {
  readonly server: Server;
  readonly core: FakeCore;
  readonly log: readonly LogLine[];
  /** A connection that has said nothing yet; of that process, if one is named. */
  readonly connect: (pid?: number) => AppPeer;
  /** An app that has shaken hands and taken READY. */
  readonly app: (clientId?: string, pid?: number) => Promise<AppPeer>;
}

/** Starts a bridge inside the process; it is closed after the test. */
export async function memoryBridge(
  options: FakeCoreOptions & { readonly limits?: Partial<Limits>; readonly journal?: Journal } = {},
): Promise<MemoryBridge> {
  const core = fakeCore(options);
  const transport = memoryTransport();
  let connecting: number | undefined;
  const { logger, log } = recordingLogger();
  const server = await createServer({
    transports: [
      {
        ...transport,
        listen: (onConnection) =>
          transport.listen((connection) =>
            onConnection(
              connecting === undefined ? connection : { ...connection, peer: { pid: connecting, uid: 1000 } },
            ),
          ),
      },
    ],
    core,
    logger,
    ...(options.journal ? { journal: options.journal } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
  });
  onTestFinished(() => server.close());
  const connect = (pid?: number) => {
    connecting = pid;
    return new AppPeer(transport.connect());
  };
  return {
    server,
    core,
    log,
    connect,
    async app(clientId = CLIENT_ID, pid?: number) {
      const app = connect(pid);
      await app.handshake(clientId);
      return app;
    },
  };
}

/** A logger that keeps its lines. */
export function recordingLogger(): { logger: Logger; log: LogLine[] } {
  const log: LogLine[] = [];
  const write = (level: string) => (fields: LogFields, message: string) => {
    log.push({ level, message, ...fields });
  };
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return { logger, log };
}
