import { ControlError } from './control-error.ts';

/** The header that names whom a call is made for. */
export const FOR_PROCESSES = 'footbridge-for-processes';

/** How many it may name. */
const MAX_PROCESSES = 64;

/** On whose behalf somebody calls: `unknown` where the system should know, and does not. */
export type Processes = readonly number[] | 'unknown';

/** The value of the header. */
export function processesText(processes: Processes): string {
  return processes === 'unknown' ? processes : processes.join(',');
}

/** Reads it. Throws {@link ControlError} for anything else: what restricts must not be passed over. */
export function processesIn(text: string): Processes {
  if (text === 'unknown') return text;
  const named = text.split(',');
  if (named.length > MAX_PROCESSES || !named.every((one) => /^[1-9]\d{0,9}$/.test(one)))
    throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', `${FOR_PROCESSES} takes process ids, or "unknown"`);
  return named.map(Number);
}
