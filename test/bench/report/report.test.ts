import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseXml, type XmlElement } from '../../helpers/xml.ts';
import type { RowPasses } from '../passes.ts';
import { ARRPC, BARE, ECHO, FOOTBRIDGE, type PeerName } from '../peers.ts';
import type { Readings } from '../rows/row.ts';
import { rows } from '../rows/rows.ts';
import { plot } from './plot.ts';
import { withFigures, withHttpFigures } from './readme.ts';
import { makeReport, type Report, passesOf as readingsOf } from './report.ts';
import { reportText } from './table.ts';

const setting = {
  machine: {
    processor: 'A <fast> & "odd" one',
    processors: 2,
    memoryGiB: 4,
    system: 'Linux 6',
    node: 'v20.19.0',
  },
  generator: 'in C, cc 12',
  footbridge: '0.1.0',
  passes: 3,
  quick: false,
  date: '2026-01-02',
};

/** A row with what each server gave, pass by pass, and why others gave nothing. */
function passesOf(
  id: string,
  readings: { readonly [N in PeerName]?: readonly Readings[] },
  reasons: { readonly [N in PeerName]?: string } = {},
): RowPasses {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw new Error(`there is no row ${id}`);
  const named = <T>(record: object): Map<PeerName, T> => new Map(Object.entries(record) as [PeerName, T][]);
  return { row, readings: named(readings), reasons: named(reasons) };
}

const p50s = (...values: number[]): Readings[] =>
  values.map((p50) => ({ p50, p99: 9, p999: 9, cpu: 8, generator: 20 }));

/** Footbridge at 3 µs in the middle, twice the bare server's in the same pass, as fast as arRPC. */
function activity(): Report {
  const readings = { [BARE]: p50s(1, 2, 30), [ARRPC]: p50s(3, 4, 1), [FOOTBRIDGE]: p50s(3, 4, 1) };
  return makeReport(setting, [
    passesOf('activity-same', readings, { [ECHO]: 'there is no C compiler (cc)' }),
  ]);
}

it('the report contains medians, spread, and the median of the ratios within each pass', () => {
  const cells = activity().rows[0]?.quantities[0]?.cells;
  expect(cells?.[FOOTBRIDGE]).toEqual({ median: 3, min: 1, max: 4, ratio: 2, values: [3, 4, 1] });
  // It is what the others are compared with.
  expect(cells?.[BARE]?.ratio).toBeNull();
});

it('the goals compare ratios, name missing figures, and omit rows that were not measured', () => {
  const { goals } = activity();
  expect(goals.map(({ figure }) => figure)).toEqual([
    'SET_ACTIVITY p50, same core',
    'SET_ACTIVITY p99, same core',
    'CPU a request',
    'SET_ACTIVITY p99.9, same core',
  ]);
  expect(goals[0]).toEqual({
    figure: 'SET_ACTIVITY p50, same core',
    must: '≤ 1 × arRPC 3.5.0',
    measured: '1.00 × arRPC 3.5.0, 2.00 × bare Node',
    met: true,
    aim: '≤ 1.15 × bare Node',
    aimMet: false,
  });
});

it.each([
  [1.09, true],
  [1.11, false],
])('a goal with the bound 1 treats a ratio of %s as met: %s', (ratio, met) => {
  const readings = { [ARRPC]: p50s(100), [FOOTBRIDGE]: p50s(100 * ratio) };
  expect(makeReport(setting, [passesOf('activity-same', readings)]).goals[0]?.met).toBe(met);
});

it.each([
  [{ quiet: 0.9, p99: 3, cut: 0 }, [true, true, true]],
  [{ quiet: 1.1, p99: 3.1, cut: 1 }, [false, false, false]],
])('the goals of a flood are absolute bounds without tolerance: %j', (own, met) => {
  const flood = passesOf('flood', { [FOOTBRIDGE]: [own] });
  expect(makeReport(setting, [flood]).goals.map((goal) => goal.met)).toEqual(met);
});

it('the text report prints a table with every figure, ratio and reason', () => {
  const lines = reportText(activity()).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'A <fast> & "odd" one, 2 processors, 4 GiB, Linux 6, node v20.19.0',
    'Footbridge 0.1.0; load from a generator in C, cc 12',
    '3 interleaved passes: median (min–max), × bare Node',
  ]);
  const line = (start: string): string | undefined =>
    lines
      .find((one) => one.trim().startsWith(start))
      ?.trim()
      .replaceAll(/ {2,}/g, ' | ');
  expect(line('C epoll echo:')).toBe('C epoll echo: not measured: there is no C compiler (cc)');
  expect(line('p50, µs')).toBe('p50, µs | – | 2.0 (1.0–30.0) | 3.0 (1.0–4.0) 2.00× | 3.0 (1.0–4.0) 2.00×');
  // Nothing to compare.
  expect(line('generator')).toBe('generator, of a core, % | – | 20 (20–20) | 20 (20–20) | 20 (20–20)');
  expect(line('met')).toMatch(/^met \| SET_ACTIVITY p50, same core \| /);
});

