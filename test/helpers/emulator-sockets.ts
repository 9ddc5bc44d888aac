import { onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { emulatorCore } from '../../src/core/emulator/emulator-core.ts';
import { ANY_APP, createOriginList } from '../../src/daemon/origin-list.ts';
import { anybodyMayAnswer } from '../../src/emulator/api/waiting-request.ts';
import { createEmulator } from '../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import {
  AUTHENTICATED_SCOPE,
  LOCAL_SCOPE,
  PRIVATE_LIMITED_SCOPE,
  PRIVATE_SCOPE,
  type Scope,
} from '../../src/protocol/scope.ts';
import { createServer, type Server } from '../../src/server/server.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { websocketTransport } from '../../src/transport/websocket/websocket.ts';
import { AppPeer } from './app-peer.ts';
import { allScopes, authenticate, runOperation } from './emulator-bridge.ts';
import { ids } from './emulator-world.ts';
import { testTransport } from './ipc-bridge.ts';
import { type LogLine, recordingLogger } from './memory-bridge.ts';
import { rawPeer } from './raw-peer.ts';
import { temporaryFolder, uid } from './sockets.ts';
import { webSocketLink } from './web-bridge.ts';

/** An app that is in, and the scopes it holds. */
export interface HeldApp {
  readonly app: AppPeer;
  readonly held: ReadonlySet<Scope>;
}

/** Who an app can be: unknown, with every scope a token can carry, or the chat client's own web site with them. */
export type Standing = 'anonymous' | 'authenticated' | 'own-site';

/** The emulator behind real sockets: IPC in a private folder and WebSocket on a free port of 127.0.0.1. */
export interface EmulatorSockets {
  readonly server: Server;
  readonly log: readonly LogLine[];
  readonly app: (standing: Standing) => Promise<HeldApp>;
  /** Runs an operation as the command line does. */
  readonly run: (operation: string, args?: unknown) => Promise<unknown>;
}

const OWN_SITE = 'https://discord.com';

/** Starts it; everything is closed and removed after the test. Authorizations are allowed, then `consent` rules. */
export async function emulatorSockets(consent: 'ask' | 'allow' = 'allow'): Promise<EmulatorSockets> {
  const emulator = await createEmulator({ fixture: defaultFixture(), consent: { policy: 'allow' } });
  const { logger, log } = recordingLogger();
  const web = websocketTransport({
    ports: { first: 0, last: 0 },
    originAllowed: createOriginList([{ clientId: ANY_APP, origin: OWN_SITE }]).allows,
    frameBytes: defaultLimits.frameBytes,
    unreadBytes: defaultLimits.unreadBytes,
    uid,
  });
  const server = await createServer({
    transports: [testTransport(temporaryFolder()), web],
    core: emulatorCore({ emulator, mayAnswer: anybodyMayAnswer, httpPort: 0 }),
    logger,
    // A whole walk goes out at once; the rate has tests of its own.
    limits: { messagesBurst: 5000 },
  });
  onTestFinished(() => server.close());
  const endpoint = (kind: string) => server.endpoints.find((one) => one.kind === kind)?.path ?? '';
  const granted = [...allScopes, AUTHENTICATED_SCOPE];

  const local = async (): Promise<AppPeer> => {
    const app = new AppPeer(await rawPeer(endpoint('ipc')));
    await app.handshake(ids.harbourExample);
    return app;
  };
  const page = async (): Promise<AppPeer> => {
    const url = `${endpoint('websocket')}/?v=1&client_id=${ids.harbourExample}&encoding=json`;
    const app = new AppPeer(webSocketLink(new WebSocket(url, { headers: { origin: OWN_SITE } })));
    const ready = await app.answer();
    if (ready.evt !== 'READY') throw new Error(`expected READY, got ${JSON.stringify(ready)}`);
    return app;
  };
  const enter = async (standing: Standing): Promise<HeldApp> => {
    if (standing === 'anonymous') return { app: await local(), held: new Set([LOCAL_SCOPE]) };
    const own = standing === 'own-site';
    const app = own ? await page() : await local();
    await authenticate(app, emulator, ids.harbourExample, allScopes);
    const bare = own ? [PRIVATE_SCOPE, PRIVATE_LIMITED_SCOPE] : [LOCAL_SCOPE];
    return { app, held: new Set([...bare, ...granted]) };
  };
  return {
    server,
    log,
    async app(standing) {
      emulator.oauth2.setPolicy('allow');
      const entered = await enter(standing);
      emulator.oauth2.setPolicy(consent);
      return entered;
    },
    run: (operation, args) => runOperation(server, operation, args),
  };
}
