import { HIDDEN } from '../../journal/secret-names.ts';
import { refusal } from './refusal.ts';

/**
 * Throws if an edited value has a text in it that the journal shows in place of a hidden one: a text of the entry as the
 * journal shows it that what was sent does not have.
 */
export function checkNoPlaceholder(edited: unknown, journalText: string, sent: string): void {
  const own = new Set(stringsIn(parsed(sent)));
  const placeholders = new Set(stringsIn(parsed(journalText)).filter((text) => !own.has(text)));
  const found = stringsIn(edited).find((text) => placeholders.has(text));
  if (found !== undefined) throw hidden(found);
}

/** Throws if an edited path has a part in it that the journal hides. */
export function checkNoPlaceholderInPath(path: string): void {
  if (path.includes(HIDDEN)) throw hidden(HIDDEN);
}

function hidden(placeholder: string): Error {
  return refusal(
    'HIDDEN',
    `${JSON.stringify(placeholder.slice(0, 60))} stands where the journal hides a value. Write the value in its place.`,
  );
}

/** All keys and texts of a JSON value, in any order. Not recursive: an app nests its values as deep as it likes. */
function stringsIn(root: unknown): readonly string[] {
  const strings: string[] = [];
  const left = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') strings.push(value);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (!Array.isArray(value)) strings.push(key);
        left.push(member);
      }
    }
  }
  return strings;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
