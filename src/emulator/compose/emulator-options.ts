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
  /** State and clock to start from instead of the fixture; a reset goes back to the fixture. */
  readonly from?: { readonly world: StateRows; readonly clock: ClockStatus } | undefined;
  /** Default: in memory, lost when the process ends. */
  readonly storage?: Store;
  /** The machine's clock, which the emulator's own clock follows until it is set. */
  readonly clock?: MachineClock;
  readonly consent?: {
    /** Default `ask`. */
    readonly policy?: ConsentPolicy;
    /** Timeout of a consent request in milliseconds; default 120 000. */
    readonly timeoutMs?: number;
    /** New prompts per minute, process and application; default 3. */
    readonly promptsPerMinute?: number;
    /** Pause after a denial in milliseconds, doubled by each further denial; default 15 000, 0 for none. */
    readonly pauseMs?: number;
    /** Time that a consent page must be visible before its Allow button counts, in milliseconds; default 600, 0 for none. */
    readonly readingMs?: number;
  };
  /** Memory limits of its parts; default derived from the heap of this process. */
  readonly memory?: MemoryLimits;
  /** Maximum number of gateway connections; default 2,000. */
  readonly maxGatewayConnections?: number | undefined;
  /** Records requests and events; without it nothing is recorded. */
  readonly journal?: Journal | undefined;
  /** Injected faults; without it there are none. */
  readonly faults?: Faults;
  readonly log?: Log;
}
