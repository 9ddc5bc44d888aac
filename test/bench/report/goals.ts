import { passRatio, type RowPasses } from '../passes.ts';
import { ARRPC, BARE, FOOTBRIDGE, type PeerName } from '../peers.ts';
import type { Readings } from '../rows/row.ts';
import { median } from '../statistics.ts';

/** A figure, what it must be, and what it should be. */
export interface Goal {
  readonly figure: string;
  readonly must: string;
  readonly measured: string;
  readonly met: boolean;
  /** Beyond what must be. */
  readonly aim: string | undefined;
  readonly aimMet: boolean | undefined;
}

/** A ratio within this of its bound is the machine's mood, not the code's. */
const TOLERANCE = 1.1;

/** What a value is divided by; without one it stands for itself. */
interface Over {
  readonly peer: PeerName;
  readonly row?: string;
  readonly key?: string;
}
interface Bound {
  readonly sense: 'at most' | 'at least';
  readonly bound: number;
  readonly over?: Over;
  readonly unit?: string;
}
interface Declared {
  readonly figure: string;
  readonly row: string;
  readonly key: string;
  /** Any of them is enough. */
  readonly must: readonly Bound[];
  readonly aim?: Bound;
}

const atMost = (bound: number, over?: PeerName): Bound => ({
  sense: 'at most',
  bound,
  ...(over === undefined ? {} : { over: { peer: over } }),
});
const atLeast = (bound: number, peer: PeerName, row?: string): Bound => ({
  sense: 'at least',
  bound,
  over: { peer, ...(row === undefined ? {} : { row }) },
});
const absolute = (bound: number, unit: string): Bound => ({ sense: 'at most', bound, unit });

const declared: readonly Declared[] = [
  goal('SET_ACTIVITY p50, same core', 'activity-same', 'p50', [atMost(1, ARRPC)], atMost(1.15, BARE)),
  goal('GET_VOICE_SETTINGS p50, same core', 'voice-same', 'p50', [
    { sense: 'at most', bound: 1, over: { peer: FOOTBRIDGE, row: 'activity-same' } },
  ]),
  goal('SET_ACTIVITY p99, same core', 'activity-same', 'p99', [atMost(1, ARRPC)], atMost(1, BARE)),
  goal('CPU a request', 'activity-same', 'cpu', [atMost(0.9, ARRPC)], atMost(1, BARE)),
  goal('SET_ACTIVITY p99.9, same core', 'activity-same', 'p999', [atMost(1, ARRPC)]),
  goal('1 × 64 in flight', 'pipelined-1x64', 'rate', [atLeast(1.3, ARRPC)], atLeast(1, BARE)),
  goal('50 × 1 in flight', 'pipelined-50x1', 'rate', [atLeast(1, ARRPC)], atLeast(1, BARE)),
  goal('50 × 16 in flight', 'pipelined-50x16', 'rate', [atLeast(1, ARRPC)], atLeast(1, BARE)),
  goal('1 × 64 in flight, reading streams', 'unpaced-1x64', 'rate', [atLeast(0.85, BARE, 'pipelined-1x64')]),
  goal('50 × 16 in flight, reading streams', 'unpaced-50x16', 'rate', [
    atLeast(0.85, BARE, 'pipelined-50x16'),
  ]),
  goal('connect to READY p50', 'ready', 'p50', [atMost(1, ARRPC)], atMost(1.2, BARE)),
  goal('an event to 1,000, to the last', 'fanout', 'last', [absolute(8, 'ms')], absolute(5, 'ms')),
  goal('its serialisations', 'fanout', 'printed', [absolute(1, 'an event')]),
  goal('honest p99 without load', 'flood', 'quiet', [absolute(1, 'ms')]),
  goal('4 floods: honest p99', 'flood', 'p99', [absolute(3, 'ms')]),
  goal('4 floods: flooders cut off', 'flood', 'cut', [absolute(0, 'peers')]),
  goal('listening', 'start', 'listening', [atMost(0.9, ARRPC)], atMost(0.7, ARRPC)),
  goal('idle RSS', 'start', 'rss', [atMost(0.9, ARRPC)]),
  goal('a resting client of 1,000', 'resting-1000', 'each', [atMost(1, ARRPC)]),
  goal('a resting client of 10,000', 'resting-10000', 'each', [atMost(1, ARRPC)]),
  goal(
    'footbridge status',
    'commands',
    'statusOver',
    [absolute(3, '× node -e 0')],
    absolute(2, '× node -e 0'),
  ),
  goal('footbridge call', 'commands', 'callOver', [absolute(3, '× node -e 0')], absolute(2, '× node -e 0')),
  goal('bad input: honest p99', 'bad-input', 'p99', [absolute(10, 'ms')]),
  goal('bad input: memory grows by', 'bad-input', 'grown', [absolute(24, 'MB')]),
  goal('bad input: peers cut for being fast', 'bad-input', 'cut', [absolute(0, 'peers')]),
];

function goal(figure: string, row: string, key: string, must: readonly Bound[], aim?: Bound): Declared {
  return { figure, row, key, must, ...(aim === undefined ? {} : { aim }) };
}

/** The goals whose rows were measured. */
export function judge(passes: readonly RowPasses[]): readonly Goal[] {
  const of = (row: string, peer: PeerName): readonly Readings[] | undefined =>
    passes.find((one) => one.row.id === row)?.readings.get(peer);
  return declared.flatMap(({ figure, row, key, must, aim }) => {
    const own = of(row, FOOTBRIDGE);
    if (own === undefined) return [];
    const valueFor = ({ over }: Bound): number => {
      if (over === undefined) return median(own.map((readings) => readings[key] ?? Number.NaN));
      const other = of(over.row ?? row, over.peer);
      return other === undefined ? Number.NaN : passRatio(own, key, other, over.key ?? key);
    };
    const isMet = (bound: Bound): boolean => holds(bound, valueFor(bound));
    return [
      {
        figure,
        must: must.map((bound) => boundText(bound, row)).join(' or '),
        measured: [...must, ...(aim ? [aim] : [])]
          .map((bound) => valueText(bound, valueFor(bound)))
          .join(', '),
        met: must.some(isMet),
        aim: aim && boundText(aim, row),
        aimMet: aim && isMet(aim),
      },
    ];
  });
}

function holds({ sense, bound, over, unit = '' }: Bound, value: number): boolean {
  // A whole process beside another is a ratio too, whichever way it is measured.
  const isRatio = over !== undefined || unit.startsWith('×');
  const slack = isRatio ? TOLERANCE : 1;
  return sense === 'at most' ? value <= bound * slack : value >= bound / slack;
}

function boundText({ sense, bound, over, unit = '' }: Bound, row: string): string {
  const sign = sense === 'at most' ? '≤' : '≥';
  return over === undefined ? `${sign} ${bound} ${unit}` : `${sign} ${bound} × ${overText(over, row)}`;
}

function valueText({ over, unit = '' }: Bound, value: number): string {
  if (Number.isNaN(value)) return 'not measured';
  return over === undefined ? `${value.toFixed(2)} ${unit}` : `${value.toFixed(2)} × ${over.peer}`;
}

function overText({ peer, row: other }: Over, row: string): string {
  return other === undefined || other === row ? peer : `${peer} (${other})`;
}
