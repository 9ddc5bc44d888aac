import { createHash } from 'node:crypto';
import { type ApiError, generalError } from '../../api/api-error.ts';
import type { Communication, Operation } from '../../api/operation.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type HeaderFields, namedFields } from './header-fields.ts';

/**
 * Maximum number of requests per caller, route and window, and the length of the window in seconds. The values are the
 * emulator's own, because the platform publishes none.
 */
const LIMIT = 50;
const WINDOW_S = 1;
/** Maximum number of requests per second of one caller on all routes, as the platform publishes it. */
const GLOBAL = 50;
/**
 * Limits before an application is approved: number of requests of all its users together per window of
 * `COMMUNICATION_WINDOW_S` seconds.
 */
const COMMUNICATION: Readonly<Record<Communication, number>> = {
  'lobby-join': 100,
  'lobby-change': 100,
  'lobby-link': 20,
  'lobby-message': 100,
  'direct-message': 100,
};
const COMMUNICATION_WINDOW_S = 2 * 60 * 60;
/** Maximum number of windows in memory; the least recently used one is dropped. */
const MAX_WINDOWS = 10_000;

interface Window {
  readonly ends: number;
  used: number;
}

/** Path parameters whose values are limited separately. */
const MAJOR = ['channel_id', 'guild_id', 'webhook_id'] as const;

/** The caller whose requests are counted. */
export interface Counted {
  readonly name: string;
  /** Id of the caller's application. */
  readonly application: string;
}

/** The limits in force. */
export interface LimitsInForce {
  readonly isEnforced: () => boolean;
  readonly isPreApproval: () => boolean;
}

/** A limit, as in the headers. */
interface Limit {
  readonly bucket: string;
  readonly maxRequests: number;
  readonly seconds: number;
  readonly scope: 'user' | 'global' | 'shared';
}

/**
 * Rate limit headers, which real clients obey. They are always sent. They count down, and lead to 429, only while
 * limits are enforced, because a client would otherwise wait needlessly in a test. A separate setting controls the
 * limits before an approval.
 */
export class RateLimits {
  readonly #clock: Clock;
  readonly #inForce: LimitsInForce;
  readonly #windows = new Map<string, Window>();
  /** Limits by operation. */
  readonly #routes = new WeakMap<object, Limit>();

  constructor(clock: Clock, inForce: LimitsInForce) {
    this.#clock = clock;
    this.#inForce = inForce;
  }

  /** Counts a request and returns header fields of its reply. @throws ApiError 429. */
  take(
    operation: Pick<Operation, 'method' | 'path' | 'communication'>,
    params: Readonly<Record<string, string>>,
    { name, application }: Counted,
  ): HeaderFields {
    const { communication } = operation;
    const route = this.#routeOf(operation);
    const headers = this.#inForce.isEnforced()
      ? this.#takeRoute(route, params, name)
      : unusedHeaders(route, this.#clock.now());
    if (communication === undefined || !this.#inForce.isPreApproval()) return headers;
    // The headers show this limit, because a game reaches it first.
    return this.#use(application, {
      bucket: bucketOf(communication),
      maxRequests: COMMUNICATION[communication],
      seconds: COMMUNICATION_WINDOW_S,
      scope: 'shared',
    });
  }

  #routeOf(operation: Pick<Operation, 'method' | 'path'>): Limit {
    let route = this.#routes.get(operation);
    if (route === undefined) {
      const bucket = bucketOf(`${operation.method} ${operation.path}`);
      route = { bucket, maxRequests: LIMIT, seconds: WINDOW_S, scope: 'user' };
      this.#routes.set(operation, route);
    }
    return route;
  }

  /**
   * Counts a request of a route. The route's limit is checked first, so a caller exceeds the global limit only across
   * several routes.
   */
  #takeRoute(route: Limit, params: Readonly<Record<string, string>>, name: string): HeaderFields {
    const major = MAJOR.map((one) => params[one] ?? '').join(' ');
    const headers = this.#use(`${major} ${name}`, route);
    this.#use(name, { bucket: 'global', maxRequests: GLOBAL, seconds: WINDOW_S, scope: 'global' });
    return headers;
  }

  #use(who: string, limit: Limit): HeaderFields {
    const now = this.#clock.now();
    const key = `${limit.bucket} ${who}`;
    const known = this.#windows.get(key);
    const ends = now + limit.seconds * 1000;
    // A window that ends later than a new one began before the clock was set back, so it is discarded.
    const isOpen = known !== undefined && known.ends > now && known.ends <= ends;
    const window = isOpen ? known : { ends, used: 0 };
    if (window.used >= limit.maxRequests) throw tooMany(limit, window, now);
    window.used += 1;
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MAX_WINDOWS && oldest !== undefined) this.#windows.delete(oldest);
    return headersOf(limit, window, now);
  }
}

function bucketOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

function headersOf({ bucket, maxRequests }: Limit, { used, ends }: Window, now: number): HeaderFields {
  return [
    'X-RateLimit-Limit',
    String(maxRequests),
    'X-RateLimit-Remaining',
    String(maxRequests - used),
    'X-RateLimit-Reset',
    (ends / 1000).toFixed(3),
    'X-RateLimit-Reset-After',
    ((ends - now) / 1000).toFixed(3),
    'X-RateLimit-Bucket',
    bucket,
  ];
}

/** Headers of the first request of a window that begins at `now`. */
function unusedHeaders(limit: Limit, now: number): HeaderFields {
  return headersOf(limit, { used: 1, ends: now + limit.seconds * 1000 }, now);
}

function tooMany(limit: Limit, window: Window, now: number): ApiError {
  const seconds = Math.max(0.001, (window.ends - now) / 1000);
  const { scope } = limit;
  return generalError(429, 'You are being rate limited.', {
    more: { retry_after: seconds, global: scope === 'global' },
    headers: {
      ...(scope === 'global' ? { 'X-RateLimit-Global': 'true' } : namedFields(headersOf(limit, window, now))),
      'X-RateLimit-Scope': scope,
      'Retry-After': String(Math.ceil(seconds)),
    },
  });
}
