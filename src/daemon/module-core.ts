import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { LocalError } from '../base/local-error.ts';
import { firstLine } from '../base/text.ts';
import { type ClientCore, type CreateCore, missingIn } from '../core/core.ts';
import { inTime, noEndWithin } from '../core/time-limit.ts';

/** Timeout (ms) of each step: the import, the call of `createCore` and the call of `start`. */
const LOAD_TIMEOUT_MS = 10_000;

/**
 * Loads the module at an absolute path and makes its core. When this or the core's `start` fails, it throws
 * `LocalError` FOOTBRIDGE_CORE with file and reason in one line. Nothing restrains the module between those calls: it
 * runs in this process.
 */
export async function loadCore(path: string, timeoutMs = LOAD_TIMEOUT_MS): Promise<ClientCore> {
  const fail = (what: string, cause?: unknown): LocalError =>
    new LocalError('FOOTBRIDGE_CORE', `${path}: ${what}`, { cause });
  const attempt = async <T>(what: string, task: () => T | Promise<T>): Promise<T> => {
    try {
      return await inTime(task, timeoutMs, () => noEndWithin(timeoutMs));
    } catch (error) {
      throw fail(`${what}: ${reasonOf(error)}`, error);
    }
  };

  // Opening a FIFO waits for a writer, and in some releases of Node that blocks the whole process.
  const isFile = await stat(path).then(
    (status) => status.isFile(),
    (error: unknown) => {
      throw fail(`it cannot be loaded: ${systemErrorText(error)}. Give the file of a module`, error);
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
    async start(host) {
      const started = await attempt('start failed', async () => (await core.start(host)) ?? {});
      const approve = started.admin?.['requests.approve'];
      // Without a `requester` function a process could approve its own request.
      if (approve !== undefined && typeof approve.requester !== 'function')
        throw fail(
          'its operation requests.approve has no function requester, which names the process that asked',
        );
      return started;
    },
    open: (peer) => core.open(peer),
    stop: () => core.stop(),
  };
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return firstLine(text).slice(0, 300);
}
