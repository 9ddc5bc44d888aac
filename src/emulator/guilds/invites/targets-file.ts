import { isSnowflake } from '../../../base/snowflake.ts';
import { ownText } from '../../kernel/own-text.ts';

/** Most lines that are told of. */
const MOST_FAULTS = 100;

/** What a file of target users says: their ids, each once, or what is wrong with it, line by line. */
export type TargetsFile =
  | { readonly kind: 'read'; readonly users: readonly string[] }
  | { readonly kind: 'broken'; readonly faults: readonly string[] };

/**
 * Reads one column of ids. Programs write the header `user_id` or leave it out, end lines with LF or CRLF, and some put a
 * byte order mark before all or quotes around an id.
 */
export function readTargets(bytes: Buffer): TargetsFile {
  const lines = bytes
    .toString('utf8')
    .replace(/^\u{FEFF}/u, '')
    .split(/\r\n|\n|\r/);
  const users = new Set<string>();
  const faults: string[] = [];
  for (const [index, line] of lines.entries()) {
    const text = line.trim().replace(/^"(.*)"$/, '$1');
    if (text === '' || (index === 0 && text.toLowerCase() === 'user_id')) continue;
    if (isSnowflake(text)) users.add(ownText(text));
    else if (faults.length < MOST_FAULTS) faults.push(`Line ${index + 1}: ${faultOf(text)}`);
  }
  return faults.length > 0 ? { kind: 'broken', faults } : { kind: 'read', users: [...users] };
}

function faultOf(text: string): string {
  return /^\d+$/.test(text)
    ? 'invalid user ID - must be a valid Discord snowflake'
    : 'invalid user ID format';
}

/** Writes ids as such a file, with its header. */
export function targetsFile(users: Iterable<string>): string {
  return ['user_id', ...users].map((line) => `${line}\n`).join('');
}
