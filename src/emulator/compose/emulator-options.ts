import type { Faults } from '../../faults/faults.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Store } from '../accounts/oauth2/storage/store.ts';
import type { ConsentPolicy } from '../applications/records.ts';
import type { ClockStatus, MachineClock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { MemoryLimits } from '../kernel/memory.ts';
import type { Fixture, StateRows } from './fixture/fixture.ts';

/** Options of an emulator. */
export interface EmulatorOptions {
  readonly fixture: Fixture | StateRows;
  /** Name of the world that this emulator is; undefined for the one that owns the port. */
  readonly world?: string | undefined;
  /** State and clock to start from instead of the fixture. A reset still returns to the fixture. */
  readonly from?: { readonly world: StateRows; readonly clock: ClockStatus } | undefined;
  /** Store for grants, tokens and keys; by default they are stored in memory, and lost when the process ends. */
  readonly storage?: Store;
  /** The machine's clock, which the emulator's own clock follows until it is set. */
  readonly clock?: MachineClock;
  readonly consent?: {
    /** Default `ask`. */
    readonly policy?: ConsentPolicy;
    /** Timeout of a consent request in milliseconds; default 120 000. */
    readonly timeoutMs?: number;
    /** Maximum number of new prompts per minute, for each process and for each application; default 3. */
    readonly promptsPerMinute?: number;
    /**
     * Pause after a denial in milliseconds, doubled after each further denial; default 15 000; with 0, denials cause no
     * pause.
     */
    readonly pauseMs?: number;
    /**
     * Time in milliseconds for which a consent page must be visible before its Allow button counts; default 600; with
     * 0, it counts at once.
     */
    readonly readingMs?: number;
  };
  /** Memory limits of the emulator's parts; by default they are derived from the heap of this process. */
  readonly memory?: MemoryLimits;
  /** Maximum number of gateway connections; default 2,000. */
  readonly maxGatewayConnections?: number | undefined;
  /** Journal that records requests and events; without it nothing is recorded. */
  readonly journal?: Journal | undefined;
  /** Injected faults; by default there are no faults. */
  readonly faults?: Faults;
  /** Strict mode, whatever the fixture says; see `strict` of the fixture. */
  readonly strict?: boolean | undefined;
  readonly log?: Log;
}
