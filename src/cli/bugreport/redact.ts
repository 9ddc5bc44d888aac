import { printable } from '../../base/text.ts';
import { HIDDEN } from '../../journal/secret-names.ts';
import { proseWithoutSecrets } from '../../journal/without-secrets.ts';

/** Facts about the operator that a report must not contain. */
export interface Personal {
  readonly home: string;
  readonly user: string;
  readonly host: string;
}

/** Maximum length of a line (characters). */
const MAX_LINE = 2000;
/** Shorter names of users and hosts occur in ordinary words. */
const MIN_NAME = 3;

/** Command of a forward, up to what the log says about it: it may name a host or contain a secret. */
const COMMAND = /\bexec:.*?(?= reason=|: the command |$)/g;

/**
 * Returns the function that prepares one line of foreign or mixed text for a report. It hides the values of secret
 * names, long words with letters and digits, which may be tokens, commands of forwards, and names of the user and the
 * host; the home folder becomes `~`.
 */
export function redactor({ home, user, host }: Personal): (line: string) => string {
  const names = [
    [user, '[user]'],
    [host, '[host]'],
  ] as const;
  return (line) => {
    let text = printable(line.slice(0, MAX_LINE)).replaceAll(COMMAND, `exec:${HIDDEN}`);
    if (home.length > 1) text = text.replaceAll(home, '~');
    text = proseWithoutSecrets(text).replaceAll(/[\w.~+-]{20,}/g, (word) => (isOpaque(word) ? HIDDEN : word));
    for (const [name, replacement] of names) {
      if (name.length < MIN_NAME) continue;
      text = text.replaceAll(new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, 'g'), replacement);
    }
    return text;
  };
}

/** Whether a word may be a token: letters and digits mixed. An id consists of digits alone, a file name of letters. */
function isOpaque(word: string): boolean {
  return /\d/.test(word) && /[A-Za-z]/.test(word);
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w]/g, String.raw`\$&`);
}
