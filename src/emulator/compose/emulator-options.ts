import type { Faults } from '../../faults/faults.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Store } from '../accounts/oauth2/storage/store.ts';
import type { ConsentPolicy } from '../applications/records.ts';
import type { ClockStatus, MachineClock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { MemoryLimits } from '../kernel/memory.ts';
import type { Fixture, StateRows } from './fixture/fixture.ts';

/** What an emulator is made of. */
export interface EmulatorOptions {
  readonly fixture: Fixture | StateRows;
  /** Begins where another ended, and not at the fixture; that is where a reset goes. */
  readonly from?: { readonly world: StateRows; readonly clock: ClockStatus } | undefined;
  /** Default: forgets everything with the process. */
  readonly storage?: Store;
  /** The clock of the machine, which the emulator's own follows until it is set. */
  readonly clock?: MachineClock;
  readonly consent?: {
    /** Default `ask`. */
    readonly policy?: ConsentPolicy;
    /** How long a request waits for a person; default 120 000 ms. */
    readonly timeoutMs?: number;
    /** New prompts in a minute per process and per application; default 3. */
    readonly promptsPerMinute?: number;
    /** The pause after a denial, which doubles with each; default 15 000 ms, 0 is none. */
    readonly pauseMs?: number;
    /** How long a page must be visible before its Allow counts; default 600 ms, 0 is none. */
    readonly readingMs?: number;
  };
  /** What its parts may take of the heap; default follows from the heap of this process. */
  readonly memory?: MemoryLimits;
  /** Connections of the gateway at a time; default 2,000. */
  readonly gatewayPlaces?: number | undefined;
  /** Where what passes is written down; without it nothing is. */
  readonly journal?: Journal | undefined;
  /** What goes wrong on purpose; without it nothing does. */
  readonly faults?: Faults;
  readonly log?: Log;
}
