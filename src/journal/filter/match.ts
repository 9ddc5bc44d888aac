import type { JournalEntry } from '../entry.ts';
import { type Exchange, firstOf, isError } from '../exchange.ts';
import type { TextTest } from './linear-pattern.ts';
import type { Condition, Term } from './parse.ts';
import { isTimeWithin, isWithin, timeOfDayMs } from './range.ts';
import type { ValuePart } from './tokens.ts';

/** Tests a row. */
export type RowTest = (row: Exchange) => boolean;

/** Name of an application by its id; undefined where it is unknown. */
export type NameOf = (app: string | undefined) => string | undefined;

/** Order of the conditions: those that compare one value come before those that search texts. */
const COSTS = {
  kind: 0,
  status: 0,
  ms: 0,
  size: 0,
  session: 1,
  cmd: 1,
  app: 1,
  time: 2,
  text: 3,
  re: 4,
} as const;

/** Test for the terms of a filter, all of which must hold. Without terms every row passes. */
export function matcherOf(terms: readonly Term[], nameOf: NameOf): RowTest {
  const tests = terms
    .toSorted((a, b) => COSTS[a.condition.key] - COSTS[b.condition.key])
    .map(({ condition, isNegated }) => {
      const test = testOf(condition, nameOf);
      return isNegated ? (row: Exchange) => !test(row) : test;
    });
  return (row) => {
    for (const test of tests) if (!test(row)) return false;
    return true;
  };
}

function testOf(condition: Condition, nameOf: NameOf): RowTest {
  switch (condition.key) {
    case 'app':
      return appTest(condition.parts, nameOf);
    case 'cmd':
      return remembered(wordTest(condition.parts), ({ name }) => name);
    case 'session': {
      const begins = condition.parts.map(({ text }) => text.toLowerCase());
      return ({ peer: { session } }) =>
        session !== undefined && begins.some((text) => session.startsWith(text));
    }
    case 'kind': {
      const kinds = new Set(condition.parts.map(({ text }) => text.toLowerCase()));
      return (row) => kinds.has(row.kind) || kinds.has(firstOf(row).kind);
    }
    case 'status': {
      const tests = condition.parts.map(({ text }) => statusTest(text.toLowerCase()));
      return (row) => tests.some((test) => test(row));
    }
    case 'ms':
      return ({ ms }) => ms !== undefined && isWithin(ms, condition.range);
    case 'size':
      return ({ bytes }) => isWithin(bytes, condition.range);
    case 'time':
      return ({ at }) => isTimeWithin(timeOfDayMs(at), condition.range);
    case 'text':
    case 're': {
      const { pattern } = condition;
      const test = (text: string): boolean => pattern.test(text);
      const isName = remembered(test, ({ name }) => name);
      const isOfApp = remembered(test, ({ peer: { app } }) => nameOf(app) ?? '');
      return (row) => isName(row) || isOfApp(row) || isSomeText(row, pattern);
    }
  }
}

function appTest(parts: readonly ValuePart[], nameOf: NameOf): RowTest {
  const isNamed = wordTest(parts);
  const isApp = remembered(
    (app) => isNamed(nameOf(app) ?? '') || parts.some(({ text }) => app === text),
    ({ peer: { app } }) => app ?? '',
  );
  const begins = parts.map(({ text }) => text.toLowerCase());
  // An app before its handshake has the beginning of its session's id as its name in the list.
  return (row) =>
    row.peer.app === undefined
      ? begins.some((text) => row.peer.session?.startsWith(text) ?? false)
      : isApp(row);
}

/** Whether a text has one of the words, or is one that stands after an equals sign. */
function wordTest(parts: readonly ValuePart[]): (text: string) => boolean {
  const words = parts.map(({ text, isExact }) => ({ word: text.toLowerCase(), isExact }));
  return (text) => {
    const lower = text.toLowerCase();
    return words.some(({ word, isExact }) => (isExact ? lower === word : lower.includes(word)));
  };
}

/** Maximum of remembered results; a program may send any number of names. */
const MAX_REMEMBERED = 2000;

/** Remembers the result of a test for each text, because few texts stand in most rows. */
function remembered(test: (text: string) => boolean, of: (row: Exchange) => string): RowTest {
  const results = new Map<string, boolean>();
  return (row) => {
    const text = of(row);
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = test(text);
    if (results.size < MAX_REMEMBERED) results.set(text, result);
    return result;
  };
}

function statusTest(word: string): RowTest {
  switch (word) {
    case 'error':
      return isError;
    case 'ok':
    case 'open':
    case 'unanswered':
    case 'warning':
      return ({ state }) => state === word;
    default: {
      const pattern = new RegExp(`^${word.replaceAll('x', String.raw`\d`)}$`);
      return ({ code }) => pattern.test(code);
    }
  }
}

function isSomeText({ request, answer }: Exchange, pattern: TextTest): boolean {
  return (
    (request !== undefined && isInEntry(request, pattern)) ||
    (answer !== undefined && isInEntry(answer, pattern))
  );
}

function isInEntry(entry: JournalEntry, pattern: TextTest): boolean {
  switch (entry.kind) {
    case 'frame':
    case 'gateway':
      return pattern.test(entry.text);
    case 'http':
      return (
        pattern.test(entry.path) ||
        pattern.test(entry.request.body ?? '') ||
        pattern.test(entry.response.body ?? '')
      );
    case 'webhook':
      return pattern.test(entry.url) || pattern.test(entry.text);
    case 'close':
    case 'broken':
    case 'warning':
      return pattern.test(entry.message);
    case 'fault':
    case 'missing':
      return pattern.test(entry.what);
    case 'violation':
      return pattern.test(entry.what) || pattern.test(entry.where);
    case 'clock':
      return pattern.test(entry.to);
    case 'refused':
      return pattern.test(`${entry.origin ?? ''} ${entry.why} ${entry.over} ${entry.remedy}`);
    case 'connect':
      return pattern.test(`${entry.over} ${entry.entrance ?? ''}`);
    case 'end':
      return false;
  }
}
