import type { Message } from '../records.ts';
import type { Filter } from './filters.ts';
import type { Document, GuildIndex } from './guild-index.ts';
import type { SearchQuery } from './query.ts';
import { isClose, wordsOf } from './words.ts';

/** Search result: the total number, and the requested page. */
export interface Found {
  readonly total: number;
  readonly page: readonly Message[];
}

/** BM25 parameters with their usual values: saturation of frequent words (k1), and weight of short texts (b). */
const OFTEN = 1.2;
const SHORT = 0.75;

/** Where and with which filters to search. */
interface Sought {
  readonly channels: Iterable<{ readonly id: string }>;
  readonly filters: readonly Filter[];
  readonly query: SearchQuery;
}

/**
 * Messages of the given channels that contain all words close to each other and pass all filters. All are counted, but
 * only those up to the end of the page are sorted. The search takes several turns of the event loop, in which a message
 * that was found may change or be deleted.
 */
export async function find(index: GuildIndex, { channels, filters, query }: Sought): Promise<Found> {
  const { content = '', slop = 2, sort_order = 'desc', limit = 25, offset = 0 } = query;
  const words: number[] = [];
  for (const word of new Set(wordsOf(content))) {
    const number = index.wordNumber(word);
    if (number === undefined) return { total: 0, page: [] };
    words.push(number);
  }
  const isIn: boolean[] = [];
  for (const { id } of channels) isIn[index.channelNumber(id) ?? -1] = true;
  const isRanked = query.sort_by === 'relevance' && words.length > 0;
  /** Number of documents with each word. */
  const having = words.map(() => 0);
  const found: Document[] = [];
  await index.visit((document) => {
    if (isRanked) {
      for (const [at, word] of words.entries()) {
        if (document.words.includes(word)) having[at] = (having[at] ?? 0) + 1;
      }
    }
    if (isIn[document.channel] !== true || !hasAll(document.words, words)) return;
    if (!isClose(document.words, words, slop)) return;
    for (const passes of filters) if (!passes(document.message)) return;
    found.push(document);
  });
  if (sort_order === 'desc') found.reverse();
  const end = offset + limit;
  const ordered = isRanked ? firstByScore(found, scoring(index, words, having), end, sort_order) : found;
  return { total: found.length, page: ordered.slice(offset, end).map(({ message }) => message) };
}

function hasAll(documentWords: readonly number[], words: readonly number[]): boolean {
  for (const word of words) if (!documentWords.includes(word)) return false;
  return true;
}

/** Returns a function that computes the BM25 score of a document for these words; `having` contain each of them. */
function scoring(
  index: GuildIndex,
  words: readonly number[],
  having: readonly number[],
): (document: Document) => number {
  const weights = having.map((count) => Math.log(1 + (index.size - count + 0.5) / (count + 0.5)));
  const { usualLength } = index;
  return ({ words: documentWords }) => {
    const length = OFTEN * (1 - SHORT + (SHORT * documentWords.length) / usualLength);
    let score = 0;
    for (const [at, word] of words.entries()) {
      let times = 0;
      for (const one of documentWords) if (one === word) times += 1;
      score += ((weights[at] ?? 0) * times * (OFTEN + 1)) / (times + length);
    }
    return score;
  };
}

/**
 * The first `count` documents by score; documents with equal scores stay in their order. Sorts only these `count`
 * documents.
 */
function firstByScore(
  found: readonly Document[],
  score: (document: Document) => number,
  count: number,
  order: 'asc' | 'desc',
): Document[] {
  const sign = order === 'desc' ? -1 : 1;
  const scores = new Float64Array(found.length);
  for (const [at, document] of found.entries()) scores[at] = sign * score(document);
  const last = scores.toSorted()[Math.min(count, scores.length) - 1] ?? 0;
  const before: number[] = [];
  const alike: Document[] = [];
  for (const [at, document] of found.entries()) {
    const own = scores[at] ?? 0;
    if (own < last) before.push(at);
    else if (own === last && alike.length < count) alike.push(document);
  }
  before.sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0) || a - b);
  return [...before.flatMap((at) => found[at] ?? []), ...alike];
}
