import { LocalError } from '../../platform/local-error.ts';
import { upstreamCore } from '../core/upstream/upstream-core.ts';
import { type BuiltCore, buildCore, type CoreOptions } from './cores.ts';
import { upstreamSearch } from './find-upstream.ts';

/** The core that forwards to a running client, with another core for the time without one where that is asked for. */
export async function buildUpstream(options: CoreOptions): Promise<BuiltCore> {
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
