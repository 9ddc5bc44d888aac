import { ControlError } from './control-error.ts';

/** Name of the header with the processes for which a call is made. */
export const FOR_PROCESSES = 'footbridge-for-processes';

/** How many it may name. */
const MAX_PROCESSES = 64;

/** Processes on whose behalf a call is made; `unknown` where the system should know the processes, but does not. */
export type Processes = readonly number[] | 'unknown';

/** The value of the header. */
export function processesText(processes: Processes): string {
  return processes === 'unknown' ? processes : processes.join(',');
}

/** Parses the header. Throws {@link ControlError} for any other text: a restriction must not be ignored. */
export function processesIn(text: string): Processes {
  if (text === 'unknown') return text;
  const named = text.split(',');
  if (named.length > MAX_PROCESSES || !named.every((one) => /^[1-9]\d{0,9}$/.test(one)))
    throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', `${FOR_PROCESSES} takes process ids, or "unknown"`);
  return named.map(Number);
}
