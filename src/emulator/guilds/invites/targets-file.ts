import { isSnowflake } from '../../../base/snowflake.ts';
import { ownText } from '../../kernel/own-text.ts';

/** Limit of the reported lines. */
const MAX_FAULTS = 100;

/** Content of a file of target users: ids without duplicates, or the errors by line. */
export type TargetsFile =
  | { readonly kind: 'read'; readonly users: readonly string[] }
  | { readonly kind: 'broken'; readonly faults: readonly string[] };

/**
 * Reads one column of ids. The header `user_id` is optional, lines end with LF or CRLF, and a byte order mark and
 * quotes around an id are accepted, because programs that write such files use all of these.
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
    else if (faults.length < MAX_FAULTS) faults.push(`Line ${index + 1}: ${faultOf(text)}`);
  }
  return faults.length > 0 ? { kind: 'broken', faults } : { kind: 'read', users: [...users] };
}

function faultOf(text: string): string {
  return /^\d+$/.test(text)
    ? 'invalid user ID - must be a valid Discord snowflake'
    : 'invalid user ID format';
}

/** Writes ids as a file of target users, with its header. */
export function targetsFile(users: Iterable<string>): string {
  return ['user_id', ...users].map((line) => `${line}\n`).join('');
}
