import { LocalError } from '../../platform/local-error.ts';
import { CoreModuleError, loadCore } from '../core/load.ts';
import type { BuiltCore } from './cores.ts';

/** The core in the module at an absolute path. It and its `start` throw `LocalError` FOOTBRIDGE_CORE: file and reason. */
export async function buildModule(path: string): Promise<BuiltCore> {
  const core = await told(() => loadCore(path));
  return { core: { ...core, start: (host) => told(async () => core.start(host)) }, release: () => {} };
}

async function told<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof CoreModuleError)) throw error;
    throw new LocalError('FOOTBRIDGE_CORE', error.message, { cause: error });
  }
}
