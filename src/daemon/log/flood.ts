import type { LogFields } from '../../core/core.ts';
import type { Logger } from '../../server/options.ts';

/** Time window in which one cause of one client is logged once (ms). */
const WINDOW_MS = 10_000;
/**
 * Maximum of lines per window for all causes together, because a peer can pick a new client id for every connection.
 */
const LINES_PER_WINDOW = 200;

/**
 * Prevents misbehaving peers from filling the disk: in 10 s it passes at most one `warn` or `error` line for the same
 * message, client and reason, and at most 200 in all. The first line after the 10 s reports the number of dropped
 * lines. `debug` and `info` lines always pass, because the operator enabled them. `now` is in ms.
 */
export function withoutFloods(logger: Logger, now: () => number = () => performance.now()): Logger {
  const logged = new Set<string>();
  // A window begins with its first line, so that a start without lines does not load the clock.
  let windowEnds = Number.NEGATIVE_INFINITY;
  let leftOut = 0;

  const startWindow = (): void => {
    windowEnds = now() + WINDOW_MS;
    logged.clear();
    if (leftOut > 0) logger.warn({ count: leftOut }, 'log lines left out: repeated, or too many at once');
    leftOut = 0;
  };
  const limit = (level: 'warn' | 'error') => (fields: LogFields, message: string) => {
    if (now() >= windowEnds) startWindow();
    const cause = JSON.stringify([level, message, fields.clientId, fields.code, fields.reason]);
    if (logged.has(cause) || logged.size >= LINES_PER_WINDOW) {
      leftOut += 1;
      return;
    }
    logged.add(cause);
    logger[level](fields, message);
  };
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: limit('warn'),
    error: limit('error'),
  };
}
