import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import {
  type Attachment,
  type AttachOptions,
  attach,
  type Socket,
  type TokenStorage,
} from '../../src/attach/attach.ts';
import { type AttachCoreOptions, attachCore } from '../../src/core/attach/attach-core.ts';
import type { PairedClient } from '../../src/core/attach/pairing.ts';
import type { ClientCore } from '../../src/core/core.ts';
import { createServer, type Server } from '../../src/server/server.ts';
import type { Limits } from '../../src/session/limits.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import { AppPeer, CLIENT_ID } from './app-peer.ts';
import { recordingLogger } from './memory-bridge.ts';

/** A bridge that clients attach to, in the process. */
export interface AttachBridge {
  readonly server: Server;
  readonly log: readonly { readonly level: string; readonly message: string; readonly reason?: string }[];
  readonly app: (clientId?: string) => Promise<AppPeer>;
  readonly run: (operation: string, args?: object) => Promise<never>;
  /** Pairs and attaches a client made with the browser module; resolves once it is attached. */
  readonly client: (name: string, options?: Partial<AttachOptions>) => Promise<TestClient>;
  readonly url: () => string;
  /** `ws://` URL of the presence bridge. */
  readonly bridgeUrl: () => string;
}

/** A client and its token. */
export interface TestClient extends Attachment {
  readonly storage: TokenStorage;
  readonly states: string[];
  /** Cuts the connection as a network does. */
  readonly cut: () => void;
}

export const person = {
  id: '42',
  username: 'attached',
  discriminator: '0',
  global_name: null,
  avatar: null,
  avatar_decoration_data: null,
  bot: false,
  flags: 0,
  premium_type: 0,
};

/** Starts one; it is closed after the test. `wrapped` is the core that apps get. */
export async function attachBridge(
  options: Partial<AttachCoreOptions> = {},
  limits: Partial<Limits> = {},
  wrapped: (core: ClientCore) => ClientCore = (core) => core,
): Promise<AttachBridge> {
  let paired: readonly PairedClient[] = [];
  const core = attachCore({
    store: {
      load: () => paired,
      save: (clients) => {
        paired = clients;
        return { kind: 'saved' };
      },
    },
    attachPort: 0,
    bridgePort: null,
    bridgeSecrets: false,
    origins: [],
    refusedOwner: async () => undefined,
    ...options,
  });
  const transport = memoryTransport();
  const { logger, log } = recordingLogger();
  const server = await createServer({
    transports: [transport],
    core: wrapped(core),
    logger,
    limits: { messagesBurst: 1_000_000, bytesPerSecond: 1_000_000_000, ...limits },
  });
  onTestFinished(() => server.close());
  const run = async (operation: string, args: object = {}): Promise<never> => {
    const found = server.core.admin[operation];
    if (found === undefined) throw new Error(`no operation ${operation}`);
    const checked = found.args().safeParse(args);
    if (!checked.success) throw checked.error;
    return (await found.run(checked.data, { via: 'control' })) as never;
  };
  const row = (label: string): string => {
    return server.core.describe().find(([name]) => name === label)?.[1] ?? '';
  };
  return {
    server,
    log,
    run,
    url: () => row('clients attach to'),
    bridgeUrl: () => row('bridge'),
    async app(clientId = CLIENT_ID) {
      const app = new AppPeer(transport.connect());
      await app.handshake(clientId);
      return app;
    },
    async client(name, more = {}) {
      const { code, url } = (await run('attach.pair', { name })) as { code: string; url: string };
      return testClient({ url, code, ...more });
    },
  };
}

/** Attaches; resolves once it is, or is refused. */
export async function testClient(
  options: Partial<AttachOptions> & { readonly url: string },
): Promise<TestClient> {
  const storage = options.storage ?? mapStorage();
  const states: string[] = [];
  let current: WebSocket | undefined;
  const client = await new Promise<Attachment>((resolve) => {
    const made: Attachment = attach({
      user: person,
      handlers: {},
      connect: (url) => {
        current = new WebSocket(url, { origin: 'https://discord.com' });
        return current as unknown as Socket;
      },
      ...options,
      storage,
      state(state, reason) {
        states.push(state);
        options.state?.(state, reason);
        if (state !== 'away') queueMicrotask(() => resolve(made));
      },
    });
  });
  onTestFinished(() => client.close());
  return { ...client, storage, states, cut: () => current?.terminate() };
}

/** A storage in memory. */
export function mapStorage(): TokenStorage {
  const map = new Map<string, string>();
  return {
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}
