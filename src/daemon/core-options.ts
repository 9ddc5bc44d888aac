import type { Server as HttpServer } from 'node:http';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import type { ClientCore } from '../core/core.ts';
import type { SessionWarning } from '../core/emulator/activity/linter.ts';
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

/** Tells of requests that begin or end to wait for a person; the returned function ends it. */
export type OnRequest = (
  listener: (event: 'added' | 'settled', request: WaitingRequest) => void,
) => () => void;

/** A core that is ready to start, and what belongs to it. */
export interface BuiltCore {
  readonly core: ClientCore;
  /** Absent for a core that leaves consent to somebody else. */
  readonly onRequest?: OnRequest;
  /** Web pages that the core's own data lets in, besides those the user added; asked each time. */
  readonly origins?: () => readonly OriginEntry[];
  /** Embedded apps that the core launches, for whoever serves the pages around them. */
  readonly activities?: ActivityDirectory & {
    serveBy(door: { open(): Promise<number> }): void;
  };
  /** The name of an application; undefined for one that the core does not know, or whose name it does not. */
  readonly applicationName?: (clientId: string) => string | undefined;
  /** Takes over what changed in the configuration; absent where that needs a new start. */
  readonly reload?: (options: Pick<CoreOptions, 'fixture' | 'consent'>) => Promise<void>;
  /** Frees what was taken for it, once the core has stopped. */
  readonly release: () => void;
}

/** Path of a fixture file, what such a file would hold, or null for the built-in one. */
export type FixtureSource = string | null | { readonly inline: object };

/** What outlives a bridge without a data folder in the process that starts it again. */
export interface KeptInMemory {
  readonly store: Store;
  readonly machine: MachineClock;
  /** Where the emulator before this one ended: its exported state, and what its clock showed. */
  readonly from?: { readonly state: string; readonly clock: ClockStatus } | undefined;
}

/** What a core may be configured with. */
export interface CoreOptions {
  readonly fixture: FixtureSource;
  readonly consent: 'ask' | 'allow' | 'deny';
  /** Who may allow what waits for a person. */
  readonly mayAnswer: AnswerRule;
  /** Told of the core's HTTP server, to watch what it is asked. */
  readonly observeHttp?: ((server: HttpServer) => void) | undefined;
  /** Told of each doubt about an activity, where the fixture wants them told. */
  readonly onDoubt?: ((doubt: SessionWarning) => void) | undefined;
  /** Where what passes is written down; without it nothing is. */
  readonly journal?: Journal | undefined;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** Whether an app may ask the person only so often and waits after a no, and a page takes no Allow before it can be read. */
  readonly promptLimits: boolean;
  /** `auto`: the usual one, or any free one where that is taken. */
  readonly httpPort: 'auto' | number;
  /** Connections of the emulator's gateway at a time. */
  readonly gatewayConnections: number;
  /** Whether the user let pages of this origin in. */
  readonly pageRule: (origin: string) => boolean;
  /** Notifies of a page that the core's own port turned away. */
  readonly onRefusedPage: (page: TurnedAway) => void;
  /** How many connections of `wanted` a core's own port may have at a time. */
  readonly placesOf: (wanted: number) => number;
  /** `chosen`: the user named the folder, so that the bridge does not go on without it. */
  readonly data:
    | { readonly kind: 'folder'; readonly path: string; readonly chosen?: boolean }
    | { readonly kind: 'memory'; readonly memory?: KeptInMemory };
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
