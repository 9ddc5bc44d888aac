import { html } from 'htm/preact';
import type { VNode } from 'preact';

const WIDTH = 300;
const HEIGHT = 60;

/** Bar chart of one number per second, with a text label. */
export function Chart({
  values,
  label,
}: {
  readonly values: readonly number[];
  readonly label: string;
}): VNode {
  const max = Math.max(1, ...values);
  const step = WIDTH / values.length;
  return html`<svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${label}>
    ${values.map((value, index) => {
      const height = (value / max) * (HEIGHT - 2);
      return html`<rect key=${index} x=${index * step} y=${HEIGHT - height} width=${step * 0.8} height=${height} />`;
    })}
  </svg>` as VNode;
}
