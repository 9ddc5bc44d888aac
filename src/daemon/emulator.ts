import { stat } from 'node:fs/promises';
import { readingFailed, readParts, rereadParts } from '../../platform/files/read-bounded.ts';
import { describeProgram, programText } from '../../platform/process/program.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { listenerOn } from '../../platform/tcp/tcp-port.ts';
import { LocalError } from '../base/local-error.ts';
import {
  type EmulatorCoreOptions,
  emulatorCore,
  MAX_API_CONNECTIONS,
} from '../core/emulator/emulator-core.ts';
import { fileStore } from '../emulator/accounts/oauth2/storage/file-store.ts';
import { memoryStore, type Store } from '../emulator/accounts/oauth2/storage/store.ts';
import { createEmulator } from '../emulator/compose/create-emulator.ts';
import type { EmulatorOptions } from '../emulator/compose/emulator-options.ts';
import { defaultFixture } from '../emulator/compose/fixture/default.ts';
import type { Fixture, StateRows } from '../emulator/compose/fixture/fixture.ts';
import { firstIntake } from '../emulator/compose/fixture/intake.ts';
import { StateReader } from '../emulator/compose/fixture/state-file.ts';
import { readFixture } from '../emulator/compose/fixture/toml.ts';
import { validateRows } from '../emulator/compose/fixture/validate.ts';
import { FixtureError } from '../emulator/kernel/errors.ts';
import type { Log } from '../emulator/kernel/log.ts';
import { isPortTaken } from '../loopback/listener.ts';
import { ownerCheckOn } from '../loopback/owner.ts';
import { originText } from '../transport/refused-page.ts';
import {
  type BuiltCore,
  type CoreOptions,
  type FixtureSource,
  type MemoryState,
  promptLimits,
} from './core-options.ts';
import { ownFile } from './data-folder.ts';

/**
 * Maximum size of a fixture file (bytes): that of an exported state with all its files; the reader enforces a lower
 * limit for any other input.
 */
const MAX_FIXTURE_BYTES = 1600 * 1024 * 1024;

/** Builds the emulator for the daemon: the fixture from a file, grants and tokens in the data folder. */
export async function buildEmulator(options: CoreOptions): Promise<BuiltCore> {
  const { consent, mayAnswer, httpPort, slotsOf, logger } = options;
  const fixture = await loadFixture(options.fixture);
  const log = {
    info: (message: string) => logger.info({}, message),
    warn: (message: string) => logger.warn({}, message),
  };
  const { store, release } = await openStore(options, log);
  const memory = options.data.kind === 'memory' ? options.data.memory : undefined;
  const emulator = await createEmulator({
    fixture,
    ...(memory === undefined ? {} : { clock: memory.machine, from: continuedFrom(memory.from) }),
    storage: store,
    consent: { policy: consent, ...promptLimits(options.promptLimits) },
    maxGatewayConnections: options.gatewayConnections,
    journal: options.journal,
    faults: options.faults,
    strict: options.strict,
    log,
  });
  const { applications } = emulator.tables;
  const core = emulatorCore({
    emulator,
    mayAnswer,
    ...tokenPort(httpPort),
    loadApi: options.loadApi,
    refusedOwner: ownerCheckOn(options.os),
    maxConnections: slotsOf(MAX_API_CONNECTIONS),
    pageRule: options.pageRule,
    onRefusedPage: (over, header) =>
      options.onRefusedPage({ over, why: 'origin', origin: originText(header) }),
    observeHttp: (server) => options.observeHttp?.(server),
    onActivityWarning: options.onActivityWarning,
    describeProgram: programText,
  });
  return {
    core: { ...core, start: (host) => withPortError(httpPort, async () => core.start(host)) },
    onRequest: (listener) => core.onRequest(listener),
    origins: () =>
      [...applications].flatMap(({ id, rpc_origins }) =>
        rpc_origins.map((origin) => ({ clientId: id, origin })),
      ),
    activities: emulator.activities,
    shared: () => core.shared(),
    platform: {
      callerOf: (authorization) => emulator.callerOf(authorization),
      redeliver: (delivery, recorded) => void emulator.webhooks.redeliver(delivery, recorded),
    },
    applicationName: (clientId) => emulator.application(clientId)?.name,
    reload: async (changed) => {
      const intake = emulator.transfer.intake();
      const read = await loadFixture(changed.fixture, { again: true, intake }).finally(() => intake.end());
      emulator.transfer.load(read);
      emulator.oauth2.setPolicy(changed.consent);
    },
    release,
  };
}

