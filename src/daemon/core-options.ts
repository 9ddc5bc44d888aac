import type { Server as HttpServer } from 'node:http';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import type { OwnProbes } from '../../platform/endpoint/own-probes.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import type { ClientCore } from '../core/core.ts';
import type { SessionWarning } from '../core/emulator/activity/linter.ts';
import type { EmulatorCore, LoadApi } from '../core/emulator/emulator-core.ts';
import type { Store } from '../emulator/accounts/oauth2/storage/store.ts';
import type { AnswerRule, WaitingRequest } from '../emulator/api/waiting-request.ts';
import type { ClockStatus, MachineClock } from '../emulator/kernel/clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { Journal } from '../journal/journal.ts';
import type { Logger } from '../server/options.ts';
import type { ActivityDirectory } from '../transport/postmessage/directory.ts';
import type { Settings } from './config/settings.ts';
import type { OriginEntry } from './origin-list.ts';
import type { TurnedAway } from './refused-pages.ts';
import type { StateFiles } from './state-files.ts';

/** Subscribes to requests that start or stop waiting for the user; the returned function ends the subscription. */
export type OnRequest = (
  listener: (event: 'added' | 'settled', request: WaitingRequest) => void,
) => () => void;

/** What the emulator's platform does for the operator alone, who sends recorded traffic again. */
export interface PlatformAccess {
  /**
   * The caller that an Authorization header names now; of a bot with the emulator's own header for it. Undefined for
   * unknown credentials.
   */
  callerOf(
    authorization: string,
  ): Promise<
    | { readonly kind: 'bot'; readonly application: string; readonly authorization: string }
    | { readonly kind: 'user' }
    | undefined
  >;
  /** Sends a delivery to its application again; `recorded` is called with the number of the journal's entry. */
  redeliver(delivery: string, recorded: (seq: number) => void): void;
}

/** A core that is ready to start, and the resources that belong to it. */
export interface BuiltCore {
  readonly core: ClientCore;
  /** Subscribes to waiting requests; absent for a core that leaves consent to another program. */
  readonly onRequest?: OnRequest;
  /** Web pages that the core's own data allows, besides those that the user allows; read again for each check. */
  readonly origins?: () => readonly OriginEntry[];
  /** Embedded apps that the core launches, for the server of the pages around them. */
  readonly activities?: ActivityDirectory & {
    serveBy(server: { open(): Promise<number> }): void;
  };
  /** The emulator's platform; absent with another core. */
  readonly platform?: PlatformAccess;
  /** The emulator's HTTP server, behind which worlds are served; absent with another core. */
  readonly shared?: EmulatorCore['shared'];
  /** Name of an application; undefined for an unknown application or one without a known name. */
  readonly applicationName?: (clientId: string) => string | undefined;
  /** Applies changes of the configuration; absent for a core that needs a restart. */
  readonly reload?: (options: Pick<CoreOptions, 'fixture' | 'consent'>) => Promise<void>;
  /** Frees the core's resources, once the core has stopped. */
  readonly release: () => void;
}

/** Path of a fixture file, the content of such a file, or null for the built-in one. */
export type FixtureSource = string | null | { readonly inline: object };

/** State for a bridge without a data folder: the process that restarts the bridge stores it in memory. */
export interface MemoryState {
  readonly store: Store;
  readonly machine: MachineClock;
  /** Final state of the previous emulator: its exported state, and the status of its clock. */
  readonly from?: { readonly state: string; readonly clock: ClockStatus } | undefined;
}

/** Limits of an app's prompts, as options of the emulator. */
export function promptLimits(areOn: boolean): object {
  // Tests turn the limits off, because they answer prompts themselves and no user needs protection from a flood of
  // prompts.
  return areOn ? {} : { promptsPerMinute: Number.POSITIVE_INFINITY, pauseMs: 0, readingMs: 0 };
}

/** Options of a core. */
export interface CoreOptions {
  readonly fixture: FixtureSource;
  readonly consent: 'ask' | 'allow' | 'deny';
  /** Rule for the processes that may answer a request that waits for the user. */
  readonly mayAnswer: AnswerRule;
  /** Called with the core's HTTP server, so that the caller can observe its requests. */
  readonly observeHttp?: ((server: HttpServer) => void) | undefined;
  /** Called for each warning about an activity, where the fixture enables these warnings. */
  readonly onActivityWarning: (warning: SessionWarning) => void;
  /** Journal of the bridge's traffic; absent: no traffic is recorded. */
  readonly journal?: Journal | undefined;
  /** Injected faults. */
  readonly faults: Faults;
  /**
   * True if an app's prompts are limited in rate and delayed after a no, and if a page ignores an Allow before the user
   * can read it.
   */
  readonly promptLimits: boolean;
  /** `auto`: the default port, or any free port if the default is taken. */
  readonly httpPort: 'auto' | number;
  /** Earliest event that loads the code of the emulator's HTTP API; default: the first request. */
  readonly loadApi?: LoadApi | undefined;
  /** Strict mode of the emulator, whatever its fixture says. */
  readonly strict?: boolean | undefined;
  /** Maximum of concurrent connections of the emulator's gateway. */
  readonly gatewayConnections: number;
  /** Whether the user allows pages of this origin. */
  readonly pageRule: (origin: string) => boolean;
  /** Called for a page that the core's own port refused. */
  readonly onRefusedPage: (page: TurnedAway) => void;
  /** Returns the number of concurrent connections that a core's own port may have, at most `wanted`. */
  readonly slotsOf: (wanted: number) => number;
  /** Data folder of the core. `chosen`: the user named the folder, so the bridge must not run without it. */
  readonly data:
    | { readonly kind: 'folder'; readonly path: string; readonly chosen?: boolean }
    /** `reason`: why a folder that was wanted is not used. */
    | { readonly kind: 'memory'; readonly memory?: MemoryState; readonly reason?: string };
  /** Results of the writes of state files. */
  readonly stateFiles: StateFiles;
  /** `auto`, or the paths of the endpoints to which `upstream` forwards, with commas between. */
  readonly upstream: string;
  /** Core that serves apps while the upstream is away; null for none. */
  readonly fallback: string | null;
  readonly attach: Pick<Settings, 'attachPort' | 'attachOrigins' | 'bridgePort' | 'bridgeSecrets'>;
  readonly os: OperatingSystem;
  readonly env: Environment;
  readonly folders: EndpointFolders;
  /** Returns the path of our own endpoint; undefined before the bridge listens. */
  endpoint(): string | undefined;
  /** Returns the paths of all sockets at which this bridge answers. */
  ownPaths(): readonly string[];
  readonly ownProbes: OwnProbes;
  readonly logger: Logger;
}
