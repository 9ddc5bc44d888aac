import { parseUrl } from '../base/url.ts';
import {
  type AuthorizationRequest,
  authorizationPage,
  codeIn,
  type SiteAnswer,
} from './authorization-page.ts';
import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';
import { onAnswer } from './window-answer.ts';

/** Members that this module uses of a browser window. */
export interface OpenedWindow {
  readonly closed: boolean;
  /** Address of the window; reading `href` throws while the window shows a page of another origin. */
  readonly location: { readonly href: string };
  close(): void;
}

/** Members that this module uses of the game's page. */
export interface GamePage {
  readonly location: { readonly origin: string };
  open(address: string, target: string, features: string): OpenedWindow | null;
}

const FEATURES = 'popup,width=520,height=760';
/** Interval at which the window's address is polled (ms), because the browser sends no event for a change. */
const POLL_MS = 100;
/** Number of polls that have to find the window at the site before a close of the window is believed. */
const MAX_POLLS_AWAY = 10;

/**
 * Prompts the user in a browser window, which the site redirects to an address of the page's own origin. Rejects with
 * the signal's reason, or with Failed when the user refuses, when the browser opens no window, or when the user closes
 * the window.
 *
 * A site may isolate its window from this page (Cross-Origin-Opener-Policy). The page then cannot notice that the
 * window is closed, and receives the answer only if the page at the redirect address calls `AnswerAuthorize`.
 */
export async function authorizeInWindow(
  page: GamePage,
  webBase: string,
  request: AuthorizationRequest,
  redirectUri: string,
  signal: AbortSignal,
): Promise<SiteAnswer> {
  if (parseUrl(redirectUri)?.origin !== page.location.origin)
    throw new Failed(
      ErrorType.ValidationError,
      'settings.redirectUri: must be an address of this page’s origin',
    );
  signal.throwIfAborted();
  const window = page.open(authorizationPage(webBase, request, redirectUri), '_blank', FEATURES);
  if (window === null)
    throw new Failed(
      ErrorType.AuthorizationFailed,
      'The browser opened no window: call Authorize from a click',
    );
  try {
    const answer = await landed(window, request.state, redirectUri, signal);
    if (answer.get('state') !== request.state) {
      const message = 'State: the answer carries another one; its code is not used';
      throw new Failed(ErrorType.AuthorizationFailed, message);
    }
    return { code: codeIn(answer), redirectUri };
  } finally {
    window.close();
  }
}

/** Waits until the window is at the redirect address; resolves with the query of that address. */
function landed(
  window: OpenedWindow,
  state: string,
  redirectUri: string,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearInterval(timer);
      forget();
      signal.removeEventListener('abort', leave);
      settle();
    };
    const leave = (): void => end(() => reject(signal.reason));
    signal.addEventListener('abort', leave);
    const forget = onAnswer(state, (query) => end(() => resolve(query)));
    let pollsAway = 0;
    const timer = setInterval(() => {
      const seen = seenIn(window, redirectUri);
      if (seen === 'away') pollsAway += 1;
      if (typeof seen === 'object') end(() => resolve(seen));
      // A site may isolate its window from this page (Cross-Origin-Opener-Policy), which makes the window look closed.
      // When many polls have found the window at the site, it is not isolated and is really closed; a few such polls
      // also occur before an isolation.
      else if (pollsAway >= MAX_POLLS_AWAY && window.closed)
        end(() =>
          reject(new Failed(ErrorType.AuthorizationFailed, 'The window was closed without an answer')),
        );
    }, POLL_MS);
  });
}

/**
 * Returns the query of the redirect address when the window is there, `away` while it is at another origin, else
 * undefined.
 */
function seenIn(window: OpenedWindow, redirectUri: string): URLSearchParams | 'away' | undefined {
  if (window.closed) return undefined;
  try {
    const address = new URL(window.location.href);
    const wanted = new URL(redirectUri);
    const isThere = address.origin === wanted.origin && address.pathname === wanted.pathname;
    return isThere ? address.searchParams : undefined;
  } catch {
    return 'away';
  }
}