function continuedFrom(from: MemoryState['from']): EmulatorOptions['from'] {
  if (from === undefined) return undefined;
  const reader = new StateReader('the state before');
  reader.write(from.state);
  return { world: reader.end(), clock: from.clock };
}

/**
 * Reads a fixture or an exported state. A caller that does not start with the files of an exported state must discard
 * them. Throws the FixtureError of invalid content, or `LocalError` FOOTBRIDGE_FIXTURE for a file that cannot be read.
 */
export async function loadFixture(
  path: FixtureSource,
  { again = false, intake = firstIntake() } = {},
): Promise<Fixture | StateRows> {
  if (path === null) return defaultFixture();
  if (typeof path === 'object') {
    return validateRows(path.inline, 'fixture', intake);
  }
  const read = again ? rereadParts : readParts;
  try {
    // The size of an irregular file is unknown in advance.
    const found = await stat(path);
    const size = found.isFile() ? found.size : undefined;
    return await readFixture(read(path, MAX_FIXTURE_BYTES), path, size, intake);
  } catch (error) {
    if (error instanceof FixtureError) throw error;
    throw new LocalError('FOOTBRIDGE_FIXTURE', readingFailed(path, error), { cause: error });
  }
}

/** Usual port of the HTTP API: next to the default of `attach_port`, and below the ephemeral ports of the system. */
const USUAL_PORT = 6481;

/**
 * Port of the token endpoint. `auto` prefers a constant port, so that an app is configured once and the port stays the
 * same across restarts.
 */
export function tokenPort(
  setting: CoreOptions['httpPort'],
): Pick<EmulatorCoreOptions, 'httpPort' | 'orAnyPort'> {
  return setting === 'auto' ? { httpPort: USUAL_PORT, orAnyPort: true } : { httpPort: setting };
}

interface OpenStore {
  readonly store: Store;
  readonly release: () => void;
}

async function openStore(options: CoreOptions, log: Log): Promise<OpenStore> {
  const file = await ownFile(options, 'emulator', 'grants');
  const { uid } = options.os;
  if (file.kind === 'nowhere') {
    const memory = options.data.kind === 'memory' ? options.data.memory : undefined;
    return { store: memory?.store ?? memoryStore(file.reason), release: () => {} };
  }
  const { path } = file;
  const isOurs = file.kind === 'ours';
  const store = fileStore(path, { log, uid, ...(isOurs ? {} : { readOnly: file.reason }) });
  const noted: Store = {
    async load() {
      const loaded = await store.load();
      if (loaded.kind === 'unusable')
        options.stateFiles.note(path, { kind: 'failed', reason: `${path} is not used: ${loaded.reason}` });
      return loaded;
    },
    save: async (state, revoked) => options.stateFiles.note(path, await store.save(state, revoked)),
  };
  return { store: noted, release: isOurs ? file.release : () => {} };
}

async function withPortError<T>(port: CoreOptions['httpPort'], task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    const { owner } = listenerOn(Number(port));
    const why = owner === undefined ? systemErrorText(error) : `${describeProgram(owner)} listens there`;
    throw new LocalError(
      'FOOTBRIDGE_PORT_TAKEN',
      `Port ${port} of 127.0.0.1 cannot be used: ${why}. Give another http_port, or "auto".`,
      { cause: error },
    );
  }
}
