import type { AdminOperation, ClientCore } from '../core/core.ts';
import { inTime, noEndWithin } from '../core/time-limit.ts';
import { isObject } from '../protocol/json.ts';
import type { Logger } from './options.ts';

/** A running bridge's information about its core. */
export interface CoreInfo {
  readonly name: string;
  readonly api?: string;
  readonly admin: { readonly [operation: string]: AdminOperation };
  /** Lines for a status display, as label and text. */
  describe(): readonly (readonly [label: string, text: string])[];
}

const MAX_ROWS = 32;
const MAX_TEXT_LENGTH = 400;
/** Time limit for the stop of a core (ms); the whole shutdown of a service has only a few seconds. */
const STOP_MS = 2000;

/**
 * Returns the valid parts of the data that a core reported at its start, so that an invalid core cannot break the
 * status.
 */
export function coreInfo(name: string, started: unknown): CoreInfo {
  const { api, admin, describe } = isObject(started) ? started : {};
  const operations = Object.entries(isObject(admin) ? admin : {}).filter(
    (entry): entry is [string, AdminOperation] => isOperation(entry[1]),
  );
  return {
    name,
    ...(typeof api === 'string' ? { api } : {}),
    admin: Object.fromEntries(operations),
    describe() {
      try {
        const rows: unknown = typeof describe === 'function' ? describe.call(started) : [];
        return Array.isArray(rows) ? rows.slice(0, MAX_ROWS).flatMap(rowOf) : [];
      } catch {
        return [['core', 'it cannot describe itself']];
      }
    },
  };
}

function isOperation(value: unknown): value is AdminOperation {
  return (
    isObject(value) &&
    typeof value.summary === 'string' &&
    typeof value.args === 'function' &&
    typeof value.run === 'function'
  );
}

function rowOf(row: unknown): (readonly [string, string])[] {
  const [label, text]: unknown[] = Array.isArray(row) ? row : [];
  if (typeof label !== 'string' || typeof text !== 'string') return [];
  return [[label.slice(0, MAX_TEXT_LENGTH), text.slice(0, MAX_TEXT_LENGTH)]];
}

/** Stops a core. When the core fails or does not stop in time, logs this and continues without it. */
export async function stopCore(core: ClientCore, logger: Logger): Promise<void> {
  try {
    await inTime(
      () => core.stop(),
      STOP_MS,
      () => noEndWithin(STOP_MS),
    );
  } catch (error) {
    logger.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'the core did not stop');
  }
}
