import { isKey, KEYS, KIND_WORDS, STATUS_WORDS } from './keys.ts';
import { quotedValue, tokensIn } from './tokens.ts';

/** Known values, with which a filter is completed. */
export interface KnownValues {
  readonly apps: Iterable<string>;
  readonly names: Iterable<string>;
}

/** A way to go on; it replaces the text from `from` to `to`. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly about: string;
}

/** Maximum of offered completions. */
const MAX_OFFERED = 12;

/** Completions of the word at a position of a filter: keys, then the values of a key. */
export function completionsOf(filter: string, position: number, known: KnownValues): readonly Completion[] {
  const token = tokensIn(filter).find(({ from, to }) => from < position && position <= to);
  const sign = token?.isNegated ? 1 : 0;
  const from = token === undefined ? position : token.from + sign;
  const to = token?.to ?? position;
  if (token === undefined || token.key === '' || position < token.valueFrom) {
    const begin = filter.slice(from, position).toLowerCase();
    if (begin.startsWith('"')) return [];
    return Object.entries(KEYS)
      .filter(([key]) => key.startsWith(begin))
      .map(([key, about]) => ({
        from,
        to: Math.max(position, token === undefined ? position : to),
        text: `${key}:`,
        about,
      }));
  }
  if (!isKey(token.key)) return [];
  // Only the last of several values is completed.
  const typed = filter.slice(token.valueFrom, position);
  const begin = token.valueFrom + (typed.includes('"') ? 0 : typed.lastIndexOf(',') + 1);
  const word = filter.slice(begin, position).replaceAll(/^=|"/g, '').toLowerCase();
  return [...new Set(valuesOf(token.key, known))]
    .filter((value) => value.toLowerCase().includes(word) && value.toLowerCase() !== word)
    .sort((a, b) => Number(b.toLowerCase().startsWith(word)) - Number(a.toLowerCase().startsWith(word)))
    .slice(0, MAX_OFFERED)
    .map((value) => ({ from: begin, to, text: `${quotedValue(value)} `, about: ABOUT[token.key] ?? '' }));
}

const ABOUT: Readonly<Record<string, string>> = {
  app: 'application',
  cmd: 'name',
  kind: 'kind',
  status: 'result',
};

function valuesOf(key: string, { apps, names }: KnownValues): Iterable<string> {
  switch (key) {
    case 'app':
      return apps;
    case 'cmd':
      return names;
    case 'kind':
      return KIND_WORDS;
    case 'status':
      return STATUS_WORDS;
    case 'ms':
      return ['>100', '>1s'];
    case 'size':
      return ['>10k', '>1m'];
    default:
      return [];
  }
}
