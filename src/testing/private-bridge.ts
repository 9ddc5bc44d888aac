import { realpathSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { checkPathLength } from '../../platform/endpoint/endpoints.ts';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { currentOs, type OperatingSystem } from '../../platform/operating-system.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import type { Operations } from '../control/generated.ts';
import type { CoreOptions, FixtureSource, MemoryState } from '../daemon/core-options.ts';
import type { DaemonOptions } from '../daemon/daemon-options.ts';
import { type Daemon, startDaemon } from '../daemon/start.ts';
import { memoryStore } from '../emulator/accounts/oauth2/storage/store.ts';
import type { Rule, Violation } from '../emulator/api/violations.ts';
import type { ClockStatus } from '../emulator/kernel/clock.ts';
import { parseDuration } from '../emulator/kernel/time-text.ts';
import { Faults } from '../faults/faults.ts';
import { Journal } from '../journal/journal.ts';
import { frameDeclarations } from '../protocol/declarations.ts';
import type { Logger } from '../server/options.ts';
import { defaultLimits } from '../session/limits.ts';
import { TestMachine } from './machine.ts';
import { removeAtExit } from './remove-at-exit.ts';

/** A private bridge in this process, with a temporary folder. */
export interface PrivateBridge {
  readonly folder: string;
  /** Path of the socket or pipe. */
  readonly endpoint: string;
  /** Base URL of the token endpoint. */
  readonly api: string;
  /** Address of the WebSocket. */
  readonly ws: string;
  /** Path of the control socket. */
  readonly control: string;
  /** Recorded traffic, including the traffic before a restart. */
  readonly journal: Journal;
  /** Injected faults; they remain after a restart. */
  readonly faults: Faults;
  /**
   * Runs an operation of the core; during a restart it waits until the bridge runs again. Throws ControlError, or
   * `LocalError` FOOTBRIDGE_CLOSED after the bridge has ended.
   */
  call(operation: string, args: unknown): Promise<unknown>;
  /** Violations of strict mode, including those before a restart. */
  violations(): Promise<readonly Violation[]>;
  /** Allows what breaks a rule at a place, so far and from now on. */
  allow(rule: Rule, where: string): Promise<void>;
  /** Makes a world behind this bridge, with an endpoint for apps. It ends with the bridge, and at a restart. */
  addWorld(setting: WorldArguments): Promise<PrivateWorld>;
  /**
   * Advances the emulator's time, and the machine time of all timeouts, by a duration such as `3m`. Returns the result
   * of `clock.advance`.
   */
  advance(by: string): Promise<unknown>;
  /**
   * Cuts every connection and starts again at the same addresses, with the same world, clock, grants and tokens. When
   * the start fails, the bridge ends and the promise rejects with the reason.
   */
  restart(): Promise<void>;
  /** Ends the bridge and removes its folder with all contents. May be called more than once. */
  close(): Promise<void>;
}

/** Arguments of `world.add`. */
export type WorldArguments = Operations['world.add']['args'];

/** A world behind a private bridge. */
export type PrivateWorld = Pick<
  PrivateBridge,
  | 'folder'
  | 'endpoint'
  | 'api'
  | 'control'
  | 'journal'
  | 'call'
  | 'violations'
  | 'allow'
  | 'advance'
  | 'close'
> & {
  readonly name: string;
  readonly bots: Operations['world.add']['result']['bots'];
};

/** How to start one. */
export interface PrivateBridgeOptions {
  readonly fixture: FixtureSource;
  readonly consent: 'ask' | 'allow' | 'deny';
  readonly logger: Logger;
  /** Strict mode, whatever the fixture says. */
  readonly strict?: boolean | undefined;
  /** Path of the endpoint of a chat client that answers in place of the emulator. */
  readonly upstream?: string;
  /** See {@link CoreOptions.loadApi}: a test's own process has its timers and memory for itself. */
  readonly loadApi?: CoreOptions['loadApi'];
  /** Aborts when the process is about to end unfinished work; the folder is then removed at once. */
  readonly signal?: AbortSignal;
}

/** Ports of a bridge on 127.0.0.1; 0 selects a free port. The well-known ports belong to the user's own bridge. */
interface Ports {
  readonly httpPort: number;
  readonly wsPort: number;
}

type Life =
  | { readonly kind: 'running'; readonly daemon: Daemon }
  | { readonly kind: 'restarting'; readonly done: Promise<unknown> }
  | { readonly kind: 'ended'; readonly done: Promise<void> };

/** Starts a bridge that only processes with its environment variables find. `close` leaves nothing of it behind. */
export async function startPrivateBridge(options: PrivateBridgeOptions): Promise<PrivateBridge> {
  const os = await currentOs();
  const folder = temporaryFolder(os);
  // This also removes the folder when the process ends without a call of `close`.
  const remove = removeAtExit(folder);
  options.signal?.addEventListener('abort', remove);
  const machine = new TestMachine();
  const memory = { store: memoryStore(), machine };
  const journal = newJournal();
  const faults = new Faults();
  const sockets = new OpenSockets();
  const parts = new Map<string, { readonly journal: Journal; readonly machine: TestMachine }>();
  const newParts = (name: string): ReturnType<NonNullable<DaemonOptions['worldParts']>> => {
    const made = { journal: newJournal(), machine: new TestMachine() };
    parts.set(name, made);
    return made;
  };
  const start = (ports: Ports, from?: MemoryState['from']): Promise<Daemon> =>
    startDaemon({
      os,
      env: { XDG_RUNTIME_DIR: folder },
      settings: {
        core: options.upstream === undefined ? 'emulator' : 'upstream',
        upstream: options.upstream ?? 'auto',
        fallback: null,
        attachPort: 0,
        attachOrigins: [],
        bridgePort: null,
        bridgeSecrets: false,
        fixture: options.fixture,
        loadApi: options.loadApi,
        strict: options.strict,
        consent: options.consent,
        index: 'auto',
        ...ports,
        gatewayConnections: 2000,
        wsReadyUser: false,
        nodeIpc: false,
        pacing: true,
        limits: defaultLimits,
        endpoints: [],
        forwards: [],
        presence: [],
        presenceDefault: 'show',
        presenceShown: 'all',
        presenceAway: 'off',
        detect: null,
        voiceApplication: null,
        voiceApi: null,
      },
      data: { kind: 'memory', memory: { ...memory, from } },
      ownApproval: true,
      promptLimits: false,
      logger: options.logger,
      journal,
      faults,
      observeHttp: (server) => sockets.watch(server),
      pictures: process.env,
      worldParts: newParts,
    });

  const first = await start({ httpPort: 0, wsPort: 0 }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const addresses = {
    folder,
    endpoint: first.server.endpoints.find(({ kind }) => kind === 'ipc')?.path ?? '',
    api: first.server.core.api ?? '',
    ws: first.server.endpoints.find(({ kind }) => kind === 'websocket')?.path ?? '',
    control: first.control.path,
  };
  const ports = { httpPort: portOf(addresses.api), wsPort: portOf(addresses.ws) };
  let life: Life = { kind: 'running', daemon: first };

  const restarted = async (): Promise<void> => {
    while (life.kind === 'restarting') await life.done.catch(() => undefined);
  };
  const daemonFor = (operation: string): Daemon => {
    if (life.kind === 'running') return life.daemon;
    throw new LocalError('FOOTBRIDGE_CLOSED', `${operation}: this emulator is closed. Start another one.`);
  };
  const end = (daemon?: Daemon): Promise<void> => {
    const done = (daemon?.close() ?? Promise.resolve()).finally(remove);
    life = { kind: 'ended', done };
    return done;
  };
  const earlier: Violation[] = [];
  const violations = async (): Promise<readonly Violation[]> => [
    ...earlier,
    ...((await call('emulator.violations', {})) as readonly Violation[]),
  ];
  const callIn = async (world: string | undefined, operation: string, args: unknown): Promise<unknown> => {
    while (life.kind === 'restarting') await restarted();
    // The caller has no pid, because a test requests and approves in one process, which other callers must not do.
    return daemonFor(operation).call(operation, args, CALLER, world);
  };
  const call = async (operation: string, args: unknown): Promise<unknown> => {
    const result = await callIn(undefined, operation, args);
    if (operation === 'emulator.reset' && Object(args).whole === true) earlier.length = 0;
    return result;
  };
  const advanceIn = async (world: string | undefined, clock: TestMachine, by: string): Promise<unknown> => {
    const state = await callIn(world, 'clock.advance', { by });
    clock.skip(parseDuration(by));
    // Events that became due may have been emitted in this turn; they are sent in the next.
    await nextTurn();
    return state;
  };

  return {
    ...addresses,
    journal,
    faults,
    call,
    violations,
    allow: async (rule, where) => void (await call('emulator.allow', { rule, where })),
    advance: (by) => advanceIn(undefined, machine, by),
    addWorld: async (setting) => {
      const added = await call('world.add', { ...setting, endpoint: true });
      const { name, api, endpoint, bots } = added as Operations['world.add']['result'];
      const { journal: own, machine: clock } = parts.get(name) ?? { journal: newJournal(), machine };
      let ended: Promise<void> | undefined;
      return {
        name,
        bots,
        api,
        endpoint: endpoint ?? '',
        folder: dirname(endpoint ?? ''),
        control: addresses.control,
        journal: own,
        call: (operation, args) => callIn(name, operation, args),
        violations: async () => (await callIn(name, 'emulator.violations', {})) as readonly Violation[],
        allow: async (rule, where) => void (await callIn(name, 'emulator.allow', { rule, where })),
        advance: (by) => advanceIn(name, clock, by),
        close: () => {
          // The bridge may have ended before its worlds.
          ended ??= call('world.remove', { name }).then(
            () => {},
            () => {},
          );
          parts.delete(name);
          return ended;
        },
      };
    },
    restart: async () => {
      while (life.kind === 'restarting') await restarted();
      const daemon = daemonFor('restart');
      const renew = async (): Promise<Daemon> => {
        earlier.push(...((await daemon.call('emulator.violations', {}, CALLER)) as readonly Violation[]));
        return replaced(daemon, sockets, (from) => start(ports, from));
      };
      // Nothing is awaited before this state is entered, so that a second call waits for the first.
      const done = renew();
      life = { kind: 'restarting', done };
      try {
        life = { kind: 'running', daemon: await done };
      } catch (error) {
        await end();
        throw error;
      }
    },
    close: async () => {
      while (life.kind === 'restarting') await restarted();
      await (life.kind === 'ended' ? life.done : end(life.daemon));
    },
  };
}

/** Tests and records need whole frames, so the journal does not shorten texts. */
function newJournal(): Journal {
  return new Journal({ text: Number.POSITIVE_INFINITY }, frameDeclarations());
}

function portOf(address: string): number {
  return Number(/:(\d+)/.exec(address)?.[1] ?? 0);
}

const CALLER = { via: 'control' } as const;

/**
 * Time limit for a port that another program has taken meanwhile to become free, and the interval between attempts
 * (ms).
 */
const PORT_MS = 3000;
const RETRY_MS = 50;
const TURNS_TO_RECEIVE = 8;

/** Ends one bridge in a way that its clients see as a kill, and starts its successor. */
async function replaced(
  daemon: Daemon,
  sockets: OpenSockets,
  start: (from: MemoryState['from']) => Promise<Daemon>,
): Promise<Daemon> {
  // Connections are cut before the export, so that no client receives an answer for a change that the export does not
  // contain.
  sockets.cut();
  daemon.server.cut();
  const callOperation = (operation: string, args = {}): Promise<unknown> =>
    daemon.call(operation, args, CALLER);
  const [{ state }, clock, { origins }] = (await Promise.all([
    callOperation('emulator.export'),
    callOperation('clock.now'),
    callOperation('origins.list'),
  ])) as [{ readonly state: string }, ClockStatus, { readonly origins: readonly object[] }];
  await daemon.close();
  // Clients in this process must notice the end before the new start: a request on a closed connection would fail.
  for (let turns = 0; turns < TURNS_TO_RECEIVE; turns += 1) await nextTurn();
  for (const end = performance.now() + PORT_MS; ; await delay(RETRY_MS)) {
    try {
      const next = await start({ state, clock });
      for (const origin of origins) await next.call('origins.add', origin, CALLER);
      return next;
    } catch (error) {
      // The system assigned these ports, so another program may have taken one while the bridge did not listen.
      if (systemCode(error) !== 'FOOTBRIDGE_PORT_TAKEN' || performance.now() > end) throw error;
    }
  }
}

/** Connections of HTTP servers; `cut` closes all of them at once. */
class OpenSockets {
  readonly #open = new Set<Socket>();

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/**
 * Creates a temporary folder with mode 0700. When the path of a socket in the usual folder would be too long, the
 * folder is created in `/tmp`.
 */
function temporaryFolder(os: OperatingSystem): string {
  return makeTemporaryFolder('footbridge-', (usual) => (fits(os, usual) ? usual : realpathSync('/tmp')));
}

function fits(os: OperatingSystem, folder: string): boolean {
  if (os.name === 'win32') return true;
  try {
    // This is the longest path in the folder: it contains our own folder for the largest uid.
    checkPathLength(os.name, join(folder, 'footbridge-XXXXXX', 'footbridge-4294967295', 'control.sock'));
    return true;
  } catch {
    return false;
  }
}
