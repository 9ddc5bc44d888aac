import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { amount } from '../../../base/text.ts';

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Time span in words of its largest unit, such as `3 minutes`; `ms` below zero counts as zero. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [size, unit] = UNITS.find(([one]) => seconds >= one) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return amount(count, unit);
}

/** Moment in words beside `now`: `just now`, `3 minutes ago`, `in 20 seconds`; both in ms since the Unix epoch. */
function agoText(at: number, now: number): string {
  if (Math.abs(now - at) < 1000) return 'just now';
  return at < now ? `${spanText(now - at)} ago` : `in ${spanText(at - now)}`;
}

/** Time of day of a moment, with the date where it is not of today. */
export function timeText(at: number, now = Date.now()): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

/** Moment in words; its tooltip is the exact time. */
export function Ago({ at, now }: { readonly at: number; readonly now: number }): VNode {
  const date = new Date(at);
  return html`<time dateTime=${date.toISOString()} title=${date.toLocaleString()}>${agoText(at, now)}</time>` as VNode;
}
