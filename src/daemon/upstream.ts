import { memorySaveResult } from '../base/saves.ts';
import { type ChoiceStore, memoryChoiceStore } from '../core/upstream/choice.ts';
import { upstreamCore } from '../core/upstream/upstream-core.ts';
import { fileChoiceStore } from './choice-store.ts';
import type { BuiltCore, CoreOptions } from './core-options.ts';
import { type OwnFile, ownFile } from './data-folder.ts';
import { upstreamSearch } from './find-upstream.ts';
import { upstreamPaths } from './upstream-paths.ts';

/** Maximum number of connections for presence only, where the limit of open files does not leave fewer. */
const MAX_LINKS = 4096;

/**
 * Builds the core that forwards to running clients. An optional fallback core, which `buildFallback` builds by its
 * name, answers while no client runs. The data folder stores the choice among the clients.
 */
export async function buildUpstream(
  options: CoreOptions,
  buildFallback: (name: string, options: CoreOptions) => Promise<BuiltCore>,
): Promise<BuiltCore> {
  const file = await ownFile(options, 'upstream', 'choice of chat clients');
  const releaseFile = (): void => {
    if (file.kind === 'ours') file.release();
  };
  try {
    const store = storeOf(file, options);
    const meanwhile = options.fallback === null ? undefined : await buildFallback(options.fallback, options);
    const search = upstreamSearch(options);
    const paths = upstreamPaths(options.upstream);
    const core = upstreamCore({
      location: paths === 'auto' ? 'every client that answers above our index' : paths.join(', '),
      connect: search.connect,
      source: search,
      store,
      maxLinks: options.slotsOf(MAX_LINKS),
      ...(meanwhile ? { fallback: meanwhile.core } : {}),
    });
    const release = (): void => {
      meanwhile?.release();
      releaseFile();
    };
    return { ...meanwhile, core, release };
  } catch (error) {
    releaseFile();
    throw error;
  }
}

function storeOf(file: OwnFile, { os, logger, stateFiles }: CoreOptions): ChoiceStore {
  if (file.kind === 'nowhere') return memoryChoiceStore(() => memorySaveResult(file.reason));
  const store = fileChoiceStore(file.path, os.uid, ({ path, movedTo, reason }) =>
    logger.warn(
      { path: movedTo, reason: `${path}: ${reason}` },
      'a damaged file was moved aside; no chat client shows a presence until you choose: footbridge upstream all',
    ),
  );
  return {
    load: () => store.load(),
    save(choice) {
      if (file.kind === 'read-only') return { kind: 'failed', reason: file.reason, final: true };
      return stateFiles.note(file.path, store.save(choice), logger);
    },
  };
}
