import { onTestFinished } from 'vitest';
import { currentOs, type OperatingSystem } from '../../platform/operating-system.ts';
import type { Faults } from '../../src/faults/faults.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { createServer, type Server } from '../../src/server/server.ts';
import { defaultLimits, type Limits } from '../../src/session/limits.ts';
import { type IpcOptions, type IpcTransport, ipcTransport } from '../../src/transport/ipc/ipc.ts';
import { AppPeer } from './app-peer.ts';
import { type FakeCore, type FakeCoreOptions, fakeCore } from './fake-core.ts';
import { type LogLine, recordingLogger } from './memory-bridge.ts';
import { type RawPeer, rawPeer } from './raw-peer.ts';
import { temporaryFolder } from './sockets.ts';

/** The system the tests run on. */
export const os = await currentOs();

/** A server on a real socket in a temporary folder, with a fake core. */
export interface IpcBridge {
  readonly server: Server;
  readonly core: FakeCore;
  readonly log: readonly LogLine[];
  readonly transport: IpcTransport;
  readonly folder: string;
  readonly path: string;
  readonly raw: (options?: Parameters<typeof rawPeer>[1]) => Promise<RawPeer>;
  /** An app that has shaken hands and taken READY. */
  readonly app: () => Promise<AppPeer>;
}

export interface IpcBridgeOptions extends FakeCoreOptions, TransportOptions {
  readonly journal?: Journal;
  readonly faults?: Faults;
}

interface TransportOptions {
  readonly limits?: Partial<Limits>;
  readonly os?: OperatingSystem;
  readonly index?: IpcOptions['index'];
  readonly onRefused?: (reason: string) => void;
  readonly pacing?: boolean;
}

/** Starts it; everything is closed and removed after the test. */
export async function ipcBridge(options: IpcBridgeOptions = {}): Promise<IpcBridge> {
  const folder = temporaryFolder();
  const transport = testTransport(folder, options);
  const core = fakeCore(options);
  const { logger, log } = recordingLogger();
  const server = await createServer({
    transports: [transport],
    core,
    logger,
    limits: options.limits ?? {},
    journal: options.journal,
    faults: options.faults,
  });
  onTestFinished(() => server.close());
  const path = server.endpoints[0]?.path ?? '';
  return {
    server,
    core,
    log,
    transport,
    folder,
    path,
    raw: (how) => rawPeer(path, how),
    async app() {
      const app = new AppPeer(await rawPeer(path));
      await app.handshake();
      return app;
    },
  };
}

/** The IPC transport for a folder, not listening yet. */
export function testTransport(folder: string, options: TransportOptions = {}): IpcTransport {
  const system = options.os ?? os;
  const limits = { ...defaultLimits, ...options.limits };
  return ipcTransport({
    os: system,
    folders: system.prepareFolders({ XDG_RUNTIME_DIR: folder }),
    index: options.index ?? 'auto',
    handshakeFrameBytes: limits.handshakeFrameBytes,
    unreadBytes: limits.unreadBytes,
    ...(options.onRefused ? { onRefused: options.onRefused } : {}),
    ...(options.pacing === undefined ? {} : { pacing: options.pacing }),
  });
}
