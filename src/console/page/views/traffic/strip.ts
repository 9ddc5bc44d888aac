import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { amount } from '../../../../base/text.ts';
import type { Exchange } from '../../../../journal/exchange.ts';
import { isTimeWithin, type Range, timeOfDayMs } from '../../../../journal/filter/range.ts';
import { clockText } from '../../parts/time.ts';
import { useSeconds } from '../../shell/seconds.ts';
import { BUCKETS, type Bucket, bucketsOf } from './buckets.ts';
import { durationText } from './row-text.ts';

/** Heights of the two lanes of the drawing: durations above, rows and errors below. */
const LANE = 22;
const GAP = 2;
/** Number of rows that are counted within a frame. */
const MAX_AT_ONCE = 20_000;

/**
 * Durations and errors over time. A click selects the time of a bar, a second click everything again; with the keyboard
 * the arrows and Enter.
 */
export function Strip({
  rows,
  selected,
  select,
}: {
  readonly rows: readonly Exchange[];
  /** Times of day that the filter selects. */
  readonly selected: Range | undefined;
  readonly select: (bucket: Bucket | undefined) => void;
}): VNode {
  const now = useSeconds();
  const [cursor, setCursor] = useState(BUCKETS - 1);
  const [isUsed, setUsed] = useState(false);
  const [chosen, setChosen] = useState(-1);
  // Once a second: rows come with each frame. After a change of the filter at once, unless it lets too many through.
  const buckets = useMemo(() => bucketsOf(rows, now), [rows.length > MAX_AT_ONCE ? undefined : rows, now]);
  const slowest = Math.max(1, ...buckets.map(({ p95 = 0 }) => p95));
  const busiest = Math.max(1, ...buckets.map(({ count }) => count));
  const errors = buckets.reduce((sum, bucket) => sum + bucket.errors, 0);
  const at = buckets[cursor];
  const isSelected = ({ from }: Bucket): boolean =>
    selected !== undefined && isTimeWithin(timeOfDayMs(from), selected);
  // With the keyboard a second choice is at the same place, where time has moved on.
  const choose = (bucket: Bucket | undefined): void => {
    if (bucket !== undefined) select(isSelected(bucket) ? undefined : bucket);
  };
  // Durations as roots, because one slow answer would hide all others.
  const bars = useMemo(
    () =>
      buckets.map((bucket, index) => {
        const { count, errors: failed, p95 = 0 } = bucket;
        const state = `${isSelected(bucket) ? ' selected' : ''}${isUsed && index === cursor ? ' cursor' : ''}`;
        return html`<g key=${bucket.from} class=${`bucket${state}`} onClick=${() => choose(bucket)}>
          <title>${textOf(bucket)}</title>
          <rect class="back" x=${index} y="0" width="1" height=${2 * LANE + GAP} />
          ${bar('slow', index, LANE, Math.sqrt(p95 / slowest))}${bar('many', index, 2 * LANE + GAP, count / busiest)}${bar('failed', index, 2 * LANE + GAP, failed / busiest)}
        </g>`;
      }),
    [buckets, selected?.min, selected?.max, cursor, isUsed],
  );
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -BUCKETS, End: BUCKETS }[event.key];
    if (step !== undefined) setCursor(Math.min(BUCKETS - 1, Math.max(0, cursor + step)));
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    else if (selected !== undefined && chosen === cursor) select(undefined);
    else {
      choose(at);
      setChosen(cursor);
    }
    event.preventDefault();
  };
  return html`<div class="strip">
    <svg viewBox=${`0 0 ${BUCKETS} ${2 * LANE + GAP}`} preserveAspectRatio="none" role="slider" tabindex="0" aria-label="Time"
      aria-valuemin="0" aria-valuemax=${BUCKETS - 1} aria-valuenow=${cursor} aria-valuetext=${at === undefined ? '' : textOf(at)}
      onKeyDown=${key} onFocus=${() => setUsed(true)} onBlur=${() => setUsed(false)}>
      ${bars}
    </svg>
    <p class="note"><span>${clockText(buckets[0]?.from ?? now)}</span>
      <span class="legend"><span class="slow">Duration, p95: up to ${durationText(slowest)}</span>
        <span class="many">Rows</span> <span class=${errors > 0 ? 'failed' : ''}>Errors: ${errors}</span></span>
      <span>now</span></p>
  </div>` as VNode;
}

/** Bar that stands on `y`; at least two units high, so that a single error is seen. */
function bar(name: string, index: number, y: number, part: number): VNode | null {
  if (part <= 0) return null;
  const height = Math.max(2, part * LANE);
  return html`<rect class=${name} x=${index + 0.1} y=${y - height} width="0.8" height=${height} />` as VNode;
}

function textOf({ from, to, count, errors, p95 }: Bucket): string {
  const slow = p95 === undefined ? '' : `, p95 ${durationText(p95)}`;
  return `${clockText(from)} to ${clockText(to)}: ${amount(count, 'row')}, ${amount(errors, 'error')}${slow}`;
}
