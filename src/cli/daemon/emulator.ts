import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalError, systemCode } from '../../../platform/local-error.ts';
import { acquireLock } from '../../../platform/lock.ts';
import { programOf } from '../../../platform/program.ts';
import { emulatorCore } from '../../core/emulator/emulator-core.ts';
import { createEmulator } from '../../emulator/emulator.ts';
import { defaultFixture } from '../../emulator/fixture/default.ts';
import type { Fixture } from '../../emulator/fixture/fixture.ts';
import type { Log } from '../../emulator/log.ts';
import { memoryStore, type Store } from '../../emulator/store/store.ts';
import { readBounded, readingFailed } from '../read-bounded.ts';
import type { BuiltCore, CoreOptions } from './cores.ts';

const MAX_FIXTURE_BYTES = 4 * 1024 * 1024;

/** The emulator as the daemon runs it: fixture from a file, grants and tokens in the data folder. */
export async function buildEmulator(options: CoreOptions): Promise<BuiltCore> {
  const { consent, httpPort, logger } = options;
  const fixture = await loadFixture(options.fixture);
  const log = {
    info: (message: string) => logger.info({}, message),
    warn: (message: string) => logger.warn({}, message),
  };
  const { store, release } = await openStore(options, log);
  const emulator = await createEmulator({ fixture, store, consent: { policy: consent }, log });
  const core = emulatorCore({
    emulator,
    httpPort,
    describeProgram: (pid) => {
      const program = programOf(pid);
      return program?.exe ?? program?.name;
    },
  });
  return {
    core: { ...core, start: (host) => withPortError(httpPort, async () => core.start(host)) },
    onRequest: (listener) => core.onRequest(listener),
    originAllowed: (clientId, origin) =>
      // Only those written down: a page must not make the emulator remember an application by asking.
      emulator
        .show()
        .applications.some(
          ({ id, rpc_origins }) =>
            (clientId === undefined || id === clientId) && rpc_origins.includes(origin),
        ),
    reload: async (changed) => {
      emulator.load(await loadFixture(changed.fixture));
      emulator.oauth2.setPolicy(changed.consent);
    },
    release,
  };
}

/** Throws the FixtureError of a wrong fixture, or `LocalError` FOOTBRIDGE_FIXTURE for a file that cannot be read. */
export async function loadFixture(path: string | null): Promise<Fixture> {
  if (path === null) return defaultFixture();
  let text: string;
  try {
    text = await readBounded(path, MAX_FIXTURE_BYTES);
  } catch (error) {
    throw new LocalError('FOOTBRIDGE_FIXTURE', readingFailed(path, error), { cause: error });
  }
  const { parseFixture } = await import('../../emulator/fixture/toml.ts');
  return parseFixture(text, path);
}

interface OpenStore {
  readonly store: Store;
  readonly release: () => void;
}

/**
 * Two bridges that write one file would lose each other's grants, so the second one does not start: consent that
 * is silently forgotten would be asked for again and again. A folder that cannot be used at all is only a warning.
 */
async function openStore({ data, os, logger }: CoreOptions, log: Log): Promise<OpenStore> {
  const inMemory = { store: memoryStore(), release: () => {} };
  if (data.kind === 'memory') return inMemory;
  const lock = await lockFolder(data.path, os);
  if (lock.kind === 'held') {
    const who = lock.heldBy === undefined ? '' : ` (pid ${lock.heldBy})`;
    throw new LocalError(
      'FOOTBRIDGE_DATA_TAKEN',
      `Another Footbridge${who} keeps its grants in ${data.path}. Stop it, or give this one a --data-dir of its own.`,
    );
  }
  if (lock.kind === 'unusable') {
    logger.warn({ path: data.path, reason: lock.reason }, 'data folder not used: grants are lost at the end');
    return inMemory;
  }
  const { fileStore } = await import('../../emulator/store/file-store.ts');
  return { store: fileStore(join(data.path, 'emulator.json'), { log }), release: () => lock.release() };
}

async function lockFolder(path: string, { native }: CoreOptions['os']) {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await acquireLock(join(path, 'emulator.lock'), native);
  } catch (error) {
    const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
    return { kind: 'unusable', reason } as const;
  }
}

async function withPortError<T>(port: number, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    throw new LocalError(
      'FOOTBRIDGE_PORT_TAKEN',
      `Port ${port} of 127.0.0.1 cannot be used (${code}). Give another http_port, or 0 for a free one.`,
      { cause: error },
    );
  }
}
