import type { RE2JS } from 're2js';
import { ApiError } from '../../api/api-error.ts';
import type { Reading, Transaction } from '../../api/world.ts';

/** Compiled patterns that are kept. */
const MOST_KEPT = 500;
/** Most places of one pattern that are looked at. */
const MOST_PLACES = 100;
/** Most instructions of one pattern: each may look at each letter of a text. */
const MOST_INSTRUCTIONS = 500;
/** When so many letters were looked at by instructions, one pattern is looked for no further in a text. */
const MOST_STEPS = 4_000_000;
const RETRY = { headers: { 'Retry-After': '1' } };

type Engine = typeof RE2JS;

/**
 * The regular expressions of rules. They come from anybody who may write rules, so that they go to an engine whose time
 * grows with the text and no faster; it is loaded when the first rule has one.
 */
export class Patterns {
  readonly #tables: Reading;
  readonly #compiled = new Map<string, RE2JS | undefined>();
  #engine: Engine | undefined;
  #loading: Promise<void> | undefined;

  constructor(tables: Reading) {
    this.#tables = tables;
    this.recover();
  }

  /** Resolves when every pattern of a rule can be looked for; undefined when that is so already. */
  get loading(): Promise<void> | undefined {
    return this.#engine === undefined ? this.#loading : undefined;
  }

  load(): Promise<void> {
    this.#loading ??= import('re2js').then(({ RE2JS: engine }) => {
      this.#engine = engine;
    });
    return this.#loading;
  }

  follow({ events }: Transaction): void {
    if (this.#loading !== undefined) return;
    const isAsked = events.some(
      (event) =>
        event.table === 'automod_rules' &&
        event.kind !== 'removed' &&
        hasPatterns(this.#tables.automod_rules.get(event.after.id)),
    );
    if (isAsked) void this.load();
  }

  /** The same for all rules that there are. */
  recover(): void {
    if ([...this.#tables.automod_rules].some(hasPatterns)) void this.load();
  }

  /** Whether a pattern can be understood. To be asked when the engine is loaded. */
  isPattern(pattern: string): boolean {
    return this.#compile(pattern) !== undefined;
  }

  /** The places of a pattern in a text, up to 100 and as far as the work is reasonable. One that cannot be understood is nowhere. */
  *find(pattern: string, text: string): Generator<{ readonly from: number; readonly to: number }> {
    const compiled = this.#compile(pattern);
    if (compiled === undefined) return;
    const matcher = compiled.matcher(text);
    const most = Math.min(MOST_PLACES, Math.ceil(MOST_STEPS / (compiled.programSize() * (text.length + 1))));
    for (let looked = 0; looked < most && matcher.find(); looked += 1) {
      yield { from: matcher.start(), to: matcher.end() };
    }
  }

  #compile(pattern: string): RE2JS | undefined {
    const engine = this.#engine;
    // Only in the moment after another state was taken: whoever asks comes again.
    if (engine === undefined)
      throw new ApiError('GeneralError', {
        status: 503,
        message: 'The patterns of rules are being read',
        ...RETRY,
      });
    if (this.#compiled.has(pattern)) return this.#compiled.get(pattern);
    const compiled = compile(engine, pattern);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size >= MOST_KEPT && oldest !== undefined) this.#compiled.delete(oldest);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

function compile(engine: Engine, pattern: string): RE2JS | undefined {
  // Counted repetitions make a short pattern long, and are seen before they are written out.
  if (repeatedSize(pattern) > MOST_INSTRUCTIONS) return undefined;
  try {
    const compiled = engine.compile(pattern, engine.CASE_INSENSITIVE);
    return compiled.programSize() > MOST_INSTRUCTIONS ? undefined : compiled;
  } catch {
    return undefined;
  }
}

function hasPatterns(rule: { readonly regex_patterns: readonly string[] } | undefined): boolean {
  return rule !== undefined && rule.regex_patterns.length > 0;
}

/** About how many letters and signs a pattern has, with those in `{n,m}` as often as they are repeated. */
function repeatedSize(pattern: string): number {
  const groups = [0];
  let last = 0;
  for (const [sign] of pattern.matchAll(/\\.|\[[^\]]*\]|\{\d+(?:,\d*)?\}|./gs)) {
    const counts = /^\{(\d+)(?:,(\d*))?\}$/.exec(sign);
    const size = groups.pop() ?? 0;
    if (sign === '(') {
      groups.push(size, 0);
      last = 0;
    } else if (sign === ')' && groups.length > 0) {
      last = size;
      groups.push((groups.pop() ?? 0) + size);
    } else if (counts === null) {
      last = 1;
      groups.push(size + 1);
    } else {
      const more = last * Math.max(0, Number(counts[2] || counts[1]) - 1);
      last += more;
      groups.push(size + more);
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
