import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../server/options.ts';
import type { Settings } from './config/settings.ts';

/**
 * Runs `reload` once at a time; a call during a run is followed by one more run, however many came. A failure is
 * logged and changes nothing. What the error quotes is our own text: file, key and reason.
 */
export function reloader(reload: () => Promise<void>, logger: Logger): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      try {
        await reload();
        logger.info({}, 'configuration read again');
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        logger.error({ reason }, 'configuration not read again: everything stays as it was');
      }
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}

/** What a reload puts into effect. The rest is read once: what listens, where files lie. */
const LIVE: ReadonlySet<string> = new Set(['fixture', 'consent', 'logLevel', 'limits', 'journal']);
/** Limits of transports, and of pools that are already shared out. */
const FIXED_LIMITS = [
  'handshakeFrameBytes',
  'unreadBytes',
  'partialBytes',
  'unreadTotalBytes',
  'waitingTotalBytes',
  'connectsBurst',
  'connectsPerSecond',
] as const;

/** The names of changed settings that a reload cannot put into effect. */
export function needsRestart(before: Settings, after: Settings): string[] {
  return [
    ...Object.entries(after)
      .filter(([key, value]) => !LIVE.has(key) && !isDeepStrictEqual(value, Reflect.get(before, key)))
      .map(([key]) => key),
    ...FIXED_LIMITS.filter((key) => before.limits[key] !== after.limits[key]).map((key) => `limits.${key}`),
  ];
}
