import type { TimeStyle } from './nodes.ts';

/** Where a moment is read: its language, and its time zone; both default to the reader's own. */
export interface Locale {
  readonly language?: string | undefined;
  readonly zone?: string | undefined;
}

const FORMATS: Readonly<Record<Exclude<TimeStyle, 'R'>, Intl.DateTimeFormatOptions>> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
  s: { dateStyle: 'short', timeStyle: 'short' },
  S: { dateStyle: 'short', timeStyle: 'medium' },
};

const UNITS = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

const made = new Map<string, Intl.DateTimeFormat | Intl.RelativeTimeFormat>();

/** A formatter, made once: making one takes longer than a hundred uses. */
function once<T extends Intl.DateTimeFormat | Intl.RelativeTimeFormat>(key: string, make: () => T): T {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known as T;
}

/** Moment of a timestamp in words; `at` is in seconds, `now` in ms, both since the Unix epoch. */
export function timeText(at: number, style: TimeStyle, now: number, { language, zone }: Locale = {}): string {
  if (style === 'R') {
    const seconds = at - Math.floor(now / 1000);
    const [size, unit] = UNITS.find(([one]) => Math.abs(seconds) >= one) ?? [1, 'second'];
    const format = once(`R ${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
    return format.format(Math.trunc(seconds / size), unit);
  }
  const make = () => new Intl.DateTimeFormat(language, { ...FORMATS[style], timeZone: zone });
  return once(`${style} ${language} ${zone}`, make).format(at * 1000);
}

/** A moment of ISO 8601 in words; empty for what is none. */
export function momentText(iso: string, now: number, locale?: Locale): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? '' : timeText(at / 1000, 'f', now, locale);
}
