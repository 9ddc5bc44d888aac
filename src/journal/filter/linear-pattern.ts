import { isWord, NotLinear, type Part, type Place, partsOf } from './pattern-parts.ts';

/** Tests a text. */
export interface TextTest {
  test(text: string): boolean;
}

/** Maximum number of steps of a pattern: each may be looked at for each character of a text. */
const MAX_STEPS = 1000;
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
  /** States after each character that came so far. */
  readonly after: Map<number, State | 'found'>;
}

/**
 * A regular expression, without regard to case, that takes linear time for any text: it follows all ways at once, where
 * the engine of JavaScript tries one after another. Throws `NotLinear`, also for a pattern that is too large.
 */
export function linearPattern(source: string): TextTest {
  const steps: Step[] = [{ kind: 'end' }];
  const entry = compile(steps, partsOf(source));
  const states = new Map<string, State>();
  const stateOf = (next: readonly number[], isBegin: boolean, isAfterWord: boolean): State => {
    const sorted = [...new Set(next)].toSorted((a, b) => a - b);
    const key = `${isBegin} ${isAfterWord} ${sorted.join(' ')}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    if (states.size >= MAX_STATES) states.clear();
    const state: State = { steps: sorted, isBegin, isAfterWord, after: new Map() };
    states.set(key, state);
    return state;
  };
  /** Steps that are reached without a character; `code` is the next one. */
  const reached = ({ steps: begun, isBegin, isAfterWord }: State, code: number | undefined): Set<number> => {
    const isBoundary = isAfterWord !== (code !== undefined && isWord(code));
    const holds = { '^': isBegin, $: code === undefined, b: isBoundary, B: !isBoundary };
    const seen = new Set<number>();
    const left = [entry, ...begun];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const step = steps[at];
      if (step?.kind === 'split') left.push(...step.nexts);
      else if (step?.kind === 'place' && holds[step.place]) left.push(step.next);
    }
    return seen;
  };
  const next = (state: State, code: number): State | 'found' => {
    const now = reached(state, code);
    if (now.has(END)) return 'found';
    const following = [...now].flatMap((at) => {
      const step = steps[at];
      return step?.kind === 'set' && step.has(code) ? [step.next] : [];
    });
    return stateOf(following, false, isWord(code));
  };
  return {
    test(text) {
      let state = stateOf([], true, false);
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        let after = state.after.get(code);
        if (after === undefined) {
          after = next(state, code);
          state.after.set(code, after);
        }
        if (after === 'found') return true;
        state = after;
      }
      return reached(state, undefined).has(END);
    },
  };
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
