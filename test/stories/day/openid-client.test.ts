import * as client from 'openid-client';
import { OTHER_APP, REDIRECT, SECRET } from '../story.ts';
import { accountDay, type Browse, refusedWith } from './account-day.ts';
import { playDay } from './day.ts';

playDay(accountDay, {
  name: 'openid-client',
  absent: {},
  async start({ origin }) {
    const plain = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(new URL(origin), OTHER_APP, SECRET, undefined, plain);
    let tokens: client.TokenEndpointResponse | undefined;
    async function signIn(
      browse: Browse,
    ): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers> {
      const expectedState = client.randomState();
      const expectedNonce = client.randomNonce();
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT,
        scope: 'openid identify email',
        state: expectedState,
        nonce: expectedNonce,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const back = new URL(await browse(address));
      return client.authorizationCodeGrant(config, back, { expectedState, expectedNonce, pkceCodeVerifier });
    }
    const known = (): client.TokenEndpointResponse => tokens ?? missing();
    return {
      end: () => undefined,
      parts: {
        async signIn(browse) {
          const signedIn = await signIn(browse);
          tokens = signedIn;
          const subject = signedIn.claims()?.sub ?? '';
          const { preferred_username: name } = await client.fetchUserInfo(
            config,
            signedIn.access_token,
            subject,
          );
          return { name: name ?? '' };
        },
        async refresh() {
          tokens = await client.refreshTokenGrant(config, known().refresh_token ?? '');
          return tokens.access_token;
        },
        async revoke() {
          await client.tokenRevocation(config, known().access_token);
          return known().access_token;
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
