import { OTHER_APP, SECRET } from '../story.ts';
import { accountDay, type Browse, refusedWith } from './account-day.ts';
import { playDay } from './day.ts';

const SITE = 'http://localhost:3000';

/** The part of the library that this file uses. */
interface AuthCore {
  readonly Auth: (request: Request, config: object) => Promise<Response>;
  readonly customFetch: symbol;
  readonly skipCSRFCheck: symbol;
}

// The declarations of the library bring those of a browser into the whole program, so they stay out of sight of the compiler.
const imported = (name: string): Promise<unknown> => import(name);
const { Auth, customFetch, skipCSRFCheck } = (await imported('@auth/core')) as AuthCore;
const { default: Discord } = (await imported('@auth/core/providers/discord')) as {
  readonly default: (options: object) => object;
};

/** What a browser keeps of the cookies that it is given. */
class Cookies {
  readonly #all = new Map<string, string>();

  take(answer: Response): Response {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#all.set(name, value);
    }
    return answer;
  }

  get header(): string {
    return [...this.#all].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

playDay(accountDay, {
  name: '@auth/core',
  absent: { refresh: 'leaves it to the app', revoke: 'leaves it to the app' },
  start({ here }) {
    const errors: string[] = [];
    const silent = () => undefined;
    const provider = {
      ...Discord({ clientId: OTHER_APP, clientSecret: SECRET, checks: ['pkce', 'state'] }),
      // The library knows the platform by its name alone.
      [customFetch]: (input: string | URL | Request, init?: RequestInit) =>
        fetch(input instanceof Request ? new Request(here(input.url), input) : here(input), init),
    };
    const config = {
      skipCSRFCheck,
      providers: [provider],
      secret: 'a secret of the story that is long enough',
      trustHost: true,
      debug: true,
      basePath: '/auth',
      logger: {
        error: (error: Error) => void errors.push(causesOf(error)),
        warn: silent,
        debug: (_: unknown, more: unknown) => void errors.push(JSON.stringify(more) ?? ''),
      },
    };
    async function signIn(browse: Browse): Promise<string> {
      const cookies = new Cookies();
      const ask = async (address: string, method = 'GET') => {
        const headers = { cookie: cookies.header, 'content-type': 'application/x-www-form-urlencoded' };
        return cookies.take(await Auth(new Request(address, { method, headers }), config));
      };
      const sent = await ask(`${SITE}/auth/signin/discord`, 'POST');
      const back = new URL(await browse(sent.headers.get('location') ?? ''));
      await ask(`${SITE}/auth/callback/discord${back.search}`);
      const session = (await (await ask(`${SITE}/auth/session`)).json()) as {
        readonly user?: { readonly name: string };
      } | null;
      const name = session?.user?.name;
      if (name === undefined) throw new Error(errors.splice(0).join('; '));
      return name;
    }
    return {
      end: () => undefined,
      parts: {
        signIn: async (browse) => ({ name: (await signIn(browse)).toLowerCase() }),
        forgedState: (browse) => refusedWith(signIn(browse)),
        refusal: (browse) => refusedWith(signIn(browse)),
        wrongCode: (browse) => refusedWith(signIn(browse)),
      },
    };
  },
});

function causesOf(error: Error): string {
  return `${error.name} ${error.message} ${JSON.stringify(error.cause, (_, value: unknown) => (value instanceof Error ? `${value.name}: ${value.message}` : value))}`;
}
