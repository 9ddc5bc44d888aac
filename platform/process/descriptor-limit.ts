import { readFileSync } from 'node:fs';

/**
 * How many descriptors this process may have open (soft `RLIMIT_NOFILE`), from proc(5) `limits`. Undefined where the
 * system does not tell, and when there is no limit. Node raises the soft limit to the hard one when it starts.
 */
export function descriptorLimit(path = '/proc/self/limits'): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)\s/m.exec(readFileSync(path, 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** Kept free of apps: files, the log, the control socket, the listeners, and connections that are being refused. */
const RESERVED = 64;
/** With fewer than this the bridge would be of no use; what then does not fit is dropped by the system. */
const LEAST = 16;

/**
 * How many connections of `wanted` fit below a limit of descriptors, with 64 kept for ourselves. `each` is what one
 * takes: its own, and those that the core opens for it.
 */
export function affordableConnections(wanted: number, limit: number | undefined, each = 1): number {
  return limit === undefined
    ? wanted
    : Math.min(wanted, Math.max(LEAST, Math.floor((limit - RESERVED) / each)));
}

/** Open in a bridge that serves nobody, and the last few, for files. */
const OWN = 40;
/** Control socket, token endpoint or attach port, presence bridge, gateway, and web pages that have said nothing yet. */
const SIDE_DOORS = 5;
/** A door with fewer would turn away a person's second command. */
const LEAST_PLACES = 3;
/** A bot, and the same bot when it comes back. */
const LEAST_REST = 2;

/** How many connections of `wanted` each of the other doors may have beside `connections` of apps, which take `each`. */
export function affordablePlaces(
  wanted: number,
  connections: number,
  limit: number | undefined,
  each = 1,
): number {
  if (limit === undefined) return wanted;
  const share = Math.floor((limit - OWN - connections * each) / SIDE_DOORS);
  return Math.min(wanted, Math.max(LEAST_PLACES, share));
}

/** How many connections of `wanted` a last door may have beside `others`, of which each has a descriptor. */
export function affordableRest(wanted: number, others: number, limit: number | undefined): number {
  return limit === undefined ? wanted : Math.min(wanted, Math.max(LEAST_REST, limit - OWN - others));
}
