import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Context } from '../../../../src/conformance/server/context.ts';
import type { Host } from '../../../../src/conformance/server/host.ts';
import { TokenSource } from '../../../../src/conformance/server/tokens.ts';
import type { Settings } from '../../../../src/conformance/settings.ts';
import { endpointTarget } from '../../../../src/conformance/target/target.ts';
import type { Behaviour } from './behaviour.ts';
import { type ReferenceServer, startServer } from './server.ts';

/** Settings for a reference server in the same process: everything answers at once, or never will. */
export const quickSettings: Settings = {
  profile: 'full',
  clientId: '1045800378228281345',
  otherClientId: '1045800378228281346',
  origin: 'https://discord.com',
  transport: 'ipc',
  prepareCommand: undefined,
  approveCommand: undefined,
  tokenEndpoint: undefined,
  clientSecret: undefined,
  timeouts: {
    answerMs: 500,
    quietMs: 60,
    deadlineMs: 900,
    startMs: 5000,
    stopMs: 700,
    caseMs: 4000,
  },
  env: {},
};

/** The same for a server that has nothing to hide: a busy machine must not look like a fault. */
export const patientSettings: Settings = {
  ...quickSettings,
  timeouts: { ...quickSettings.timeouts, answerMs: 4000, deadlineMs: 10_000, caseMs: 30_000 },
};

/** A reference server inside the test's process, started again after it "crashed". */
export class ReferenceHost implements Host {
  readonly #behaviour: Behaviour;
  readonly #transport: 'ipc' | 'websocket';
  readonly #settings: Settings;
  readonly #folder = mkdtempSync(join(tmpdir(), 'cr-'));
  #server: ReferenceServer | undefined;
  #shared: Promise<Context> | undefined;
  generation = 0;

  constructor(
    behaviour: Behaviour,
    transport: 'ipc' | 'websocket' = 'ipc',
    settings: Settings = quickSettings,
  ) {
    this.#behaviour = behaviour;
    this.#transport = transport;
    this.#settings = settings;
  }

  get exit(): Host['exit'] {
    return this.#server?.isDown === true ? { kind: 'code', code: 1 } : undefined;
  }

  lastOutput(): string {
    return 'crashed';
  }

  async context(): Promise<Context> {
    if (this.exit !== undefined) this.#shared = undefined;
    this.#shared ??= this.#start();
    const { settings, target, tokens } = await this.#shared;
    return new Context(settings, target, tokens);
  }

  async #start(): Promise<Context> {
    const port = this.#transport === 'websocket' ? await freePort() : undefined;
    const path = join(this.#folder, `discord-ipc-${this.generation++}`);
    this.#server = await startServer({
      behaviour: this.#behaviour,
      at: port === undefined ? { path } : { port },
      // Long enough for an honest peer, short enough for the case that waits for it.
      deadlineMs: this.#settings.timeouts.deadlineMs / 2,
    });
    const settings = { ...this.#settings, tokenEndpoint: this.#server.tokenEndpoint };
    const target = endpointTarget(port === undefined ? path : `ws://127.0.0.1:${port}/`, settings);
    return new Context(settings, target, new TokenSource(settings, target));
  }

  async close(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A port of the loopback that nobody listens at. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
