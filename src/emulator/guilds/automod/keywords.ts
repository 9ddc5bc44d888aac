import { ownText } from '../../kernel/own-text.ts';

/** A match of a keyword or a pattern in a text. */
export interface Match {
  /** Keyword or pattern, as the rule contains it. */
  readonly keyword: string;
  /** Matching part of the text. */
  readonly content: string;
}

/** Part of a text, from index `from` up to but not including `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the positions of a pattern in a text, which are computed lazily. */
export type FindPattern = (pattern: string, text: string) => Iterable<Range>;

/** Search terms of a rule. */
export interface Wanted {
  readonly keywords: readonly string[];
  readonly patterns: readonly string[];
  readonly allowed: readonly string[];
}

/** Maximum number of positions that are checked for one keyword. */
const MAX_POSITIONS = 1000;

/**
 * The first match in a text. A keyword matches as a whole word or phrase between white space; with `*` before or after
 * it, it also matches as part of a longer word. A pattern matches as a regular expression. A match within an allowed
 * word is ignored, and so is letter case.
 */
export function firstFault(text: string, wanted: Wanted, find: FindPattern): Match | undefined {
  const lower = text.toLowerCase();
  const spared = sparedIn(lower, wanted.allowed);
  const isFault = ({ from, to }: Range): boolean => (spared[from] ?? -1) < to;
  // Lower case may change the length of a text. Positions then fit only the lower-case text, so the excerpt comes from
  // it.
  const excerptSource = lower.length === text.length ? text : lower;
  for (const keyword of wanted.keywords) {
    const range = rangesOf(keyword, lower).find(isFault);
    if (range !== undefined) return { keyword, content: ownText(excerptSource.slice(range.from, range.to)) };
  }
  for (const pattern of wanted.patterns) {
    for (const range of find(pattern, text)) {
      if (isFault(range)) return { keyword: pattern, content: ownText(text.slice(range.from, range.to)) };
    }
  }
  return undefined;
}

function rangesOf(keyword: string, lower: string): Range[] {
  const { before, behind, word } = partsOf(keyword);
  const ranges: Range[] = [];
  if (word === '') return ranges;
  for (let from = lower.indexOf(word); from >= 0; from = lower.indexOf(word, from + 1)) {
    const to = from + word.length;
    if ((before || isEdge(lower[from - 1])) && (behind || isEdge(lower[to]))) ranges.push({ from, to });
    if (ranges.length >= MAX_POSITIONS) break;
  }
  return ranges;
}

/**
 * For each position of a text, the furthest end of an allowed word that covers the position; -1 if none does. With this
 * table, a match is checked in constant time, which does not depend on the number of allowed words: a hostile author
 * may choose text and words.
 */
function sparedIn(lower: string, allowed: readonly string[]): Int32Array {
  if (allowed.length === 0) return new Int32Array(0);
  const reach = new Int32Array(lower.length + 1).fill(-1);
  const { begins, ends } = edgesOf(lower);
  for (const keyword of allowed) {
    const { before, behind } = partsOf(keyword);
    for (const { from, to } of rangesOf(keyword, lower)) {
      // With `*`, the allowed part extends to the ends of the longer word.
      const begin = before ? (begins[from] ?? from) : from;
      reach[begin] = Math.max(reach[begin] ?? -1, behind ? (ends[to] ?? to) : to);
    }
  }
  for (let at = 1; at < reach.length; at += 1) reach[at] = Math.max(reach[at] ?? -1, reach[at - 1] ?? -1);
  return reach;
}

/** For each position of a text, the start and the end of the word that contains the position. */
function edgesOf(lower: string): { readonly begins: Int32Array; readonly ends: Int32Array } {
  const begins = new Int32Array(lower.length + 1);
  const ends = new Int32Array(lower.length + 1).fill(lower.length);
  for (let at = 1; at <= lower.length; at += 1)
    begins[at] = isEdge(lower[at - 1]) ? at : (begins[at - 1] ?? 0);
  for (let at = lower.length - 1; at >= 0; at -= 1) ends[at] = isEdge(lower[at]) ? at : (ends[at + 1] ?? at);
  return { begins, ends };
}

function partsOf(keyword: string) {
  const before = keyword.startsWith('*');
  const behind = keyword.endsWith('*');
  const word = keyword.replace(/^\*/, '').replace(/\*$/, '').toLowerCase();
  return { before, behind, word };
}

/** Whether a word ends here: at white space, or at the end of the text. */
function isEdge(letter: string | undefined): boolean {
  return letter === undefined || /\s/.test(letter);
}
