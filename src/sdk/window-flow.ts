import { parseUrl } from '../base/url.ts';
import {
  type AuthorizationRequest,
  authorizationPage,
  codeIn,
  type SiteAnswer,
} from './authorization-page.ts';
import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';
import { hearAnswer } from './window-answer.ts';

/** What is used of a window of the browser. */
export interface OpenedWindow {
  readonly closed: boolean;
  /** Reading its address throws while the window shows a page of another origin. */
  readonly location: { readonly href: string };
  close(): void;
}

/** What is used of the page that the game is. */
export interface GamePage {
  readonly location: { readonly origin: string };
  open(address: string, target: string, features: string): OpenedWindow | null;
}

const FEATURES = 'popup,width=520,height=760';
/** How often it is looked where the window is (ms): a browser does not say. */
const LOOK_MS = 100;
/** So often a window is seen at the site that is not cut off. */
const LOOKS_AWAY = 10;

/**
 * Asks the user in a window of the browser, whose site leads it back to an address of the page's own origin. Rejects with the
 * signal's reason, or with Failed: when the user said no, when the browser opened no window, and when the window was closed. A site
 * that cuts its windows off hides the last, and its answer is heard only where the page it leads to calls `AnswerAuthorize`.
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

/** Query of the redirect address, once the window is there. */
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
    const forget = hearAnswer(state, (query) => end(() => resolve(query)));
    let looksAway = 0;
    const timer = setInterval(() => {
      const seen = seenIn(window, redirectUri);
      if (seen === 'away') looksAway += 1;
      if (typeof seen === 'object') end(() => resolve(seen));
      // A site may cut its window off from ours (Cross-Origin-Opener-Policy), which looks like a window that was closed. One that
      // has been seen there for a while is not cut off; on the way to that it may be seen there for a moment, too.
      else if (looksAway >= LOOKS_AWAY && window.closed)
        end(() =>
          reject(new Failed(ErrorType.AuthorizationFailed, 'The window was closed without an answer')),
        );
    }, LOOK_MS);
  });
}

/** Where the window is: the query of the redirect address, `away` at another origin, undefined where it is neither yet. */
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
