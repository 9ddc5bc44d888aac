import { consented } from './authorize.ts';
import type { AuthorizeOptions } from './authorize-options.ts';
import type { OAuth2Context } from './context.ts';
import { accessSeconds } from './tokens.ts';

/** Scopes of an app that authenticates without a token. */
const SCOPES: readonly string[] = ['identify'];
/** A token with less than this remaining lifetime is replaced (ms). */
const MIN_LEFT_MS = (accessSeconds * 1000) / 2;

/**
 * Access tokens for apps that authenticate without a token. The client obtains such a token by the implicit grant, and
 * reuses it for the application while it is valid. The tokens are stored in memory only, so they are unknown after a
 * restart.
 */
export class IdentifyTokens {
  /** Tokens by user, application and transport class. */
  readonly #tokens = new Map<string, string>();
  readonly #context: OAuth2Context;

  constructor(context: OAuth2Context) {
    this.#context = context;
  }

  /** Returns the token as soon as the policy, a remembered grant or the user allows it. @throws OAuth2Error. */
  async get(options: Pick<AuthorizeOptions, 'clientId' | 'peer' | 'signal'>): Promise<string> {
    const { tokens } = this.#context;
    const { clientId, peer } = options;
    const { userId, save } = await consented(this.#context, { ...options, scopes: SCOPES, prompt: 'none' });
    const key = `${userId} ${clientId} ${peer.transport}`;
    const known = this.#tokens.get(key);
    if (known !== undefined && this.#isGood(known)) {
      await save();
      return known;
    }
    const token = tokens.issueAccess({ userId, clientId, scopes: SCOPES });
    for (const [other, old] of this.#tokens) if (tokens.find(old) === undefined) this.#tokens.delete(other);
    this.#tokens.set(key, token);
    await this.#context.persist();
    return token;
  }

  #isGood(token: string): boolean {
    const found = this.#context.tokens.find(token);
    return found !== undefined && found.token.expires - this.#context.now() >= MIN_LEFT_MS;
  }
}
