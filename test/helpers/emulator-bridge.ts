import { onTestFinished } from 'vitest';
import { emulatorCore } from '../../src/core/emulator/emulator-core.ts';
import { anybodyMayAnswer } from '../../src/emulator/api/waiting-request.ts';
import { createEmulator } from '../../src/emulator/compose/create-emulator.ts';
import type { Emulator } from '../../src/emulator/compose/emulator.ts';
import type { EmulatorOptions } from '../../src/emulator/compose/emulator-options.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { createServer, type Server } from '../../src/server/server.ts';
import type { Limits } from '../../src/session/limits.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import type { Transport } from '../../src/transport/transport.ts';
import type { Connection } from '../../src/wire/connection.ts';
import { type Answer, AppPeer, asAnswer } from './app-peer.ts';
import { checkedCore } from './checked-core.ts';
import { ids } from './emulator-world.ts';
import { ManualClock } from './manual-clock.ts';
import { patch } from './patched.ts';

/** Every scope that some command or event asks for, besides those a connection has by itself. */
export const allScopes = [
  'rpc',
  'identify',
  'guilds',
  'guilds.members.read',
  'guilds.channels.read',
  'messages.read',
  'relationships.read',
  'rpc.activities.write',
  'rpc.notifications.read',
  'rpc.screenshare.read',
  'rpc.screenshare.write',
  'rpc.video.read',
  'rpc.video.write',
  'rpc.voice.read',
  'rpc.voice.write',
] as const;

/** How an app comes in. */
export interface AppOptions {
  readonly clientId?: string;
  /** Granted by AUTHORIZE and taken up by AUTHENTICATE, with `identify`; none leaves the app anonymous. */
  readonly scopes?: readonly string[];
  /** `web`: a page with an allowed origin, which holds nothing by itself. Default `ipc`. */
  readonly via?: 'ipc' | 'web';
}

/** A server inside the process, with the emulator behind it on a clock that stands still. */
export interface EmulatorBridge {
  readonly server: Server;
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  /** A connection that has said nothing yet. */
  readonly connect: (via?: 'ipc' | 'web') => AppPeer;
  /** An app that has shaken hands, and authenticated when it asks for scopes. */
  readonly app: (options?: AppOptions) => Promise<AppPeer>;
  /** Runs an operation as the command line does: checks its arguments first. */
  readonly run: (operation: string, args?: unknown) => Promise<unknown>;
}

/** Starts one; it is closed after the test. `change` patches the built-in fixture first. */
export async function emulatorBridge(
  change: unknown = {},
  options: Partial<EmulatorOptions> = {},
  limits: Partial<Limits> = {},
): Promise<EmulatorBridge> {
  const clock = new ManualClock();
  const fixture = patch(defaultFixture(), change).fixture;
  const emulator = await createEmulator({ fixture, clock, consent: { policy: 'allow' }, ...options });
  const ipc = memoryTransport();
  const web = memoryTransport();
  const server = await createServer({
    transports: [as(ipc, { kind: 'ipc' }), as(web, { kind: 'websocket', origin: 'http://localhost:3000' })],
    core: checkedCore(emulatorCore({ emulator, mayAnswer: anybodyMayAnswer, httpPort: 0 })),
    limits,
  });
  onTestFinished(() => server.close());
  const connect = (via = 'ipc') => new AppPeer((via === 'ipc' ? ipc : web).connect());
  return {
    server,
    emulator,
    clock,
    connect,
    async app({ clientId = ids.harbourExample, scopes = [], via = 'ipc' } = {}) {
      const app = connect(via);
      await app.handshake(clientId);
      if (scopes.length > 0) await authenticate(app, emulator, clientId, scopes);
      return app;
    },
    run: (operation, args) => runOperation(server, operation, args),
  };
}

/** Runs an operation of a server's core as the command line does: checks its arguments first. */
export async function runOperation(server: Server, operation: string, args: unknown = {}): Promise<unknown> {
  const declared = server.core.admin[operation];
  if (declared === undefined) throw new Error(`there is no operation ${operation}`);
  const checked = declared.args().safeParse(args);
  if (!checked.success) throw checked.error;
  const result = await declared.run(checked.data, { via: 'control' });
  return JSON.parse(JSON.stringify(result ?? null)) as unknown;
}

/** The events among what an app has got since it last looked. Throws when something else is among it. */
export async function eventsOf(app: AppPeer): Promise<Answer[]> {
  const answers = (await app.rest()).map(asAnswer);
  const other = answers.find(({ cmd }) => cmd !== 'DISPATCH');
  if (other) throw new Error(`expected events only, got ${JSON.stringify(other)}`);
  return answers;
}

/** AUTHORIZE, token exchange and AUTHENTICATE, under a policy that allows; `identify` is always among the scopes. */
export async function authenticate(
  app: AppPeer,
  emulator: Emulator,
  clientId: string,
  scopes: readonly string[],
): Promise<void> {
  const wanted = [...new Set(['identify', ...scopes])];
  const { data } = await app.call('AUTHORIZE', { client_id: clientId, scopes: wanted });
  const token = await emulator.oauth2.exchangeCode(
    { clientId, clientSecret: 'any' },
    { code: data.code, issuer: 'http://127.0.0.1' },
  );
  const answer = await app.call('AUTHENTICATE', { access_token: token.access_token });
  if (answer.evt !== null) throw new Error(`not authenticated: ${JSON.stringify(answer)}`);
}

/** The same transport, whose connections look like those of another. */
function as(transport: Transport, look: Pick<Connection, 'kind'> & { readonly origin?: string }): Transport {
  return {
    ...transport,
    listen: (onConnection) => transport.listen((connection) => onConnection({ ...connection, ...look })),
  };
}