it('the report reuses rows of a stored report in their order and replaces rows measured again', () => {
  const kept = JSON.parse(JSON.stringify(activity())) as Report;
  expect(makeReport(setting, readingsOf(kept))).toEqual(activity());
  const ready = passesOf('ready', { [FOOTBRIDGE]: [{ p50: 1, p99: 2, cpu: 3, generator: 4 }] });
  const again = passesOf('activity-same', { [FOOTBRIDGE]: p50s(7) });
  const { rows: merged } = makeReport(setting, [ready, again, ...readingsOf(kept)]);
  expect(merged.map(({ id }) => id)).toEqual(['activity-same', 'ready']);
  expect(merged[0]?.quantities[0]?.cells[FOOTBRIDGE]?.values).toEqual([7]);
});

it('the text report names the rows where the generator was busy', () => {
  const busy = [{ rate: 1000, cpu: 1, generator: 97 }];
  const idle = [{ rate: 100, cpu: 1, generator: 40 }];
  const report = makeReport(setting, [passesOf('pipelined-1x64', { [ECHO]: busy, [BARE]: idle })]);
  const notes = reportText(report)
    .split('\n')
    .filter((line) => line.includes('the generator was busy'));
  expect(notes).toEqual([expect.stringContaining(`${ECHO}, SET_ACTIVITY, 1 connection × 64 in flight`)]);
});

it('the plot is a well-formed SVG without external resources and with a dark colour scheme', () => {
  const text = plot(activity());
  const { root } = parseXml(text);
  expect(root.attributes['aria-label']).toContain('A <fast> & "odd" one');
  expect(text.match(/https?:|url\(|@import|<image|<script|href/g)).toEqual(['http:']);
  expect(root.attributes['xmlns']).toBe('http://www.w3.org/2000/svg');
  expect(text).toContain('@media(prefers-color-scheme:dark)');
  // Panels whose row was not measured are not drawn: four figures of three servers.
  const bars = all(root, 'rect').filter(({ attributes }) => attributes['class'] !== 'ground');
  expect(bars).toHaveLength(12);
  const own = bars.find(({ attributes }) => attributes['class'] === 'own');
  const bare = bars.find(({ attributes }) => attributes['class'] === 'bare');
  expect(Number(own?.attributes['width']) / Number(bare?.attributes['width'])).toBeCloseTo(3 / 2, 1);
  // All of it lies on the ground.
  const right = (bar: XmlElement): number => Number(bar.attributes['x']) + Number(bar.attributes['width']);
  expect(Math.max(...bars.map(right))).toBeLessThan(Number(root.attributes['width']));
});

it('withFigures replaces only the text between its marks in the README', () => {
  const before = 'a\n<!-- bench: begin -->\nold\n<!-- bench: end -->\nb\n';
  const lines = withFigures(before, activity()).split('\n');
  expect([...lines.slice(0, 2), ...lines.slice(-3)]).toEqual([
    'a',
    '<!-- bench: begin -->',
    '<!-- bench: end -->',
    'b',
    '',
  ]);
  expect(lines[4]).toBe('| SET_ACTIVITY, p50, µs | 3.0 | 3.0 | 2.0 |');
  expect(lines).not.toContain('old');
  expect(() => withFigures('no marks', activity())).toThrow('The guide has no <!-- bench: begin -->');
});

it('withHttpFigures replaces only the text between its own marks, with the time of both servers and their ratio', () => {
  const before =
    'a\n<!-- bench: begin -->\n<!-- bench: end -->\n<!-- bench http: begin -->\nold\n<!-- bench http: end -->\nb\n';
  const row = { name: '', most: 2, unit: '×', what: 'GET /users/@me', mine: 40.4, theirs: 20.2, value: 1.96 };
  const { machine } = activity();
  const lines = withHttpFigures(before, [row], {
    machine,
    passes: 5,
    quick: false,
    date: '2030-01-01',
  }).split('\n');
  expect(lines.slice(0, 4)).toEqual([...before.split('\n').slice(0, 4)]);
  expect(lines[6]).toBe('| GET /users/@me, µs | 40 | 20 | 2.0 × |');
  expect(lines[8]).toMatch(/medians of 5 passes, 2030-01-01\.$/);
  expect(lines).not.toContain('old');
  expect(() => withHttpFigures('none', [], { machine, passes: 5, quick: false, date: '' })).toThrow(
    'bench http',
  );
});

it('withFigures finds its marks around a table in the performance guide', () => {
  const readme = readFileSync(new URL('../../../.github/guide/performance.md', import.meta.url), 'utf8');
  expect(withFigures(readme, activity())).not.toBe(readme);
  expect(readme).toMatch(/<!-- bench http: begin -->\n\| \| Footbridge \|[^#]*\n<!-- bench http: end -->/);
  expect(readme).toMatch(/<!-- bench: begin -->\n\| \| Footbridge \|[^#]*\n<!-- bench: end -->/);
});

function all(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}
