import type { RE2JS } from 're2js';
import { MAX_INSTRUCTIONS, repeatedSize } from '../../../base/pattern-size.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Reading, Transaction } from '../../api/world.ts';

/** Maximum number of cached compiled patterns. */
const MAX_CACHED_PATTERNS = 500;
/** Maximum number of checked positions per pattern. */
const MAX_POSITIONS = 100;
/** Maximum number of steps (instructions times characters), after which the search for one pattern in a text stops. */
const MAX_STEPS = 4_000_000;
const RETRY = { headers: { 'Retry-After': '1' } };

type Engine = typeof RE2JS;

/**
 * Regular expressions of rules. Their authors may be hostile, so an engine with linear run time evaluates them. It is
 * loaded with the first rule that has a regular expression.
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

  /** Resolves when the engine is ready for every pattern; undefined when it is ready already. */
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
    const hasNewPatterns = events.some(
      (event) =>
        event.table === 'automod_rules' &&
        event.kind !== 'removed' &&
        hasPatterns(this.#tables.automod_rules.get(event.after.id)),
    );
    if (hasNewPatterns) void this.load();
  }

  /** Loads the engine if any existing rule has patterns. */
  recover(): void {
    if ([...this.#tables.automod_rules].some(hasPatterns)) void this.load();
  }

  /** Whether a pattern compiles. The engine must be loaded. */
  isPattern(pattern: string): boolean {
    return this.#compile(pattern) !== undefined;
  }

  /** Positions of a pattern in a text: at most 100, and within the step limit. None for an invalid pattern. */
  *find(pattern: string, text: string): Generator<{ readonly from: number; readonly to: number }> {
    const compiled = this.#compile(pattern);
    if (compiled === undefined) return;
    const matcher = compiled.matcher(text);
    const maxPositions = Math.min(
      MAX_POSITIONS,
      Math.ceil(MAX_STEPS / (compiled.programSize() * (text.length + 1))),
    );
    for (let looked = 0; looked < maxPositions && matcher.find(); looked += 1) {
      yield { from: matcher.start(), to: matcher.end() };
    }
  }

  #compile(pattern: string): RE2JS | undefined {
    const engine = this.#engine;
    // The engine is missing only just after a state was restored. The caller must try again.
    if (engine === undefined)
      throw new ApiError('GeneralError', {
        status: 503,
        message: 'The patterns of rules are being compiled',
        ...RETRY,
      });
    if (this.#compiled.has(pattern)) return this.#compiled.get(pattern);
    const compiled = compile(engine, pattern);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size >= MAX_CACHED_PATTERNS && oldest !== undefined) this.#compiled.delete(oldest);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

function compile(engine: Engine, pattern: string): RE2JS | undefined {
  // Counted repetitions make a short pattern large, so its size is estimated before the engine expands it.
  if (repeatedSize(pattern) > MAX_INSTRUCTIONS) return undefined;
  try {
    const compiled = engine.compile(pattern, engine.CASE_INSENSITIVE);
    return compiled.programSize() > MAX_INSTRUCTIONS ? undefined : compiled;
  } catch {
    return undefined;
  }
}

function hasPatterns(rule: { readonly regex_patterns: readonly string[] } | undefined): boolean {
  return rule !== undefined && rule.regex_patterns.length > 0;
}
