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
/** Of the heap: what is left is for the rest of the daemon, for what requests are answered with, and for garbage. */
const SOFT = 0.4;
const HARD = 0.45;
const WHOLE = 0.6;
const GATEWAY = 0.1;

/** Divides a heap of so many bytes; default is what V8 gives this process. */
export function memoryLimits(heap: number = getHeapStatistics().heap_size_limit): MemoryLimits {
  return {
    room: { soft: SOFT * heap, hard: HARD * heap, whole: WHOLE * heap },
    replayed: Math.min(REPLAYED, GATEWAY * heap),
    unread: Math.min(UNREAD, GATEWAY * heap),
  };
}
