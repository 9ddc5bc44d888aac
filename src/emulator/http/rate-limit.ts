import { createHash } from 'node:crypto';
import { ApiError } from '../api/api-error.ts';
import type { Clock } from '../clock.ts';
import type { Operation } from '../operation.ts';

/** Requests of one caller on one route in one window, and the window in seconds: ours, for the platform tells no numbers. */
const LIMIT = 50;
const WINDOW_S = 1;
/** Requests a second of one caller on all routes: the platform's own number. */
const GLOBAL = 50;
/** Callers and routes that are remembered. */
const MOST = 10_000;

interface Window {
  readonly ends: number;
  used: number;
}

/** What a path names that has limits of its own. */
const MAJOR = ['channel_id', 'guild_id', 'webhook_id'] as const;

/**
 * The headers that real clients obey. They are always there; only where the limits are enforced do they count, and end in
 * 429, because otherwise a client would wait for nothing in a test.
 */
export class RateLimits {
  readonly #clock: Clock;
  readonly #isEnforced: () => boolean;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, isEnforced: () => boolean) {
    this.#clock = clock;
    this.#isEnforced = isEnforced;
  }

  /** Counts a request and gives the headers of its answer. @throws ApiError 429. */
  take(
    { method, path }: Pick<Operation, 'method' | 'path'>,
    params: Readonly<Record<string, string>>,
    caller: string,
  ): Readonly<Record<string, string>> {
    const bucket = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 32);
    const now = this.#clock.now();
    if (!this.#isEnforced()) return headersOf(bucket, LIMIT - 1, now + WINDOW_S * 1000, now);
    const major = MAJOR.map((name) => params[name] ?? '').join(' ');
    // The route first: whoever asks one alone is told of that route, and of all only who asks several.
    const window = this.#use(`${bucket} ${major} ${caller}`, now, LIMIT, (used) =>
      tooMany({ window: used, now, scope: 'user', bucket }),
    );
    this.#use(`global ${caller}`, now, GLOBAL, (used) => tooMany({ window: used, now, scope: 'global' }));
    return headersOf(bucket, LIMIT - window.used, window.ends, now);
  }

  #use(key: string, now: number, limit: number, refuse: (window: Window) => ApiError): Window {
    const known = this.#windows.get(key);
    const ends = now + WINDOW_S * 1000;
    // One that ends later than that began before the clock was set back.
    const isOpen = known !== undefined && known.ends > now && known.ends <= ends;
    const window = isOpen ? known : { ends, used: 0 };
    if (window.used >= limit) throw refuse(window);
    window.used += 1;
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MOST && oldest !== undefined) this.#windows.delete(oldest);
    return window;
  }
}

function headersOf(bucket: string, remaining: number, ends: number, now: number): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(LIMIT),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': (ends / 1000).toFixed(3),
    'X-RateLimit-Reset-After': ((ends - now) / 1000).toFixed(3),
    'X-RateLimit-Bucket': bucket,
  };
}

function tooMany({
  window,
  now,
  scope,
  bucket,
}: {
  readonly window: Window;
  readonly now: number;
  readonly scope: 'user' | 'global';
  readonly bucket?: string;
}): ApiError {
  const seconds = Math.max(0.001, (window.ends - now) / 1000);
  return new ApiError(429, 'You are being rate limited.', {
    more: { retry_after: seconds, global: scope === 'global' },
    headers: {
      ...(bucket === undefined ? { 'X-RateLimit-Global': 'true' } : headersOf(bucket, 0, window.ends, now)),
      'X-RateLimit-Scope': scope,
      'Retry-After': String(Math.ceil(seconds)),
    },
  });
}
