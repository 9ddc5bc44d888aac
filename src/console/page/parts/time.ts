import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { amount } from '../../../base/text.ts';
import { timeOfDay } from '../../../journal/describe.ts';

/** Units by their size and by the shortest span that is written in them (s): below two minutes every second counts. */
const UNITS = [
  [86_400, 'day', 86_400],
  [3600, 'hour', 3600],
  [60, 'minute', 120],
  [1, 'second', 1],
] as const;

/** Time span in words of its largest unit, such as `3 minutes` or `90 seconds`; `ms` below zero counts as zero. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [size, unit] = UNITS.find(([, , min]) => seconds >= min) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return amount(count, unit);
}

/** Moment in words beside `now`: `just now`, `3 minutes ago`, `in 20 seconds`; both in ms since the Unix epoch. */
function agoText(at: number, now: number): string {
  if (Math.abs(now - at) < 1000) return 'just now';
  return at < now ? `${spanText(now - at)} ago` : `in ${spanText(at - now)}`;
}

/** Time of day of a moment on a clock of 24 hours, such as `04:14:09`, after the date where it is of another day. */
export function timeText(at: number, now = Date.now()): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return clockText(at);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return `${day.map((part) => String(part).padStart(2, '0')).join('-')} ${clockText(at)}`;
}

/** Time of day in seconds, as the filter's `time:` reads it. */
export function clockText(at: number): string {
  return timeOfDay(at).slice(0, -'.000'.length);
}

/** Moment in words; its tooltip is the exact time. */
export function Ago({ at, now }: { readonly at: number; readonly now: number }): VNode {
  return html`<time dateTime=${new Date(at).toISOString()} title=${timeText(at, now)}>${agoText(at, now)}</time>` as VNode;
}
