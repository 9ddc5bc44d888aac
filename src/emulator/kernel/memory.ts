import { getHeapStatistics } from 'node:v8';
import type { RoomLimits } from './state/room.ts';

/** Shares of the emulator's parts in the heap of this process. */
export interface MemoryLimits {
  /** Records and their derived data. */
  readonly room: RoomLimits;
  /** Bytes that all gateway sessions together may store for a replay. */
  readonly replayed: number;
  /** Bytes that all gateway connections together may leave unread. */
  readonly unread: number;
}

const REPLAYED = 64 * 1024 * 1024;
const UNREAD = 128 * 1024 * 1024;
const MIB = 1024 * 1024;
/**
 * Bytes that V8 adds to the old generation in its reported limit: three semi-spaces, each of 64 MiB since version 13
 * and of 16 MiB before.
 */
const YOUNG = Number.parseInt(process.versions.v8, 10) >= 13 ? 192 * MIB : 48 * MIB;
/** Memory that the daemon's code and its own objects take before the first row exists (bytes). */
const OWN = 24 * MIB;
/** Shares of the remaining heap; the rest is for other parts of the daemon, for responses, and for garbage. */
const SOFT = 0.4;
const HARD = 0.45;
const WHOLE = 0.6;
const GATEWAY = 0.1;

/** Maximum size of the old generation of this process, as in `--max-old-space-size` (bytes). */
function oldGeneration(): number {
  return getHeapStatistics().heap_size_limit - YOUNG;
}

/**
 * Divides an old generation between the emulator's parts. `heap` is its size in bytes; the default is V8's limit for
 * this process.
 */
export function memoryLimits(heap: number = oldGeneration()): MemoryLimits {
  const free = Math.max(heap - OWN, 0);
  return {
    room: { soft: SOFT * free, hard: HARD * free, whole: WHOLE * free },
    replayed: Math.min(REPLAYED, GATEWAY * free),
    unread: Math.min(UNREAD, GATEWAY * free),
  };
}
