import { ENTRY_KINDS } from '../entry.ts';
import { EXCHANGE_KINDS } from '../exchange.ts';

/** Keys of the filter language, each with what it compares. */
export const KEYS = {
  app: 'name or id of the application',
  cmd: 'command, event or route',
  kind: 'rpc, event, http, gateway, webhook, fault, session …',
  status: 'error, ok, open, or a code such as 4006, 404, 4xx',
  session: 'beginning of the id of the session',
  ms: 'duration, such as >100 or 5..20',
  size: 'size in bytes, such as >10k',
  time: 'time of day, such as 14:03 or 14:03:10..14:04',
  re: 'regular expression, in names and bodies',
} as const;

export type FilterKey = keyof typeof KEYS;

/** Whether a word is a key of the language. */
export function isKey(word: string): word is FilterKey {
  return Object.hasOwn(KEYS, word);
}

/** Words of `kind:`: kinds of rows, and kinds of entries. */
export const KIND_WORDS: readonly string[] = [...new Set<string>([...EXCHANGE_KINDS, ...ENTRY_KINDS])];

/** Words of `status:`; a code is a word, too. */
export const STATUS_WORDS = ['error', 'ok', 'open', 'unanswered', 'warning'] as const;
