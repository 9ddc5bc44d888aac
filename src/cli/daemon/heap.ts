import { setFlagsFromString } from 'node:v8';
import type { Native, NativeAbsence } from '../../../platform/native.ts';

/** How far the heap may grow beyond what was alive at the last full collection (percent). */
const GROWTH_PERCENT = 30;

/** From when everything listens until the start counts as over (ms). */
const SETTLED_MS = 1000;

/**
 * Collects garbage earlier than V8 would: left to itself it lets the heap of a small process grow to four times what
 * is alive, and a program that connects again and again would make us look as if we leaked.
 */
export function growSlowly(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

/**
 * Once the start is over: where V8 had kept no code of the program, compiling it took megabytes that are free by then, and
 * that the C library would keep for a process that rests.
 */
export function releaseAfterStart(native: Native | NativeAbsence): void {
  if (native.kind === 'loaded') setTimeout(() => native.releaseFreed(), SETTLED_MS).unref();
}
