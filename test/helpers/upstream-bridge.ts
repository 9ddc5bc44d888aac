import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ClientCore } from '../../src/core/core.ts';
import { upstreamCore } from '../../src/core/upstream/upstream-core.ts';
import { createServer, type Server } from '../../src/server/server.ts';
import type { Limits } from '../../src/session/limits.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import { AppPeer, CLIENT_ID, type PeerLink } from './app-peer.ts';
import { recordingLogger } from './memory-bridge.ts';
import { type Script, ScriptedClient } from './scripted-client.ts';
import { temporaryFolder } from './sockets.ts';

/** A bridge whose upstream is scripted. */
export interface UpstreamBridge {
  readonly server: Server;
  readonly client: ScriptedClient;
  readonly log: readonly unknown[];
  readonly connect: () => AppPeer;
  /** A connection whose bodies nobody has parsed. */
  readonly raw: () => PeerLink;
  readonly app: (clientId?: string) => Promise<AppPeer>;
}

/** What a test wants to be different. */
export interface UpstreamBridgeOptions {
  readonly script?: Script;
  readonly fallback?: ClientCore;
  readonly patienceMs?: number;
  readonly restoreMs?: number;
  readonly limits?: Partial<Limits>;
  /** The client is not started. */
  readonly absent?: boolean;
}

/** Starts one on a memory transport; everything ends with the test. */
export async function upstreamBridge(options: UpstreamBridgeOptions = {}): Promise<UpstreamBridge> {
  const path = join(temporaryFolder(), 'client');
  const client = new ScriptedClient(path, options.script);
  if (!options.absent) await client.start();
  const { fallback, patienceMs, restoreMs, limits } = options;
  const core = upstreamCore({
    connect: () =>
      new Promise((resolve, reject) => {
        const stream = connect(path, () => resolve({ path, stream }));
        stream.on('error', reject);
      }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(patienceMs === undefined ? {} : { openTimeoutMs: patienceMs }),
    ...(restoreMs === undefined ? {} : { restoreMs }),
  });
  const transport = memoryTransport();
  const { logger, log } = recordingLogger();
  const server = await createServer({
    transports: [transport],
    core,
    logger,
    ...(limits === undefined ? {} : { limits }),
  });
  onTestFinished(() => server.close());
  const connectApp = () => new AppPeer(transport.connect());
  return {
    server,
    client,
    log,
    connect: connectApp,
    raw: () => transport.connect(),
    async app(clientId = CLIENT_ID) {
      const app = connectApp();
      await app.handshake(clientId);
      return app;
    },
  };
}
