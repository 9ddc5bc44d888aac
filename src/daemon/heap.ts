import type { Native, NativeAbsence } from '../../platform/native/native.ts';
import { residentMemory } from '../../platform/process/resident-memory.ts';
import { collector } from './collect.ts';
import { growYoungGeneration, youngGeneration } from './young-generation.ts';

/** Time from the start of the last listener until the start of the bridge counts as over (ms). */
const SETTLED_MS = 250;

/** Interval of the checks for memory to release (ms). */
const CHECK_INTERVAL_MS = 10_000;
/**
 * Maximum of processor time in an interval that counts as idle (ms). A full collection takes some tens of milliseconds
 * and must not delay a request.
 */
const MAX_IDLE_MS = 200;
/** Minimum growth since the last release (factor) that is worth another release. */
const WORTH = 1.15;
/** Number of repeated releases: V8 frees buffers on another thread, some time after it has found them to be garbage. */
const AGAIN = 2;

/** Measurements and actions of {@link Releasing}. */
export interface Memory {
  /** Resident memory of the process (bytes); null where the system does not report it: then only the start releases. */
  resident(): number | null;
  /** Processor time of the process so far (ms). */
  processorMs(): number;
  /** Returns unused memory to the system. */
  release(): void;
}

/**
 * Returns memory to the system once the process is idle after a load. Otherwise the process would stay at its peak for
 * good.
 */
export class Releasing {
  readonly #memory: Memory;
  #processorMs: number;
  /** Resident size after the last release, or the minimum since then (bytes). */
  #floor: number;
  #again = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    memory.release();
    this.#floor = memory.resident() ?? Number.POSITIVE_INFINITY;
    this.#processorMs = memory.processorMs();
  }

  /** Checks the memory and releases it if the process is idle; call this method at an interval of 10 s. */
  check(): void {
    const memory = this.#memory;
    const now = memory.processorMs();
    const isIdle = now - this.#processorMs < MAX_IDLE_MS;
    this.#processorMs = now;
    const resident = memory.resident();
    if (resident === null) return;
    this.#floor = Math.min(this.#floor, resident);
    if (!isIdle) return;
    if (resident >= this.#floor * WORTH) this.#again = AGAIN;
    else if (this.#again > 0) this.#again -= 1;
    else return;
    memory.release();
    this.#floor = memory.resident() ?? resident;
    this.#processorMs = memory.processorMs();
  }
}

/**
 * Releases memory from the end of the start on: the compilation of the program took megabytes that are free by then,
 * and that the C library would not return while the process is idle. After each release, the young generation is
 * enlarged again: its pages return to the system with the release, and until they are used they occupy no memory.
 */
export function releaseWhenIdle(native: Native | NativeAbsence, resident = residentMemory): void {
  const trim = (): void => void (native.kind === 'loaded' && native.releaseFreed());
  setTimeout(() => {
    const collect = collector();
    const generation = youngGeneration(collect);
    let release = trim;
    const releasing = new Releasing({
      resident,
      processorMs: () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1000;
      },
      release: () => release(),
    });
    growYoungGeneration(generation);
    release = () => {
      collect('all');
      trim();
      growYoungGeneration(generation);
    };
    setInterval(() => releasing.check(), CHECK_INTERVAL_MS).unref();
  }, SETTLED_MS).unref();
}
