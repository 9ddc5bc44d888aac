import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { amount } from '../../../base/text.ts';

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Number of units from which a span is told in them: below two minutes every second counts. */
const FROM: Readonly<Record<string, number>> = { minute: 2 };

/** Time span in words of its largest unit, such as `3 minutes` or `90 seconds`; `ms` below zero counts as zero. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [size, unit] = UNITS.find(([one, name]) => seconds >= one * (FROM[name] ?? 1)) ?? [1, 'second'];
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
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  if (date.toDateString() === new Date(now).toDateString()) return time;
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
  return `${day} ${time}`;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Moment in words; its tooltip is the exact time. */
export function Ago({ at, now }: { readonly at: number; readonly now: number }): VNode {
  return html`<time dateTime=${new Date(at).toISOString()} title=${timeText(at, now)}>${agoText(at, now)}</time>` as VNode;
}
