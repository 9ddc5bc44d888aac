import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../base/local-error.ts';
import type { Logger } from '../server/options.ts';
import { snakeCase } from './config/keys.ts';
import type { Settings } from './config/settings.ts';

/**
 * Returns a function that runs `reload`, one run at a time; calls during a run cause one further run. A failed run is
 * logged and changes no setting. The logged error is Footbridge's own text: file, key and reason.
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
        const reason = messageOf(error);
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

/** Settings that a reload applies. Other settings, such as listeners and paths of files, are read once at the start. */
const LIVE: ReadonlySet<string> = new Set([
  'fixture',
  'consent',
  'logLevel',
  'limits',
  'journal',
  'endpoints',
  'forwards',
  'presence',
  'presenceDefault',
  'presenceAway',
  'detect',
]);
/** Limits that a reload cannot apply: those of transports, and those of pools that are already divided. */
const FIXED_LIMITS = [
  'handshakeFrameBytes',
  'unreadBytes',
  'partialBytes',
  'unreadTotalBytes',
  'waitingTotalBytes',
] as const;

/** The keys of changed settings that need a restart, as the configuration file has them. */
export function needsRestart(before: Settings, after: Settings): string[] {
  const names = [
    ...Object.entries(after)
      .filter(([key, value]) => !LIVE.has(key) && !isDeepStrictEqual(value, Reflect.get(before, key)))
      .map(([key]) => key),
    ...FIXED_LIMITS.filter((key) => before.limits[key] !== after.limits[key]).map((key) => `limits.${key}`),
  ];
  return names.map(snakeCase);
}
