import { ARRPC, BARE, FOOTBRIDGE, type PeerName, peerNames } from '../peers.ts';
import { highlights } from './highlights.ts';
import type { Cell, Report } from './report.ts';

const COLUMNS = 3;
const PANEL = { width: 270, gap: 24, title: 22, bar: 18 } as const;
const MARGIN = 20;
const HEAD = 58;
const LABEL = 82;
/** For the number beyond the longest bar. */
const NUMBER = 74;

const CLASSES: Readonly<Record<PeerName, string>> = {
  'C epoll echo': 'echo',
  [BARE]: 'bare',
  [ARRPC]: 'arrpc',
  [FOOTBRIDGE]: 'own',
};

/** An SVG that needs nothing from outside, with its own background for light and dark. */
export function plot(report: Report): string {
  const drawn = highlights(report).flatMap(({ title, quantity }) => {
    const bars = barsOf(quantity.cells);
    return bars.length === 0 ? [] : [{ title, quantity, bars }];
  });
  const rowCount = Math.ceil(drawn.length / COLUMNS);
  const panelHeight = PANEL.title + PANEL.bar * peerNames.length + PANEL.gap;
  const width = 2 * MARGIN + COLUMNS * PANEL.width + (COLUMNS - 1) * PANEL.gap;
  const height = HEAD + rowCount * panelHeight + MARGIN;
  const { machine } = report;
  const about = [
    `Footbridge ${report.footbridge} beside arRPC 3.5.0, a bare node:net server and a C echo`,
    `${machine.processor}, ${machine.processors} processors, ${machine.system}, node ${machine.node}, ${report.passes}${report.quick ? ' short' : ''} passes, medians, ${report.date}`,
  ];
  const body = drawn.map(({ title, quantity, bars }, index) => {
    const x = MARGIN + (index % COLUMNS) * (PANEL.width + PANEL.gap);
    const y = HEAD + Math.floor(index / COLUMNS) * panelHeight;
    const better = quantity.better === 'higher' ? 'more is better' : 'less is better';
    const most = Math.max(...bars.map(({ value }) => value));
    const lines = bars.map(({ name, value }, n) => {
      const top = PANEL.title + n * PANEL.bar;
      const length = most <= 0 ? 0 : Math.max(1, (value / most) * (PANEL.width - LABEL - NUMBER));
      return (
        `<text class="label" x="0" y="${top + 12}">${escaped(name)}</text>` +
        `<rect class="${CLASSES[name]}" x="${LABEL}" y="${top + 2}" width="${length.toFixed(1)}" height="${PANEL.bar - 6}" rx="2"/>` +
        `<text x="${(LABEL + length + 6).toFixed(1)}" y="${top + 12}">${value.toFixed(quantity.digits)} ${quantity.unit}</text>`
      );
    });
    const heading = `<text x="0" y="12"><tspan class="title">${escaped(title)}</tspan> <tspan class="label">(${better})</tspan></text>`;
    return `<g transform="translate(${x} ${y})">${heading}${lines.join('')}</g>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(about.join('; '))}">
<style>${STYLE}</style>
<rect class="ground" width="${width}" height="${height}" rx="8"/>
<text class="title" x="${MARGIN}" y="26">${escaped(about[0] ?? '')}</text>
<text class="label" x="${MARGIN}" y="43">${escaped(about[1] ?? '')}</text>
${body.join('\n')}
</svg>
`;
}

function barsOf(
  cells: Readonly<Record<string, Cell>>,
): { readonly name: PeerName; readonly value: number }[] {
  return peerNames.flatMap((name) => {
    const value = cells[name]?.median;
    return value === undefined || Number.isNaN(value) ? [] : [{ name, value }];
  });
}

const STYLE = `
text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600}.label{font-weight:400;fill:#59636e}
.ground{fill:#fff}.echo{fill:#a0a8b0}.bare{fill:#6e7781}.arrpc{fill:#bf8700}.own{fill:#0969da}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.label{fill:#9198a1}.ground{fill:#0d1117}
.echo{fill:#5b636d}.bare{fill:#8b949e}.arrpc{fill:#d29922}.own{fill:#4493f8}}
`;

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
