import { LocalError } from '../../platform/local-error.ts';
import { upstreamCore } from '../core/upstream/upstream-core.ts';
import { buildAttach } from './attach.ts';
import type { BuiltCore, CoreOptions } from './core-options.ts';
import { buildEmulator } from './emulator.ts';
import { upstreamSearch } from './find-upstream.ts';
import { loadCore } from './module-core.ts';
import { coreNames, isModulePath } from './module-path.ts';

type CoreBuilder = (options: CoreOptions) => Promise<BuiltCore>;

const builders: { readonly [N in (typeof coreNames)[number]]: CoreBuilder } = {
  emulator: buildEmulator,
  attach: buildAttach,
  upstream: buildUpstream,
};

/**
 * Builds the core of that name, or the one in the module at that absolute path. Throws `LocalError`: FOOTBRIDGE_USAGE
 * naming those there are, FOOTBRIDGE_CORE for a module that is none.
 */
export async function buildCore(name: string, options: CoreOptions): Promise<BuiltCore> {
  if (isModulePath(name)) return { core: await loadCore(name), release: () => {} };
  const known = coreNames.find((one) => one === name);
  if (known === undefined) {
    throw new LocalError(
      'FOOTBRIDGE_USAGE',
      `There is no client core ${JSON.stringify(name.slice(0, 60))}. Known: ${coreNames.join(', ')}, and the path of a module.`,
    );
  }
  return builders[known](options);
}

/** The core that forwards to a running client, with another core for the time without one where that is asked for. */
async function buildUpstream(options: CoreOptions): Promise<BuiltCore> {
  const meanwhile = options.fallback === null ? undefined : await fallbackCore(options.fallback, options);
  const core = upstreamCore({
    place: options.upstream === 'auto' ? 'the first that answers above our index' : options.upstream,
    connect: upstreamSearch(options),
    ...(meanwhile ? { fallback: meanwhile.core } : {}),
  });
  return { ...meanwhile, core, release: () => meanwhile?.release() };
}

async function fallbackCore(name: string, options: CoreOptions): Promise<BuiltCore> {
  if (name === 'upstream') {
    throw new LocalError('FOOTBRIDGE_USAGE', 'The fallback of the core "upstream" must be another core.');
  }
  return buildCore(name, options);
}
