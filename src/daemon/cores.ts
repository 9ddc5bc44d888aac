import type { BuiltCore, CoreOptions } from './core-options.ts';
import { buildEmulator } from './emulator.ts';
import { type coreNames, isModulePath } from './module-path.ts';

type CoreName = (typeof coreNames)[number];
type CoreBuilder = (options: CoreOptions) => Promise<BuiltCore>;

/**
 * A start loads only the core that it runs. The default core is part of the main bundle, because a file of its own
 * would cost more start time.
 */
const builders: { readonly [N in CoreName]: CoreBuilder } = {
  emulator: buildEmulator,
  attach: async (options) => (await import('./attach.ts')).buildAttach(options),
  upstream: async (options) => (await import('./upstream.ts')).buildUpstream(options, buildCore),
};

/**
 * Builds the core of that name, or the core in the module at that absolute path: the settings have no other. Throws
 * `LocalError` FOOTBRIDGE_CORE for an invalid module.
 */
export async function buildCore(name: string, options: CoreOptions): Promise<BuiltCore> {
  if (isModulePath(name)) {
    const { loadCore } = await import('./module-core.ts');
    return { core: await loadCore(name), release: () => {} };
  }
  return builders[name as CoreName](options);
}
