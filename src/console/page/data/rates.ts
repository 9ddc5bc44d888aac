import type { JournalEntry } from '../../../journal/entry.ts';

/** Period of the charts in seconds. */
const CHART_SECONDS = 60;
/** Maximum of open requests whose round trip is measured. */
const MAX_OPEN = 2000;
/** Maximum length of a stored nonce, in characters. */
const MAX_NONCE = 128;

interface Second {
  readonly at: number;
  messages: number;
  /** Round trips that ended in this second (ms). */
  readonly trips: number[];
}

/** Messages per second and round trips of the last minute, from journal entries. */
export class Rates {
  #seconds: Second[] = [];
  /** Arrival time of each open request, by session and nonce. */
  readonly #open = new Map<string, number>();

  count(entry: JournalEntry): void {
    const second = this.#secondOf(entry.at);
    if (entry.kind === 'http') {
      second.messages += 2;
      second.trips.push(entry.ms);
    } else if (entry.kind === 'webhook') second.messages += 2;
    else if (entry.kind === 'gateway') second.messages += 1;
    else if (entry.kind === 'frame') {
      second.messages += 1;
      const nonce = nonceOf(entry.text);
      if (nonce === undefined) return;
      const key = `${entry.session} ${nonce}`;
      if (entry.direction === 'in') this.#countRequest(key, entry.at);
      else {
        const requestedAt = this.#open.get(key);
        if (requestedAt !== undefined) second.trips.push(entry.at - requestedAt);
        this.#open.delete(key);
      }
    }
  }

  /** Number of messages in each second of the last minute, the newest second last. */
  messages(now: number): readonly number[] {
    return this.#row(now, ({ messages }) => messages);
  }

  /** Median round trip of each second (ms); 0 for a second without a round trip. */
  trips(now: number): readonly number[] {
    return this.#row(now, ({ trips }) => quantile(trips, 0.5));
  }

  /** Quantiles of all round trips of the last minute (ms); undefined without a round trip. */
  tripsOver(now: number): { readonly p50: number; readonly p95: number; readonly count: number } | undefined {
    const all = this.#seconds
      .filter(({ at }) => at > now / 1000 - CHART_SECONDS)
      .flatMap(({ trips }) => trips);
    if (all.length === 0) return undefined;
    return { p50: quantile(all, 0.5), p95: quantile(all, 0.95), count: all.length };
  }

  #countRequest(key: string, at: number): void {
    this.#open.set(key, at);
    if (this.#open.size <= MAX_OPEN) return;
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#open.delete(oldest);
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

/** Nonce of a JSON payload; undefined for a payload without a nonce. */
function nonceOf(text: string): string | undefined {
  try {
    const { nonce } = JSON.parse(text) as { readonly nonce?: unknown };
    const isShort = typeof nonce === 'number' || (typeof nonce === 'string' && nonce.length <= MAX_NONCE);
    return isShort ? JSON.stringify(nonce) : undefined;
  } catch {
    // The journal cuts a long text, which is then no JSON, so the nonce is searched in the remaining text. JSON allows
    // white space around the colon.
    return /"nonce"\s*:\s*("[^"\\]{1,128}"|-?\d+)/.exec(text)?.[1];
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
