import { LocalError } from '../base/local-error.ts';
import type { BuiltCore, CoreOptions } from './core-options.ts';
import { buildEmulator } from './emulator.ts';
import { coreNames, isModulePath } from './module-path.ts';

type CoreBuilder = (options: CoreOptions) => Promise<BuiltCore>;

/**
 * A start loads only the core that it runs. The default core is part of the main bundle, because a file of its own
 * would cost more start time.
 */
const builders: { readonly [N in (typeof coreNames)[number]]: CoreBuilder } = {
  emulator: buildEmulator,
  attach: async (options) => (await import('./attach.ts')).buildAttach(options),
  upstream: async (options) => (await import('./upstream.ts')).buildUpstream(options, fallbackCore),
};

/**
 * Builds the core of that name, or the core in the module at that absolute path. Throws `LocalError`: FOOTBRIDGE_USAGE
 * with the existing names, FOOTBRIDGE_CORE for an invalid module.
 */
export async function buildCore(name: string, options: CoreOptions): Promise<BuiltCore> {
  if (isModulePath(name)) {
    const { loadCore } = await import('./module-core.ts');
    return { core: await loadCore(name), release: () => {} };
  }
  const known = coreNames.find((one) => one === name);
  if (known === undefined) {
    throw new LocalError(
      'FOOTBRIDGE_USAGE',
      `There is no client core ${JSON.stringify(name.slice(0, 60))}. Known: ${coreNames.join(', ')}, and the path of a module.`,
    );
  }
  return builders[known](options);
}

async function fallbackCore(name: string, options: CoreOptions): Promise<BuiltCore> {
  if (name === 'upstream') {
    throw new LocalError('FOOTBRIDGE_USAGE', 'The fallback of the core "upstream" must be another core.');
  }
  return buildCore(name, options);
}
