import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ErrorType } from '../../src/sdk/index.ts';
import { Failed } from '../../src/sdk/outcome.ts';
import { answerAuthorize } from '../../src/sdk/window-answer.ts';
import { authorizeInWindow, type OpenedWindow } from '../../src/sdk/window-flow.ts';

const ORIGIN = 'https://game.example';
const REDIRECT = `${ORIGIN}/callback`;

/** A window whose place the test decides: an address, another origin, or closed. */
class FakeWindow implements OpenedWindow {
  place: 'away' | 'closed' | { readonly href: string } = { href: 'about:blank' };
  get closed(): boolean {
    return this.place === 'closed';
  }
  get location(): { readonly href: string } {
    if (typeof this.place === 'object') return this.place;
    throw new DOMException('Blocked a frame', 'SecurityError');
  }
  close(): void {
    this.place = 'closed';
  }
}

/** Asks with a window of that kind; `leave` withdraws it. */
function asking({ state = crypto.randomUUID(), redirectUri = REDIRECT } = {}) {
  const window = new FakeWindow();
  const opened: string[] = [];
  const leaving = new AbortController();
  const request = {
    client_id: '18',
    scopes: ['openid', 'identify'],
    state,
    nonce: undefined,
    code_challenge: 'c',
    code_challenge_method: 'S256',
    integration_type: undefined,
  };
  const page = {
    location: { origin: ORIGIN },
    open(address: string) {
      opened.push(address);
      return window;
    },
  };
  const answer = authorizeInWindow(page, 'https://web.example/', request, redirectUri, leaving.signal);
  answer.catch(() => {});
  return { window, opened, answer, state, leave: () => leaving.abort(new Error('withdrawn')) };
}

/** The error of the SDK, as type and text. */
async function failure(answer: Promise<unknown>): Promise<readonly [type: number, text: string]> {
  return answer.then(
    () => {
      throw new Error('there is an answer');
    },
    (error: unknown) => {
      if (!(error instanceof Failed)) throw error;
      return [error.result.Type(), error.result.ToString()] as const;
    },
  );
}

/** Passes so much of the time in which it is looked where the window is (ms). */
const passes = (ms: number): void => void vi.advanceTimersByTime(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

describe('authorization in a window', () => {
  it('opens the page of the site with a redirect address at the origin of the game page', async () => {
    const { opened, leave, answer, state } = asking();
    expect(opened).toHaveLength(1);
    const address = new URL(opened[0] ?? '');
    expect(`${address.origin}${address.pathname}`).toBe('https://web.example/oauth2/authorize');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: '18',
      response_type: 'code',
      redirect_uri: REDIRECT,
      scope: 'openid identify',
      state,
      code_challenge: 'c',
      code_challenge_method: 'S256',
    });
    leave();
    await expect(answer).rejects.toThrow('withdrawn');
  });

  it('returns the code once the window is at the redirect address, and closes the window', async () => {
    const { window, answer, state } = asking();
    window.place = 'away';
    passes(250);
    // Another page of the game's is no answer.
    window.place = { href: `${ORIGIN}/elsewhere?code=wrong&state=${state}` };
    passes(250);
    window.place = { href: `${REDIRECT}?code=the-code&state=${state}` };
    passes(100);
    expect(await answer).toEqual({ code: 'the-code', redirectUri: REDIRECT });
    expect(window.place).toBe('closed');
  });

  it.each([
    ['no', 'error=access_denied&error_description=The+user+said+no', 'access_denied The user said no'],
    ['nothing', 'x=1', 'The answer of the web site holds neither a code nor an error'],
    ['control characters', 'error=%00%1b[31m', '??[31m'],
  ])('fails with the text of the error when the site answers %s', async (_what, query, text) => {
    const { window, answer, state } = asking();
    window.place = { href: `${REDIRECT}?${query}&state=${state}` };
    passes(100);
    expect(await failure(answer)).toEqual([ErrorType.AuthorizationFailed, text]);
    expect(window.place).toBe('closed');
  });

  it.each(['state=another', ''])('rejects a code that comes with "%s"', async (query) => {
    const { window, answer } = asking();
    window.place = { href: `${REDIRECT}?code=the-code&${query}` };
    passes(100);
    expect((await failure(answer))[1]).toMatch(/^State: the answer carries another one/);
  });

  it('still accepts the code of a window that the site has isolated and that reports itself closed', async () => {
    const { window, answer, state } = asking();
    window.place = 'closed';
    passes(300);
    vi.stubGlobal('location', { search: `?code=the-code&state=${state}` });
    const close = vi.fn();
    vi.stubGlobal('close', close);
    expect(answerAuthorize()).toBe(true);
    vi.unstubAllGlobals();
    expect(await answer).toEqual({ code: 'the-code', redirectUri: REDIRECT });
    expect(close).toHaveBeenCalledOnce();
  });

  it('does not treat a window as closed that the site isolates just after the page was visible', async () => {
    const { window, answer, leave } = asking();
    window.place = 'away';
    passes(350);
    window.place = 'closed';
    passes(350);
    leave();
    await expect(answer).rejects.toThrow('withdrawn');
  });

  it('fails when the user closes a window that was visible at the site', async () => {
    const { window, answer } = asking();
    window.place = 'away';
    passes(1500);
    window.place = 'closed';
    passes(100);
    expect(await failure(answer)).toEqual([
      ErrorType.AuthorizationFailed,
      'The window was closed without an answer',
    ]);
  });

  it('closes its window when the request is aborted', async () => {
    const { window, answer, leave } = asking();
    window.place = 'away';
    leave();
    await expect(answer).rejects.toThrow('withdrawn');
    expect(window.place).toBe('closed');
  });

  it.each(['http://game.example/callback', 'https://game.example:444/', 'callback', ''])(
    'opens no window for the redirect address "%s"',
    async (redirectUri) => {
      const { opened, answer } = asking({ redirectUri });
      expect((await failure(answer))[0]).toBe(ErrorType.ValidationError);
      expect(opened).toEqual([]);
    },
  );
});

describe('the page at the redirect address', () => {
  it.each(['', '?', '?code=1', '?state=1', '?state=&code=1', '?code=1&state='])(
    'finds no answer in the address "%s", and stays open',
    (search) => {
      const close = vi.fn();
      vi.stubGlobal('location', { search });
      vi.stubGlobal('close', close);
      expect(answerAuthorize()).toBe(false);
      vi.unstubAllGlobals();
      expect(close).not.toHaveBeenCalled();
    },
  );

  it('finds no answer in Node', () => {
    expect(answerAuthorize()).toBe(false);
  });
});
