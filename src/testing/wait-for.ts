import { LocalError } from '../base/local-error.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { type Call, callsIn, type What, wanted } from './calls.ts';
import { quoted, requireKnown } from './options.ts';

/** How to wait. */
export interface WaitOptions {
  /** Timeout (ms); default 5,000. */
  readonly timeout?: number;
  /** Number of an entry: only later entries count. By default earlier entries count, too. */
  readonly since?: number;
}

const TIMEOUT_MS = 5000;

/**
 * Waits for the first call of a command or a route, and for its answer if it gets one. Rejects with `LocalError`
 * FOOTBRIDGE_TIMEOUT, which lists the traffic that came instead, or with FOOTBRIDGE_ARGUMENTS for a name that is
 * neither a command nor a route of the platform.
 */
export async function waitForCall(journal: Journal, what: What, options: WaitOptions = {}): Promise<Call> {
  const call = wanted(what, 'waitFor');
  const find = (entries: readonly JournalEntry[]): Call | undefined =>
    callsIn(entries).find((one) => call.matches(one));
  // The check rejects a mistyped route at once, which would otherwise only time out.
  if (find(journal.read().entries) === undefined) await call.check();
  return waiting(journal, what, options, find);
}

/**
 * Resolves with the first entry for which `is` returns true. Rejects as {@link waitForCall} does, and with the
 * error that `is` throws.
 */
export async function waitForEntry(
  journal: Journal,
  is: (entry: JournalEntry) => boolean,
  options: WaitOptions = {},
): Promise<JournalEntry> {
  return waiting(journal, 'what was waited for', options, (entries) => entries.find(is));
}

async function waiting<T>(
  journal: Journal,
  what: string,
  options: WaitOptions,
  find: (entries: readonly JournalEntry[]) => T | undefined,
): Promise<T> {
  requireKnown('waitFor', options, ['timeout', 'since'] satisfies (keyof WaitOptions)[]);
  const { timeout = TIMEOUT_MS, since = 0 } = options;
  if (typeof timeout !== 'number' || !(timeout >= 0)) {
    throw new LocalError(
      'FOOTBRIDGE_ARGUMENTS',
      `waitFor: timeout must be milliseconds, not ${quoted(timeout)}.`,
    );
  }
  const findMatch = (): T | undefined => find(journal.read({ after: since }).entries);
  return new Promise<T>((resolve, reject) => {
    let isDue = false;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      stop();
      settle();
    };
    const check = (): void => {
      isDue = false;
      try {
        const found = findMatch();
        if (found !== undefined) end(() => resolve(found));
      } catch (error) {
        end(() => reject(error as Error));
      }
    };
    const timer = setTimeout(() => {
      const calls = callsIn(journal.read({ after: since }).entries).map((call) => call.what);
      const came = calls.length === 0 ? 'Nothing came' : `What came: ${calls.slice(-10).join(', ')}`;
      const error = new LocalError(
        'FOOTBRIDGE_TIMEOUT',
        `waitFor: no ${what} within ${timeout} ms. ${came}.`,
      );
      end(() => reject(error));
    }, timeout);
    const stop = journal.follow(() => {
      // The journal is read once per turn of the event loop, however many entries arrive in it.
      if (isDue) return;
      isDue = true;
      setImmediate(check);
    });
    check();
  });
}
