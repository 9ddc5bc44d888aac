import { readFileSync } from 'node:fs';

/**
 * Maximum number of descriptors of this process (soft `RLIMIT_NOFILE`), from proc(5) `limits`. Undefined where the
 * system does not report it, and when there is no limit. Node raises the soft limit to the hard one when it starts.
 */
export function descriptorLimit(path = '/proc/self/limits'): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)\s/m.exec(readFileSync(path, 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/**
 * Descriptors that apps cannot use: files, the log, the control socket, the listeners, and connections that are being
 * refused.
 */
const RESERVED = 64;
/** Minimum of connections, below which the bridge would be of no use; the system drops those that do not fit. */
const LEAST = 16;

/**
 * Number of connections of `wanted` that fit below a limit of descriptors, with 64 reserved for ourselves. `each` is
 * the number of descriptors per connection: its own, and those that the core opens for it.
 */
export function affordableConnections(wanted: number, limit: number | undefined, each = 1): number {
  return limit === undefined
    ? wanted
    : Math.min(wanted, Math.max(LEAST, Math.floor((limit - RESERVED) / each)));
}

/** Descriptors open in an idle bridge, and a reserve for files. */
const OWN = 40;
/**
 * Control socket, token endpoint or attach port, presence bridge, gateway, and web pages that have not sent a request
 * yet.
 */
const SIDE_DOORS = 5;
/** Minimum of a listener: with fewer connections it would refuse a user's second command. */
const LEAST_PLACES = 3;
/** A bot, and the same bot when it reconnects. */
const LEAST_REST = 2;

/**
 * Number of connections of `wanted` that each other listener may have besides `connections` of apps, which need `each`.
 */
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

/** Number of connections of `wanted` that a last listener may have besides `others`, which have a descriptor each. */
export function affordableRest(wanted: number, others: number, limit: number | undefined): number {
  return limit === undefined ? wanted : Math.min(wanted, Math.max(LEAST_REST, limit - OWN - others));
}
