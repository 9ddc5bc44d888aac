// The day of an app that signs people in, and what is looked at in each step.
import { expect } from 'vitest';
import type { TestEmulator } from '../../../src/testing/testing.ts';
import { watchPort } from '../answers.ts';
import { confidential, REDIRECT, startEmulator } from '../story.ts';
import type { Day, Steps } from './day.ts';

/** A browser: goes to an address, the person decides, and it comes back to the app at the address answered. */
export type Browse = (address: string | URL) => Promise<string>;

/** What a library has of somebody who signed in: some hand out a token, others what it was good for. */
export type SignedIn = { readonly token: string } | { readonly name: string };

/** The steps of the day. */
export type AccountParts = {
  /** Sends the browser for `identify email` with a state, and trades the code that it comes back with. */
  readonly signIn: (browse: Browse) => Promise<SignedIn>;
  /** Trades the refresh token. Answers the new access token. */
  readonly refresh: () => Promise<string>;
  /** Revokes the access token. Answers it. */
  readonly revoke: () => Promise<string>;
  /** The same as {@link AccountParts.signIn}, where the state is another than the app's. Answers what the library says. */
  readonly forgedState: (browse: Browse) => Promise<string>;
  /** The person refuses. Answers what the library says. */
  readonly refusal: (browse: Browse) => Promise<string>;
  /** A code that is none. Answers what the library says. */
  readonly wrongCode: (browse: Browse) => Promise<string>;
};

/** Where the day happens. */
export interface AccountStage {
  readonly emulator: TestEmulator;
  readonly api: string;
  readonly origin: string;
  /** An address of the platform by the name that libraries know, as it is here. */
  readonly here: (address: string | URL) => string;
}

type Changed = (back: URL) => void;

function browser({ api }: AccountStage, authorize: boolean, change: Changed = () => undefined): Browse {
  return async (address) => {
    const { search } = new URL(address);
    const answer = await fetch(`${api}/oauth2/authorize${search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ authorize }),
    });
    const { url } = (await answer.json()) as { readonly url: string };
    const back = new URL(url);
    change(back);
    return back.href;
  };
}

async function me({ api }: AccountStage, token: string): Promise<unknown> {
  const answer = await fetch(`${api}/v10/users/@me`, { headers: { authorization: `Bearer ${token}` } });
  return answer.status === 200 ? ((await answer.json()) as { username: string }).username : answer.status;
}

const steps: Steps<AccountStage, AccountParts> = {
  async signIn(stage, signIn) {
    const signedIn = await signIn(browser(stage, true));
    const name = 'name' in signedIn ? signedIn.name : await me(stage, signedIn.token);
    expect(name).toBe('river');
  },
  async refresh(stage, refresh) {
    expect(await me(stage, await refresh())).toBe('river');
  },
  async revoke(stage, revoke) {
    expect(await me(stage, await revoke())).toBe(401);
  },
  async forgedState(stage, forged) {
    expect(
      await forged(browser(stage, true, ({ searchParams }) => searchParams.set('state', 'forged'))),
    ).not.toBe('');
  },
  async refusal(stage, refused) {
    expect(await refused(browser(stage, false))).toContain('denied');
  },
  async wrongCode(stage, wrong) {
    const change = ({ searchParams }: URL) => searchParams.set('code', 'none');
    expect(await wrong(browser(stage, true, change))).toContain('invalid_grant');
  },
};

/** The day of an app that signs people in. */
export const accountDay: Day<AccountStage, AccountParts> = {
  kind: 'accounts',
  steps,
  async open() {
    const emulator = await startEmulator();
    const { api } = emulator;
    const { origin, port } = new URL(api);
    watchPort(Number(port));
    await confidential(emulator, {
      redirect_uris: [REDIRECT, 'http://localhost:3000/auth/callback/discord'],
    });
    return {
      emulator,
      api,
      origin,
      here: (address) => String(address).replace('https://discord.com', origin),
    };
  },
  close: ({ emulator }) => emulator.close(),
};

/** The words of an error and of what caused it. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, name, ...more } = error as Error & Readonly<Record<string, unknown>>;
  const cause = error.cause === undefined ? '' : ` ${wordsOf(error.cause)}`;
  return `${name} ${message} ${JSON.stringify(more)}${cause}`;
}

/** What was thrown, in words. Throws when nothing was. */
export async function refusedWith(doing: Promise<unknown>): Promise<string> {
  const words = await doing.then(() => undefined, wordsOf);
  if (words === undefined) throw new Error('nothing was refused');
  return words;
}
