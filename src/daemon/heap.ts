import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Native, NativeAbsence } from '../../platform/native/native.ts';

/** From when everything listens until the start counts as over (ms). */
const SETTLED_MS = 1000;

/** How often it is looked at whether there is something to give back (ms). */
const LOOK_MS = 10_000;
/** So much processor time in that time is a calm (ms): a full collection takes some tens, which nobody is to wait for. */
const CALM_MS = 200;
/** It is worth the while when this much more is held than after the last time. */
const WORTH = 1.15;
/** So often it is done again after that: V8 frees buffers on another thread, some time after it has found them to be garbage. */
const AGAIN = 2;

/** What {@link Releasing} looks at, and what it does. */
export interface Memory {
  /** Resident memory of the process (bytes). */
  resident(): number;
  /** Processor time of the process so far (ms). */
  processorMs(): number;
  /** Gives back what is not needed. */
  release(): void;
}

/** Gives memory back once the process rests after a load: left alone, it would keep what that had needed for good. */
export class Releasing {
  readonly #memory: Memory;
  #processorMs: number;
  /** Resident after the last release, or the least since then (bytes). */
  #kept: number;
  #again = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    memory.release();
    this.#kept = memory.resident();
    this.#processorMs = memory.processorMs();
  }

  /** To be called at an interval of 10 s. */
  look(): void {
    const memory = this.#memory;
    const now = memory.processorMs();
    const isCalm = now - this.#processorMs < CALM_MS;
    this.#processorMs = now;
    const resident = memory.resident();
    this.#kept = Math.min(this.#kept, resident);
    if (!isCalm) return;
    if (resident >= this.#kept * WORTH) this.#again = AGAIN;
    else if (this.#again > 0) this.#again -= 1;
    else return;
    memory.release();
    this.#kept = memory.resident();
    this.#processorMs = memory.processorMs();
  }
}

/**
 * From the end of the start on: compiling the program took megabytes that are free by then, and that the C library would
 * keep for a process that rests.
 */
export function releaseWhenCalm(native: Native | NativeAbsence): void {
  const trim = (): void => void (native.kind === 'loaded' && native.releaseFreed());
  setTimeout(() => {
    let release = trim;
    const releasing = new Releasing({
      resident: () => process.memoryUsage.rss(),
      processorMs: () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1000;
      },
      release: () => release(),
    });
    release = () => {
      collectGarbage();
      trim();
    };
    setInterval(() => releasing.look(), LOOK_MS).unref();
  }, SETTLED_MS).unref();
}

/** V8 collects when somebody allocates, and a process that rests does not. Only a context made after the flag has the call. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect();
}
