import { upstreamCore } from '../core/upstream/upstream-core.ts';
import type { BuiltCore, CoreOptions } from './core-options.ts';
import { upstreamSearch } from './find-upstream.ts';

/**
 * Builds the core that forwards to a running client. An optional fallback core, which `buildFallback` builds by its
 * name, answers while no client runs.
 */
export async function buildUpstream(
  options: CoreOptions,
  buildFallback: (name: string, options: CoreOptions) => Promise<BuiltCore>,
): Promise<BuiltCore> {
  const meanwhile = options.fallback === null ? undefined : await buildFallback(options.fallback, options);
  const core = upstreamCore({
    location: options.upstream === 'auto' ? 'the first that answers above our index' : options.upstream,
    connect: upstreamSearch(options),
    ...(meanwhile ? { fallback: meanwhile.core } : {}),
  });
  return { ...meanwhile, core, release: () => meanwhile?.release() };
}
