import type { Report, ReportRow } from './report.ts';

/** A figure that the plot and README show. */
export interface Highlight {
  readonly title: string;
  readonly quantity: ReportRow['quantities'][number];
}

const shown: readonly { readonly row: string; readonly key: string; readonly title: string }[] = [
  { row: 'activity-same', key: 'p50', title: 'SET_ACTIVITY, p50' },
  { row: 'activity-same', key: 'p99', title: 'SET_ACTIVITY, p99' },
  { row: 'activity-same', key: 'p999', title: 'SET_ACTIVITY, p99.9' },
  { row: 'activity-same', key: 'cpu', title: 'CPU a request' },
  { row: 'ready', key: 'p50', title: 'connect to READY, p50' },
  { row: 'pipelined-1x64', key: 'rate', title: '1 × 64 in flight' },
  { row: 'pipelined-50x1', key: 'rate', title: '50 × 1 in flight' },
  { row: 'pipelined-50x16', key: 'rate', title: '50 × 16 in flight' },
  { row: 'unpaced-1x64', key: 'rate', title: '1 × 64, reading streams' },
  { row: 'unpaced-50x16', key: 'rate', title: '50 × 16, reading streams' },
  { row: 'fanout', key: 'last', title: 'an event to 1,000' },
  { row: 'flood', key: 'quiet', title: 'honest p99 without load' },
  { row: 'flood', key: 'p99', title: 'honest p99 under 4 floods' },
  { row: 'start', key: 'listening', title: 'listening' },
  { row: 'start', key: 'rss', title: 'memory at rest' },
  { row: 'resting-1000', key: 'each', title: 'a resting client of 1,000' },
  { row: 'resting-10000', key: 'each', title: 'a resting client of 10,000' },
  { row: 'commands', key: 'status', title: 'footbridge status' },
];

/** Those of them that were measured. */
export function highlights(report: Report): readonly Highlight[] {
  return shown.flatMap(({ row, key, title }) => {
    const quantity = report.rows.find(({ id }) => id === row)?.quantities.find((one) => one.key === key);
    return quantity === undefined ? [] : [{ title, quantity }];
  });
}
