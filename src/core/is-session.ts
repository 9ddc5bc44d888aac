import { isObject } from '../protocol/json.ts';
import type { CoreSession } from './core.ts';

/** Whether a core's `open` returned a valid session. */
export function isSession(value: unknown): value is CoreSession {
  if (!isObject(value) || typeof value.close !== 'function' || !('handlers' in value)) return false;
  // A getter is not called: it may create the handlers for the first request, which an idle session never sends.
  const own = Object.getOwnPropertyDescriptor(value, 'handlers');
  return own === undefined || own.get !== undefined || isObject(own.value);
}
