import { readFileSync } from 'node:fs';

/**
 * Maximum number of file descriptors of this process (soft `RLIMIT_NOFILE`), from proc(5) `limits`. Undefined when the
 * system does not report it or there is no limit. Node raises the soft limit to the hard limit at its start.
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
 * Number of file descriptors that are not available for apps: files, the log, the control socket, the listeners, and
 * connections that are being refused.
 */
const RESERVED = 64;
/**
 * Minimum number of connections, because a bridge with fewer is useless. The system drops connections that do not fit.
 */
const MIN_CONNECTIONS = 16;

/**
 * Returns how many of `wanted` connections fit below a limit of file descriptors, of which 64 are reserved for the
 * bridge. `each` is the number of descriptors per connection: the connection's own, and those that the core opens for
 * it.
 */
export function affordableConnections(wanted: number, limit: number | undefined, each = 1): number {
  return limit === undefined
    ? wanted
    : Math.min(wanted, Math.max(MIN_CONNECTIONS, Math.floor((limit - RESERVED) / each)));
}

/** Descriptors open in an idle bridge, and a reserve for files. */
const OWN = 40;
/**
 * Number of other listeners: control socket, token endpoint or attach port, presence bridge, gateway, and web pages
 * that have not sent a request yet.
 */
const SIDE_LISTENERS = 5;
/** Minimum number of connections of a listener; with fewer it would refuse a user's second command. */
const MIN_SLOTS = 3;
/** Minimum number of connections of the last listener: a bot, and the same bot when it reconnects. */
const MIN_REST = 2;

/**
 * Returns how many of `wanted` connections each other listener may have in addition to `connections` of apps, each of
 * which needs `each` descriptors.
 */
export function affordableSlots(
  wanted: number,
  connections: number,
  limit: number | undefined,
  each = 1,
): number {
  if (limit === undefined) return wanted;
  const share = Math.floor((limit - OWN - connections * each) / SIDE_LISTENERS);
  return Math.min(wanted, Math.max(MIN_SLOTS, share));
}

/**
 * Returns how many of `wanted` connections the last listener may have in addition to `others`, each of which needs one
 * descriptor.
 */
export function affordableRest(wanted: number, others: number, limit: number | undefined): number {
  return limit === undefined ? wanted : Math.min(wanted, Math.max(MIN_REST, limit - OWN - others));
}
