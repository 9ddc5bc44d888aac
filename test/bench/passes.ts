import type { AbsentPeer, Peer, PeerName } from './peers.ts';
import { type Bench, NotMeasured, type Readings, type Row } from './rows/row.ts';
import { median } from './statistics.ts';

/** All passes over one row. */
export interface RowPasses {
  readonly row: Row;
  /** What each server gave, pass by pass; those at the same place were measured side by side. */
  readonly readings: ReadonlyMap<PeerName, readonly Readings[]>;
  /** Why a server has none here. */
  readonly reasons: ReadonlyMap<PeerName, string>;
}

/** Measures the rows so many times, servers in turn; `tell` hears what is being done. */
export async function runPasses(
  rows: readonly Row[],
  peers: readonly Peer[],
  absent: readonly AbsentPeer[],
  bench: Bench,
  count: number,
  tell: (text: string) => void,
): Promise<readonly RowPasses[]> {
  const results = rows.map((row) => ({
    row,
    readings: new Map<PeerName, Readings[]>(),
    reasons: new Map(
      absent.filter(({ name }) => row.peers.includes(name)).map(({ name, reason }) => [name, reason]),
    ),
  }));
  for (let pass = 0; pass < count; pass++) {
    for (const { row, readings, reasons } of results) {
      const own = peers.filter(({ name }) => row.peers.includes(name) && !reasons.has(name));
      // Each goes first once: what the machine does meanwhile is nobody's merit.
      for (const peer of rotated(own, pass)) {
        tell(`pass ${pass + 1} of ${count}: ${row.id}, ${peer.name}`);
        try {
          const list = readings.get(peer.name) ?? [];
          list.push(await row.measure(peer, bench));
          readings.set(peer.name, list);
        } catch (error) {
          // One row that fails is a row without a figure, and says so; the others are not lost for it.
          const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
          reasons.set(peer.name, error instanceof NotMeasured ? reason : `FAILED: ${reason}`);
          readings.delete(peer.name);
        }
      }
    }
  }
  return results;
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** Median over the passes of one value divided by another of the same pass. */
export function passRatio(
  own: readonly Readings[],
  key: string,
  other: readonly Readings[],
  otherKey: string,
): number {
  return median(
    own.map((readings, pass) => (readings[key] ?? Number.NaN) / (other[pass]?.[otherKey] ?? Number.NaN)),
  );
}
