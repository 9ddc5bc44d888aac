import { escaped } from './escaped.ts';
import { isWord, NotLinear, type Part, type Place, partsOf, textsIn } from './pattern-parts.ts';

/** Tests a text. */
export interface TextTest {
  test(text: string): boolean;
}

/** Maximum number of steps of a pattern: each may be looked at for each character of a text. */
const MAX_STEPS = 1000;
/** Maximum number of texts that are searched before the pattern. */
const MAX_NEEDED = 4;
/** Maximum number of remembered states. */
const MAX_STATES = 500;

type Step =
  | { readonly kind: 'set'; readonly has: (code: number) => boolean; readonly next: number }
  | { readonly kind: 'place'; readonly place: Place; readonly next: number }
  | { readonly kind: 'split'; readonly nexts: readonly number[] }
  | { readonly kind: 'end' };

/** Where a search is between two characters. */
interface State {
  readonly steps: readonly number[];
  readonly isBegin: boolean;
  readonly isAfterWord: boolean;
  /** Results after characters that are not in the table. */
  readonly others: Map<number, number>;
}

/** Bits of the characters that have a column in the table, which is most of any text. */
const COLUMN_BITS = 8;
const COLUMNS = 1 << COLUMN_BITS;

/** Results of a step; a greater number is that of the next state. */
const UNKNOWN = 0;
const FOUND = 1;
const ABSENT = 2;
const FIRST_STATE = 3;

/**
 * A regular expression, without regard to case, that takes linear time for any text: it follows all ways at once, where
 * the engine of JavaScript tries one after another. Throws `NotLinear`, also for a pattern that is too large.
 */
export function linearPattern(source: string): TextTest {
  const parts = partsOf(source);
  const automaton = new Automaton(parts);
  // Most texts lack one of these, which the engine of JavaScript finds faster than the automaton reads.
  const needed = textsIn(parts)
    .slice(0, MAX_NEEDED)
    .map((text) => new RegExp(escaped(text), 'i'));
  return { test: (text) => needed.every((one) => one.test(text)) && automaton.isIn(text) };
}

/** Finds the states when a text first needs them, and remembers them in a table. */
class Automaton {
  readonly #steps: Step[] = [{ kind: 'end' }];
  readonly #entry: number;
  readonly #numbers = new Map<string, number>();
  readonly #states: State[] = [];
  /** Results by state and character, and those at the end of the text by state. */
  readonly #table = new Uint16Array((MAX_STATES + FIRST_STATE) * COLUMNS);
  readonly #ends = new Uint8Array(MAX_STATES + FIRST_STATE);

  constructor(parts: Part) {
    this.#entry = compile(this.#steps, parts);
    this.#forget();
  }

  isIn(text: string): boolean {
    const table = this.#table;
    const { length } = text;
    let state = FIRST_STATE;
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at);
      const known = code < COLUMNS ? table[(state << COLUMN_BITS) | code] : UNKNOWN;
      state = known || this.#after(state, code);
      if (state === FOUND) return true;
    }
    return (this.#ends[state] || this.#atEnd(state)) === FOUND;
  }

  #after(number: number, code: number): number {
    const state = this.#stateOf(number);
    const known = state.others.get(code);
    if (known !== undefined) return known;
    // The state gets a new number where the others are forgotten.
    const from = this.#states.length < MAX_STATES ? number : this.#restart(state);
    const after = this.#next(state, code);
    if (code < COLUMNS) this.#table[(from << COLUMN_BITS) | code] = after;
    else this.#stateOf(from).others.set(code, after);
    return after;
  }

  #atEnd(number: number): number {
    const result = this.#reached(this.#stateOf(number), undefined).has(END) ? FOUND : ABSENT;
    this.#ends[number] = result;
    return result;
  }

  #next(state: State, code: number): number {
    const now = this.#reached(state, code);
    if (now.has(END)) return FOUND;
    const following = [...now].flatMap((at) => {
      const step = this.#steps[at];
      return step?.kind === 'set' && step.has(code) ? [step.next] : [];
    });
    return this.#numberOf(following, false, isWord(code));
  }

  #numberOf(next: readonly number[], isBegin: boolean, isAfterWord: boolean): number {
    const steps = [...new Set(next)].toSorted((a, b) => a - b);
    const key = `${isBegin} ${isAfterWord} ${steps.join(' ')}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.push({ steps, isBegin, isAfterWord, others: new Map() }) - 1 + FIRST_STATE;
    this.#numbers.set(key, number);
    return number;
  }

  #stateOf(number: number): State {
    const state = this.#states[number - FIRST_STATE];
    if (state === undefined) throw new Error(`there is no state ${number}`);
    return state;
  }

  #forget(): void {
    this.#numbers.clear();
    this.#states.length = 0;
    this.#table.fill(UNKNOWN);
    this.#ends.fill(UNKNOWN);
    this.#numberOf([], true, false);
  }

  /** Forgets all states but this one; returns its number. */
  #restart({ steps, isBegin, isAfterWord }: State): number {
    this.#forget();
    return this.#numberOf(steps, isBegin, isAfterWord);
  }

  /** Steps that are reached without a character; `code` is the next one, undefined at the end of the text. */
  #reached({ steps: begun, isBegin, isAfterWord }: State, code: number | undefined): Set<number> {
    const isBoundary = isAfterWord !== (code !== undefined && isWord(code));
    const holds = { '^': isBegin, $: code === undefined, b: isBoundary, B: !isBoundary };
    const seen = new Set<number>();
    const left = [this.#entry, ...begun];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const step = this.#steps[at];
      if (step?.kind === 'split') left.push(...step.nexts);
      else if (step?.kind === 'place' && holds[step.place]) left.push(step.next);
    }
    return seen;
  }
}

const END = 0;

/** Adds the steps of a pattern before its end; returns the first. */
function compile(steps: Step[], whole: Part): number {
  let parts = 0;
  const add = (step: Step): number => steps.push(step) - 1;
  const before = (part: Part, next: number): number => {
    parts += 1;
    if (parts > MAX_STEPS) throw new NotLinear();
    switch (part.kind) {
      case 'set':
        return add({ kind: 'set', has: part.has, next });
      case 'place':
        return add({ kind: 'place', place: part.place, next });
      case 'all':
        return part.parts.reduceRight((after, one) => before(one, after), next);
      case 'any':
        return add({ kind: 'split', nexts: part.parts.map((one) => before(one, next)) });
      case 'repeat': {
        let first = next;
        if (part.max === Infinity) {
          const nexts = [next];
          first = add({ kind: 'split', nexts });
          nexts.push(before(part.part, first));
        } else
          for (let more = part.min; more < part.max; more += 1)
            first = add({ kind: 'split', nexts: [next, before(part.part, first)] });
        for (let count = 0; count < part.min; count += 1) first = before(part.part, first);
        return first;
      }
    }
  };
  return before(whole, END);
}
