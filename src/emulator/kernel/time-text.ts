import { SettingError } from './errors.ts';

// Durations and times in the form in which users write them.

const DURATION = /^(?:(\d{1,6})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,12})s)?(?:(\d{1,15})ms)?$/;
const UNITS = [86_400_000, 3_600_000, 60_000, 1000, 1] as const;

/** Parses a duration such as `2h`, `1d12h` or `500ms` into milliseconds. @throws SettingError */
export function parseDuration(text: string): number {
  const parts = text === '' ? null : DURATION.exec(text);
  if (parts === null) throw new SettingError('time', 'must be a duration such as 90s, 2h, 1d12h or 500ms');
  return UNITS.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0);
}

/**
 * Whether the day of a time exists. `Date.parse` alone is not enough: it reads the 30th of February as the 2nd of
 * March.
 */
export function isRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(day).toISOString().startsWith(day);
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * A time in ISO 8601 with its zone, or a day in UTC, in milliseconds since the Unix epoch. `key` names it in errors.
 * @throws SettingError
 */
export function parseMoment(text: string, key = 'time'): number {
  const time = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || !isRealDay(text)) {
    throw new SettingError(key, 'must be a time such as 2030-01-31T12:00:00Z, or a day such as 2030-01-31');
  }
  return time;
}
