import { programText } from '../../../platform/process/program.ts';
import { type AdminOperations, boundOperations } from '../../base/admin-operation.ts';
import type { ControlSource, ControlStatus } from '../../control/routes.ts';
import { emulatorCore } from '../../core/emulator/emulator-core.ts';
import { memoryStore } from '../../emulator/accounts/oauth2/storage/store.ts';
import { botTokenOf } from '../../emulator/applications/bot.ts';
import { createEmulator } from '../../emulator/compose/create-emulator.ts';
import { allShapes } from '../../emulator/compose/fixture/reader.ts';
import { systemClock } from '../../emulator/kernel/clock.ts';
import type { MemoryLimits } from '../../emulator/kernel/memory.ts';
import { Faults } from '../../faults/faults.ts';
import { createServer } from '../../server/server.ts';
import { ofRequests } from '../approver.ts';
import { sessionFacts } from '../control-facts.ts';
import { promptLimits } from '../core-options.ts';
import { loadFixture } from '../emulator.ts';
import { faultOperations } from '../faults.ts';
import { journalOperations } from '../journal.ts';
import { ownPictures, pictureOperations } from '../pictures.ts';
import { recordingOf, recordingOperations } from '../recording.ts';
import { LateEndpoint } from './late-endpoint.ts';
import type { WorldSetting, WorldsOptions } from './options.ts';

/** One isolated emulator behind the port of the bridge. */
export interface World {
  readonly name: string;
  readonly api: string;
  readonly endpoint: LateEndpoint;
  readonly source: ControlSource;
  /** Kept while there are worlds: making them again costs more than everything else about a world. */
  readonly shapes: readonly object[];
  /** Applications of the fixture, each with the token of its bot in this world. */
  bots(): readonly { readonly application: string; readonly name: string; readonly token: string }[];
  /** Number of apps and of gateway sessions. */
  connected(): Promise<{ readonly apps: number; readonly bots: number }>;
  seed(): void;
  /** Returns the kinds of changed rows. */
  reset(events: boolean): readonly string[];
  remove(reason: string): Promise<void>;
}

/** Starts a world. Rejects with the mistake in its fixture. */
export async function createWorld(
  setting: WorldSetting,
  path: string,
  options: WorldsOptions,
  memory: MemoryLimits,
): Promise<World> {
  const { name, consent, strict } = setting;
  const { journal, machine = systemClock } = options.worldParts?.(name) ?? {};
  const fixture = await loadFixture(setting.fixture);
  const { logger } = options;
  const faults = new Faults();
  const emulator = await createEmulator({
    fixture,
    world: name,
    strict,
    clock: machine,
    storage: memoryStore(),
    consent: { policy: consent, ...promptLimits(options.promptLimits ?? true) },
    memory,
    maxGatewayConnections: options.gatewayConnections,
    journal,
    faults,
    log: {
      info: (message) => logger.info({}, `world ${name}: ${message}`),
      warn: (message) => logger.warn({}, `world ${name}: ${message}`),
    },
  });
  const core = emulatorCore({
    emulator,
    shared: options.shared(),
    httpPort: 0,
    mayAnswer: ofRequests(options.mayAllow),
    describeProgram: programText,
  });
  const endpoint = new LateEndpoint(path, options.ipcAt);
  const server = await createServer({
    transports: [endpoint],
    core,
    limits: options.limits,
    logger,
    journal,
    faults,
  });
  const api = server.core.api ?? '';
  const applicationName = (id: string) => emulator.application(id)?.name;
  const pictures = options.pictures && ownPictures(options.os, options.pictures, () => source);
  const operations: AdminOperations = {
    ...server.core.admin,
    ...boundOperations(journalOperations, { journal }),
    ...boundOperations(faultOperations, { faults, core: core.name }),
    ...(pictures && boundOperations(pictureOperations, { pictures })),
    ...boundOperations(recordingOperations, { recording: recordingOf(() => operations, setting.fixture) }),
  };
  const status = async (): Promise<ControlStatus> => ({
    ...(await options.bridgeStatus()),
    core: { name: core.name, api, details: [] },
    notInFrontOf: [],
    endpoints: endpoint.path === null ? [] : [{ kind: 'ipc', path: endpoint.path }],
    further: [],
    forwards: [],
    sessions: sessionFacts(server, applicationName),
    refused: [],
    journal: journal === undefined ? null : { entries: journal.size, bytes: journal.bytes },
    counters: server.counters(),
  });
  const source: ControlSource = { operations, mayAllow: options.mayAllow, status };
  return {
    shapes: allShapes(),
    name,
    api,
    endpoint,
    source,
    bots: () =>
      [...emulator.tables.applications].map((application) => ({
        application: application.id,
        name: application.name,
        token: botTokenOf(application, name),
      })),
    connected: async () => ({
      apps: server.sessions().length,
      bots: (await emulator.gateway.sessions()).length,
    }),
    seed: () => emulator.seed(),
    reset: (events) => emulator.reset({ events, whole: true }).map(({ table, kind }) => `${table} ${kind}`),
    async remove(reason) {
      await emulator.gateway.close(reason);
      await pictures?.close();
      await server.close(reason);
    },
  };
}
