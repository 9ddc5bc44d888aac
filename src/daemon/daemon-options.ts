import type { ActivatedSocket } from '../../platform/endpoint/activation.ts';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import type { ControlStatus } from '../control/routes.ts';
import type { MachineClock } from '../emulator/kernel/clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { Journal } from '../journal/journal.ts';
import type { RuleSet } from '../presence/rule.ts';
import type { Logger } from '../server/options.ts';
import type { BridgeFacts } from './bridge-facts.ts';
import type { Settings } from './config/settings.ts';
import type { ConsoleParts } from './console.ts';
import type { CoreOptions } from './core-options.ts';

/** Settings, paths, logger and services of a bridge to start. */
export interface DaemonOptions {
  readonly os: OperatingSystem;
  /** Environment variables, which determine the endpoint folder. */
  readonly env: Environment;
  readonly settings: Pick<
    Settings,
    | 'core'
    | 'upstream'
    | 'fallback'
    | 'consent'
    | 'index'
    | 'httpPort'
    | 'gatewayConnections'
    | 'wsPort'
    | 'wsReadyUser'
    | 'nodeIpc'
    | 'voiceApplication'
    | 'voiceApi'
    | 'pacing'
    | 'limits'
    | 'endpoints'
    | 'forwards'
    | 'presence'
    | 'presenceDefault'
    | 'presenceShown'
    | 'presenceAway'
    | 'detect'
  > &
    Pick<CoreOptions, 'fixture' | 'loadApi' | 'strict'> &
    CoreOptions['attach'];
  readonly data: CoreOptions['data'];
  /** Configuration file, and folder of log files, for the status; null where there is none. */
  readonly places?: Omit<ControlStatus['places'], 'data'>;
  /** Folders and options of the process; absent for a bridge inside another program. */
  readonly started?: BridgeFacts['started'];
  readonly logger: Logger;
  /** True to take the endpoint over from a live owner of the same user. */
  readonly force?: boolean;
  /** The listening socket from the service manager, if the manager made one. */
  readonly activated?: ActivatedSocket | undefined;
  /** Maximum number of open files; by default that of this process. */
  readonly descriptorLimit?: number | undefined;
  /** True if a process may answer its own request: only for a bridge that belongs to one test. */
  readonly ownApproval?: boolean;
  /** Whether prompts of an app are limited in rate; true by default. */
  readonly promptLimits?: boolean;
  /** Called with the HTTP server of the core, so that the caller can observe the server's requests. */
  readonly observeHttp?: CoreOptions['observeHttp'];
  /** Journal of the bridge's traffic; without one, no traffic is recorded. */
  readonly journal?: Journal | undefined;
  /**
   * Injected faults, which a restart of the bridge in this process keeps; by default a bridge starts without faults.
   */
  readonly faults?: Faults;
  /** Journal of a world, and its machine's clock; by default a world has no journal. */
  readonly worldParts?:
    | ((name: string) => { readonly journal?: Journal; readonly machine?: MachineClock })
    | undefined;
  /** Parts of the console that the bridge serves itself, with the reports about this bridge. */
  readonly console?: ConsoleParts | undefined;
  /**
   * The environment in which the bridge finds a browser for pictures of messages; without it, the bridge draws none.
   */
  readonly pictures?: Environment | undefined;
  /** Reads the endpoints of the configuration again; absent for a bridge without a configuration file. */
  readonly loadEndpoints?: (() => Promise<Settings['endpoints']>) | undefined;
  /** Reads the rules for presence again; absent for a bridge without a configuration file. */
  readonly loadPresence?: (() => Promise<RuleSet>) | undefined;
}
