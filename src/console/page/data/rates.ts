import type { JournalEntry } from '../../../journal/entry.ts';
import { type Exchange, hasAnswer, isByHand, isError, isWait } from '../../../journal/exchange.ts';
import type { Change } from '../../../journal/exchanges.ts';

/** Period of the charts in seconds. */
const CHART_SECONDS = 60;
/** Maximum of applications with figures of their own. */
const MAX_APPS = 1000;
/** Number of the last round trips of an application from which its quantiles are made. */
const LAST_TRIPS = 500;

interface Second {
  readonly at: number;
  messages: number;
  /** Round trips that ended in this second (ms). */
  readonly trips: number[];
}

/** Quantiles of round trips (ms). */
interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly count: number;
}

/** Figures of one application since the page was opened, and of the journal before. */
interface AppFigures {
  requests: number;
  errors: number;
  /** Number of its requests that were sent by hand. */
  byHand: number;
  /** Row of the last error. */
  lastError: Exchange | undefined;
  /** Time at which its last connection that ended did so. */
  endedAt: number | undefined;
  isBot: boolean;
  /** Its connections with the gateway, which the status of the bridge does not have. */
  readonly gateway: Set<string>;
  /** Last round trips (ms). */
  readonly trips: number[];
}

/** Figures of one application for its card. */
export type FiguresOfApp = Readonly<Omit<AppFigures, 'trips'>> & { readonly trips: Quantiles | undefined };

/** Messages per second and round trips of the last minute, and figures of each application. */
export class Rates {
  #seconds: Second[] = [];
  readonly #apps = new Map<string, AppFigures>();
  #seq = 0;

  /** Counts an entry, with what it changed. */
  count(entry: JournalEntry, { row, isNew, others }: Change): void {
    // A lower number is of another bridge.
    if (entry.seq <= this.#seq) for (const { gateway } of this.#apps.values()) gateway.clear();
    this.#seq = entry.seq;
    const second = this.#secondOf(entry.at);
    const isBoth = hasAnswer(entry);
    if (isBoth) second.messages += 2;
    else if (entry.kind === 'gateway' || entry.kind === 'frame') second.messages += 1;
    const isTrip = row.ms !== undefined && !isWait(row) && (!isNew || isBoth);
    if (isTrip && entry.kind !== 'webhook') second.trips.push(row.ms);
    this.countErrors([row, ...others]);
    const { app } = row.peer;
    if (app === undefined) return;
    const figures = this.#figuresOf(app);
    if (entry.kind === 'gateway') {
      figures.isBot = true;
      figures.gateway.add(entry.session);
    } else if (entry.kind === 'end') {
      figures.gateway.delete(entry.session);
      figures.endedAt = entry.at;
    }
    if (!isTrip) return;
    figures.requests += 1;
    // Its connection is no request of the operator.
    if (isByHand(row) && row.name !== 'HANDSHAKE') figures.byHand += 1;
    figures.trips.push(row.ms);
    if (figures.trips.length > LAST_TRIPS) figures.trips.shift();
  }

  /** Counts the rows that failed or stay without an answer, each for its application. */
  countErrors(rows: readonly Exchange[]): void {
    for (const row of rows) {
      if (row.peer.app === undefined || !isError(row)) continue;
      const figures = this.#figuresOf(row.peer.app);
      figures.errors += 1;
      figures.lastError = row;
    }
  }

  /** Number of messages in each second of the last minute, the newest second last. */
  messages(now: number): readonly number[] {
    return this.#row(now, ({ messages }) => messages);
  }

  /** Median round trip of each second (ms); 0 for a second without a round trip. */
  trips(now: number): readonly number[] {
    return this.#row(now, ({ trips }) => quantile(sorted(trips), 0.5));
  }

  /** Quantiles of all round trips of the last minute (ms); undefined without a round trip. */
  tripsOver(now: number): Quantiles | undefined {
    return quantilesOf(
      this.#seconds.filter(({ at }) => at > now / 1000 - CHART_SECONDS).flatMap(({ trips }) => trips),
    );
  }

  /**
   * Requests and errors of an application, and the quantiles of its last 500 round trips (ms). Errors are refusals, and
   * requests whose connection ended before the answer.
   */
  ofApp(app: string): FiguresOfApp | undefined {
    const figures = this.#apps.get(app);
    return figures && { ...figures, trips: quantilesOf(figures.trips) };
  }

  /** Ids of the applications that have figures: bots at the gateway first, then the one that ended last. */
  get apps(): readonly string[] {
    const time = ({ gateway, endedAt = 0 }: AppFigures): number => (gateway.size > 0 ? Infinity : endedAt);
    return [...this.#apps].sort(([, a], [, b]) => time(b) - time(a) || 0).map(([app]) => app);
  }

  /** Number of the applications that have figures. */
  get appCount(): number {
    return this.#apps.size;
  }

  #figuresOf(app: string): AppFigures {
    const known = this.#apps.get(app);
    if (known !== undefined) return known;
    const figures: AppFigures = {
      requests: 0,
      errors: 0,
      byHand: 0,
      lastError: undefined,
      endedAt: undefined,
      isBot: false,
      gateway: new Set(),
      trips: [],
    };
    this.#apps.set(app, figures);
    const [oldest] = this.#apps.keys();
    if (this.#apps.size > MAX_APPS && oldest !== undefined) this.#apps.delete(oldest);
    return figures;
  }

  #secondOf(at: number): Second {
    const second = Math.floor(at / 1000);
    const last = this.#seconds.at(-1);
    if (last !== undefined && last.at >= second) return last;
    const made = { at: second, messages: 0, trips: [] };
    this.#seconds = [...this.#seconds.filter((one) => one.at > second - CHART_SECONDS), made];
    return made;
  }

  #row(now: number, of: (second: Second) => number): readonly number[] {
    const last = Math.floor(now / 1000);
    const byTime = new Map(this.#seconds.map((second) => [second.at, second]));
    return Array.from({ length: CHART_SECONDS }, (_, index) => {
      const second = byTime.get(last - CHART_SECONDS + 1 + index);
      return second === undefined ? 0 : of(second);
    });
  }
}

function quantilesOf(values: readonly number[]): Quantiles | undefined {
  if (values.length === 0) return undefined;
  const ascending = sorted(values);
  return { p50: quantile(ascending, 0.5), p95: quantile(ascending, 0.95), count: values.length };
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}

function quantile(ascending: readonly number[], part: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))] ?? 0;
}
