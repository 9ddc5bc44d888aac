import { LocalError } from '../../../platform/local-error.ts';
import type { EndpointFolders, OperatingSystem } from '../../../platform/operating-system.ts';
import type { ClientCore } from '../../core/core.ts';
import type { WaitingRequest } from '../../core/emulator/emulator-core.ts';
import type { Logger } from '../../server/options.ts';
import type { Settings } from '../config/settings.ts';
import { coreNames, isModulePath } from '../module-path.ts';

/** Tells of requests that begin or end to wait for a person; the returned function ends it. */
export type OnRequest = (
  listener: (event: 'added' | 'settled', request: WaitingRequest) => void,
) => () => void;

/** A core that is ready to start, and what belongs to it. */
export interface BuiltCore {
  readonly core: ClientCore;
  /** Absent for a core that leaves consent to somebody else. */
  readonly onRequest?: OnRequest;
  /** Web pages that the core's own data lets in, besides those the user added. */
  readonly originAllowed?: (clientId: string | undefined, origin: string) => boolean;
  /** Takes over what changed in the configuration; absent where that needs a new start. */
  readonly reload?: (options: Pick<CoreOptions, 'fixture' | 'consent'>) => Promise<void>;
  /** Frees what was taken for it, once the core has stopped. */
  readonly release: () => void;
}

/** What a core may be configured with. */
export interface CoreOptions {
  /** Path of a fixture file; null is the built-in one. */
  readonly fixture: string | null;
  readonly consent: 'ask' | 'allow' | 'deny';
  readonly httpPort: number;
  /** Connections at a time that a core's own port may have. */
  readonly places: number;
  readonly data: { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'memory' };
  /** `auto`, or the path of the endpoint that `upstream` forwards to. */
  readonly upstream: string;
  /** The core that serves while the upstream is away. */
  readonly fallback: string | null;
  readonly attach: Pick<Settings, 'attachPort' | 'attachOrigins' | 'bridgePort' | 'bridgeSecrets'>;
  readonly os: OperatingSystem;
  readonly folders: EndpointFolders;
  /** Where we listen ourselves, once we do. */
  endpoint(): string | undefined;
  readonly logger: Logger;
}

type CoreBuilder = (options: CoreOptions) => Promise<BuiltCore>;

/** Each core in its own chunk: the daemon loads the one it runs. */
const builders: { readonly [N in (typeof coreNames)[number]]: () => Promise<CoreBuilder> } = {
  emulator: async () => (await import('./emulator.ts')).buildEmulator,
  attach: async () => (await import('./attach.ts')).buildAttach,
  upstream: async () => (await import('./upstream.ts')).buildUpstream,
};

/**
 * Builds the core of that name, or the one in the module at that absolute path. Throws `LocalError`: FOOTBRIDGE_USAGE
 * naming those there are, FOOTBRIDGE_CORE for a module that is none.
 */
export async function buildCore(name: string, options: CoreOptions): Promise<BuiltCore> {
  if (isModulePath(name)) return (await import('./module-core.ts')).buildModule(name);
  const known = coreNames.find((one) => one === name);
  if (known === undefined) {
    throw new LocalError(
      'FOOTBRIDGE_USAGE',
      `There is no client core ${JSON.stringify(name.slice(0, 60))}. Known: ${coreNames.join(', ')}, and the path of a module.`,
    );
  }
  return (await builders[known]())(options);
}
