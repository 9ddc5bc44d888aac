import { upstreamCore } from '../core/upstream/upstream-core.ts';
import type { BuiltCore, CoreOptions } from './core-options.ts';
import { upstreamSearch } from './find-upstream.ts';

/**
 * The core that forwards to a running client, with an optional fallback core for the time without one, which
 * `buildFallback` builds by its name.
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
