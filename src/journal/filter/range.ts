/** Numbers from `min` to below `max`; a `max` of an exact value is included. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly isMaxIncluded: boolean;
  readonly isMinExcluded: boolean;
}

/** Units of a duration, in ms. */
export const TIME_UNITS: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1000, m: 60_000 };
/** Units of a size, in bytes. */
export const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1000,
  kb: 1000,
  m: 1_000_000,
  mb: 1_000_000,
};

/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

type Units = Readonly<Record<string, number>> | 'time of day';

/** A number with the length of what it names: one minute for `14:03`. */
interface Point {
  readonly at: number;
  readonly length: number;
}

/** Reads `>N`, `>=N`, `<N`, `<=N`, `A..B` and `N`; undefined for anything else. */
export function rangeOf(text: string, units: Units): Range | undefined {
  const [, sign = '', rest = ''] = /^(>=|<=|>|<|)(.+)$/s.exec(text) ?? [];
  const ends = rest.split('..');
  const [first, second] = ends.map((one) => pointOf(one, units));
  if (first === undefined || ends.length > 2) return undefined;
  if (ends.length === 2) {
    if (second === undefined || sign !== '') return undefined;
    // The end of a time is not part of it, so that periods side by side share no row.
    return { min: first.at, max: second.at, isMaxIncluded: units !== 'time of day', isMinExcluded: false };
  }
  const open = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
  const exact = { isMaxIncluded: true, isMinExcluded: false };
  switch (sign) {
    case '>':
      return { ...open, ...exact, min: first.at, isMinExcluded: true };
    case '>=':
      return { ...open, ...exact, min: first.at };
    case '<':
      return { ...open, ...exact, max: first.at, isMaxIncluded: false };
    case '<=':
      return { ...open, ...exact, max: first.at };
    default:
      return { ...exact, min: first.at, max: first.at + first.length, isMaxIncluded: first.length === 0 };
  }
}

/** Whether a number is in a range. */
export function isWithin(value: number, { min, max, isMinExcluded, isMaxIncluded }: Range): boolean {
  return (isMinExcluded ? value > min : value >= min) && (isMaxIncluded ? value <= max : value < max);
}

/** Whether a time of day is in a range, which may go over midnight. */
export function isTimeWithin(value: number, range: Range): boolean {
  return range.min > range.max ? value >= range.min || value < range.max : isWithin(value, range);
}

function pointOf(text: string, units: Units): Point | undefined {
  if (units === 'time of day') return timePoint(text);
  const [, digits = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([a-z]*)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  return digits === '' || factor === undefined ? undefined : { at: Number(digits) * factor, length: 0 };
}

function timePoint(text: string): Point | undefined {
  const [whole, hours = '', minutes = '', seconds = '', parts = ''] =
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (hour > 24 || minute > 59 || second > 59) return undefined;
  const at = ((hour * 60 + minute) * 60 + second) * 1000 + Number(parts.padEnd(3, '0'));
  if (at > DAY_MS) return undefined;
  return { at, length: seconds === '' ? 60_000 : parts === '' ? 1000 : 1 };
}

/** Milliseconds since midnight in the reader's time zone. */
export function timeOfDayMs(at: number): number {
  const time = new Date(at);
  return ((time.getHours() * 60 + time.getMinutes()) * 60 + time.getSeconds()) * 1000 + (at % 1000);
}
