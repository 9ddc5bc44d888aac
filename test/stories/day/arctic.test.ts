import { Discord, generateCodeVerifier, generateState, type OAuth2Tokens } from 'arctic';
import { OTHER_APP, REDIRECT, SECRET } from '../story.ts';
import { accountDay, type Browse, refusedWith } from './account-day.ts';
import { playDay } from './day.ts';

playDay(accountDay, {
  name: 'arctic',
  absent: {},
  start({ here }) {
    // The library knows the platform by its name alone.
    const original = globalThis.fetch;
    globalThis.fetch = (input, init) =>
      input instanceof Request && input.url.startsWith('https://discord.com')
        ? original(new Request(here(input.url), input), init)
        : original(input, init);
    const discord = new Discord(OTHER_APP, SECRET, REDIRECT);
    let tokens: OAuth2Tokens | undefined;
    async function signIn(browse: Browse): Promise<OAuth2Tokens> {
      const state = generateState();
      const verifier = generateCodeVerifier();
      const address = discord.createAuthorizationURL(state, verifier, ['identify', 'email']);
      const { searchParams: back } = new URL(await browse(address));
      // What its documentation has the app do.
      if (back.get('state') !== state) throw new Error('the state is another');
      if (back.has('error')) throw new Error(back.get('error') ?? '');
      return discord.validateAuthorizationCode(back.get('code') ?? '', verifier);
    }
    const known = (): OAuth2Tokens => tokens ?? missing();
    return {
      end: () => {
        globalThis.fetch = original;
      },
      parts: {
        async signIn(browse) {
          tokens = await signIn(browse);
          return { token: tokens.accessToken() };
        },
        async refresh() {
          tokens = await discord.refreshAccessToken(known().refreshToken());
          return tokens.accessToken();
        },
        async revoke() {
          await discord.revokeToken(known().accessToken());
          return known().accessToken();
        },
        forgedState: (browse) => refusedWith(signIn(browse)),
        refusal: (browse) => refusedWith(signIn(browse)),
        wrongCode: (browse) => refusedWith(signIn(browse)),
      },
    };
  },
});

function missing(): never {
  throw new Error('nobody signed in');
}
