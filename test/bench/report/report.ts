import type { Machine } from '../machine.ts';
import { passRatio, type RowPasses } from '../passes.ts';
import { BARE, type PeerName, peerNames } from '../peers.ts';
import type { Quantity, Readings } from '../rows/row.ts';
import { rows } from '../rows/rows.ts';
import { type Summary, summarize } from '../statistics.ts';
import { type Goal, judge } from './goals.ts';

/** What was measured, and with what. */
export interface Setting {
  readonly machine: Machine;
  readonly generator: string;
  readonly footbridge: string;
  readonly passes: number;
  /** Short passes, for a look. */
  readonly quick: boolean;
  /** ISO date of the day. */
  readonly date: string;
}

/** One quantity of one server. */
export interface Cell extends Summary {
  /** Median of this server's value divided by the bare server's in the same pass; null where there is none. */
  readonly ratio: number | null;
  /** Pass by pass. */
  readonly values: readonly number[];
}

/** One row, as `--json` has it. */
export interface ReportRow {
  readonly id: string;
  readonly title: string;
  readonly quantities: readonly (Quantity & { readonly cells: { readonly [peer: string]: Cell } })[];
  /** Why a server has no figure. */
  readonly reasons: { readonly [peer: string]: string };
}

/** The whole result. */
export interface Report extends Setting {
  readonly rows: readonly ReportRow[];
  readonly goals: readonly Goal[];
}

/** Medians, spreads, ratios and the verdict on the goals. */
export function makeReport(setting: Setting, measured: readonly RowPasses[]): Report {
  // In their order, each once: what was measured first in the list goes before what was added.
  const passes = rows.flatMap(({ id }) => measured.find(({ row }) => row.id === id) ?? []);
  return { ...setting, rows: passes.map(rowOf), goals: judge(passes) };
}

/** The passes of a report that was kept; rows that are no longer there are left out. */
export function passesOf(report: Report): RowPasses[] {
  return report.rows.flatMap(({ id, quantities, reasons }) => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) return [];
    const readings = new Map<PeerName, Record<string, number>[]>();
    for (const name of peerNames) {
      for (const { key, cells } of quantities) {
        cells[name]?.values.forEach((value, pass) => {
          const own = readings.get(name) ?? [];
          // JSON has no NaN.
          own[pass] = { ...own[pass], [key]: value ?? Number.NaN };
          readings.set(name, own);
        });
      }
    }
    return [{ row, readings, reasons: new Map(Object.entries(reasons) as [PeerName, string][]) }];
  });
}

function rowOf({ row, readings, reasons }: RowPasses): ReportRow {
  const quantities = row.quantities.map((quantity) => {
    const cells = [...readings].map(([name, own]) => [
      name,
      cellOf(quantity.key, own, readings.get(BARE), name),
    ]);
    return { ...quantity, cells: Object.fromEntries(cells) as Record<PeerName, Cell> };
  });
  return { id: row.id, title: row.title, quantities, reasons: Object.fromEntries(reasons) };
}

function cellOf(
  key: string,
  own: readonly Readings[],
  bare: readonly Readings[] | undefined,
  name: PeerName,
): Cell {
  const values = own.map((readings) => readings[key] ?? Number.NaN);
  const ratio = bare === undefined || name === BARE ? Number.NaN : passRatio(own, key, bare, key);
  return { ...summarize(values), ratio: Number.isFinite(ratio) ? ratio : null, values };
}
