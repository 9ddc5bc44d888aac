import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { matcherOf } from '../../../../journal/filter/match.ts';
import { type FilterProblem, parseFilter, type Term } from '../../../../journal/filter/parse.ts';
import type { Range } from '../../../../journal/filter/range.ts';
import type { AppNames } from '../../data/app-names.ts';
import type { Feed } from '../../data/feed.ts';
import type { RowSource } from '../../data/row-store.ts';
import { type PageAddress, pageAddress, replaceOptions } from '../../shell/pages.ts';
import { Matching, type Turns } from './matching.ts';

/** Filter of the list, which is in the address of the page. */
export interface FilterState {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isOff: boolean;
  readonly turn: () => void;
  readonly problem: FilterProblem | undefined;
  /** Text of the filter that the rows pass: the one before while `text` cannot be read, empty while it is off. */
  readonly applied: string;
  /** Times of day that the filter selects. */
  readonly time: Range | undefined;
  /** Rows that pass the filter. */
  readonly matching: Matching;
  /** Rows that pass the filter at any time. */
  readonly atAnyTime: Matching;
}

/** Filter of the address, with the rows that pass it. */
export function useFilter(feed: Feed, { rest, query }: PageAddress): FilterState {
  const inAddress = query.get('filter') ?? (rest === '' ? '' : `session:${rest}`);
  const [text, setOwnText] = useState(inAddress);
  const written = useRef(inAddress);
  // The address may change by a link or by the browser's history.
  if (inAddress !== written.current) {
    written.current = inAddress;
    setOwnText(inAddress);
  }
  useEffect(() => {
    if (rest !== '') history.replaceState(null, '', pageAddress('traffic', '', { filter: inAddress }));
  }, [rest]);
  const setText = (next: string): void => {
    setOwnText(next);
    written.current = next;
    replaceOptions({ filter: next });
  };
  const isOff = query.get('off') === '1';
  const parsed = useMemo(() => parseFilter(text), [text]);
  const last = useRef<{ readonly terms: readonly Term[]; readonly text: string }>({
    terms: NO_TERMS,
    text: '',
  });
  if (parsed.kind === 'filter') last.current = { terms: parsed.terms, text: text.trim() };
  const { terms } = last.current;
  const isTimed = !isOff && terms.some(({ condition }) => condition.key === 'time');
  const matching = useMatching(feed, feed.names, isOff ? NO_TERMS : terms);
  const others = useMemo(
    () => (isTimed ? terms.filter(({ condition }) => condition.key !== 'time') : NO_TERMS),
    [isTimed, terms],
  );
  const atAnyTime = useMatching(isTimed ? feed : NO_ROWS, feed.names, others);
  const selecting = terms.find(
    ({ condition, isNegated }) => condition.key === 'time' && !isNegated,
  )?.condition;
  return {
    text,
    setText,
    isOff,
    turn: () => replaceOptions({ off: isOff ? '' : '1' }),
    applied: isOff ? '' : last.current.text,
    problem: parsed.kind === 'problem' ? parsed.problem : undefined,
    time: selecting?.key === 'time' && !isOff ? selecting.range : undefined,
    matching,
    atAnyTime: isTimed ? atAnyTime : matching,
  };
}

const TURNS: Turns = {
  now: () => performance.now(),
  // Unlike a timer, a message is not held for 4 ms.
  later: (run) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      run();
    };
    port2.postMessage(undefined);
  },
};

const NO_TERMS: readonly Term[] = [];

const NO_ROWS: RowSource = { rows: [], read: () => () => {} };

function useMatching(source: RowSource, names: AppNames, terms: readonly Term[]): Matching {
  const [, draw] = useState(0);
  const matching = useMemo(() => new Matching(source, TURNS, () => draw((count) => count + 1)), [source]);
  useEffect(() => () => matching.close(), [matching]);
  const { version } = names;
  // Before the list is drawn: most filters are done in the first slice.
  useMemo(() => matching.setTest(matcherOf(terms, (app) => names.of(app))), [matching, terms, version]);
  return matching;
}
