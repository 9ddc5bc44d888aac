import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { inSystemWords } from '../../platform/system-words.ts';
import type { ClientCore } from './core.ts';
import { inTime, noEndWithin } from './in-time.ts';

/** What a module that is a core exports, as `createCore` or as its default. */
export type CreateCore = () => ClientCore | Promise<ClientCore>;

/** A module that cannot serve as a core; the message names the file and the reason, in one line. */
export class CoreModuleError extends Error {
  override readonly name = 'CoreModuleError';
}

/** For the import, for `createCore` and for `start`, each (ms). */
const PATIENCE_MS = 10_000;

/**
 * Loads the module at an absolute path and makes its core. Throws {@link CoreModuleError} when that fails, and the
 * core's `start` throws it too. What the module does beyond its calls is its own: it runs in our process.
 */
export async function loadCore(path: string, patienceMs = PATIENCE_MS): Promise<ClientCore> {
  const fail = (what: string, cause?: unknown): CoreModuleError =>
    new CoreModuleError(`${path}: ${what}`, cause === undefined ? undefined : { cause });
  const attempt = async <T>(what: string, task: () => T | Promise<T>): Promise<T> => {
    try {
      return await inTime(task, patienceMs, () => noEndWithin(patienceMs));
    } catch (error) {
      throw fail(`${what}: ${reasonOf(error)}`, error);
    }
  };

  // A FIFO would be waited for, by some releases of Node with all that the process does.
  const isFile = await stat(path).then(
    (status) => status.isFile(),
    (error: unknown) => {
      throw fail(`it cannot be loaded: ${inSystemWords(error)}. Give the file of a module`, error);
    },
  );
  if (!isFile) throw fail('it is no file. Give the file of a module');
  const url = pathToFileURL(path).href;
  const module = await attempt('it cannot be loaded', () => import(url) as Promise<Record<string, unknown>>);
  const create = module.createCore ?? module.default;
  if (typeof create !== 'function') throw fail('it exports no function createCore, and none as its default');
  const core = await attempt('createCore failed', () => (create as CreateCore)());
  const missing = missingIn(core);
  if (missing !== undefined) throw fail(`createCore returned a core without ${missing}`);
  return {
    name: core.name,
    ...(core.openMs === undefined ? {} : { openMs: core.openMs }),
    start: (host) => attempt('start failed', async () => (await core.start(host)) ?? {}),
    open: (peer) => core.open(peer),
    stop: () => core.stop(),
  };
}

/** The first thing a value lacks to be a core; undefined when it is one. */
export function missingIn(core: unknown): string | undefined {
  if (typeof core !== 'object' || core === null) return 'anything: it is no object';
  const { name } = core as Partial<ClientCore>;
  if (typeof name !== 'string' || !/^[\w.-]{1,60}$/.test(name))
    return 'a name of letters, digits, "-", "_" and "."';
  const lacking = (['start', 'open', 'stop'] as const).find(
    (method) => typeof (core as Partial<ClientCore>)[method] !== 'function',
  );
  return lacking === undefined ? undefined : `a function ${lacking}`;
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
