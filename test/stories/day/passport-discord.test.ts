import { type Profile, Strategy } from 'passport-discord';
import { OTHER_APP, REDIRECT, SECRET } from '../story.ts';
import { accountDay, type Browse, refusedWith } from './account-day.ts';
import { playDay } from './day.ts';

/** Where the library keeps what it has no option for. */
interface Inside {
  readonly _oauth2: { get(address: string, token: string, done: unknown): void };
}

playDay(accountDay, {
  name: 'passport-discord',
  absent: { refresh: 'signs in and nothing else', revoke: 'signs in and nothing else' },
  start({ api, here }) {
    const options = {
      clientID: OTHER_APP,
      clientSecret: SECRET,
      callbackURL: REDIRECT,
      scope: ['identify', 'email'],
      authorizationURL: `${api}/oauth2/authorize`,
      tokenURL: `${api}/oauth2/token`,
      state: true,
    };
    const strategy = new Strategy(options, (_access, _refresh, profile, done) => done(null, profile));
    const { _oauth2: inside } = strategy as unknown as Inside;
    const get = inside.get.bind(inside);
    inside.get = (address, token, done) => get(here(address), token, done);

    /** What Passport does with a strategy and a request. */
    function authenticated(query: object, session: object): Promise<Profile | string> {
      return new Promise((resolve, reject) => {
        const fail = (challenge: unknown) => reject(new Error(JSON.stringify(challenge)));
        const request = { query, session, headers: {}, connection: {} };
        const one = Object.assign(Object.create(strategy) as Strategy, {
          redirect: (address: string) => resolve(address),
          success: (profile: Profile) => resolve(profile),
          error: reject,
          fail,
        });
        one.authenticate(request);
      });
    }
    async function signIn(browse: Browse): Promise<Profile> {
      const session = {};
      const address = (await authenticated({}, session)) as string;
      const { searchParams } = new URL(await browse(address));
      return (await authenticated(Object.fromEntries(searchParams), session)) as Profile;
    }
    return {
      end: () => undefined,
      parts: {
        async signIn(browse) {
          return { name: (await signIn(browse)).username };
        },
        forgedState: (browse) => refusedWith(signIn(browse)),
        refusal: (browse) => refusedWith(signIn(browse)),
        wrongCode: (browse) => refusedWith(signIn(browse)),
      },
    };
  },
});
