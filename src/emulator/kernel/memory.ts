import { getHeapStatistics } from 'node:v8';
import type { RoomLimits } from './state/room.ts';

/** What parts of the emulator may take of the heap of this process. */
export interface MemoryLimits {
  /** Records, and what is made of them. */
  readonly room: RoomLimits;
  /** What all sessions of the gateway together may keep to tell it again (bytes). */
  readonly replayed: number;
  /** What all connections of the gateway together may leave unread (bytes). */
  readonly unread: number;
}

const REPLAYED = 64 * 1024 * 1024;
const UNREAD = 128 * 1024 * 1024;
const MIB = 1024 * 1024;
/** What V8 adds to the old generation in its limit: three semi-spaces, which are of 64 MiB from its version 13 on. */
const YOUNG = Number.parseInt(process.versions.v8, 10) >= 13 ? 192 * MIB : 48 * MIB;
/** What the code of a daemon and its own objects take before there is a row. */
const OWN = 24 * MIB;
/** Of the rest of the heap: what is left is for the rest of the daemon, for what requests are answered with, and for garbage. */
const SOFT = 0.4;
const HARD = 0.45;
const WHOLE = 0.6;
const GATEWAY = 0.1;

/** How large the old generation of this process may become, as `--max-old-space-size` says it (bytes). */
function oldGeneration(): number {
  return getHeapStatistics().heap_size_limit - YOUNG;
}

/** Divides an old generation of so many bytes; default is what V8 gives this process. */
export function memoryLimits(heap: number = oldGeneration()): MemoryLimits {
  const free = Math.max(heap - OWN, 0);
  return {
    room: { soft: SOFT * free, hard: HARD * free, whole: WHOLE * free },
    replayed: Math.min(REPLAYED, GATEWAY * free),
    unread: Math.min(UNREAD, GATEWAY * free),
  };
}
