import type { KnownApplication } from '../accounts/accounts.ts';
import { publicApplication } from '../accounts/accounts.ts';
import type { Change } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { ConsentPolicy, User } from '../fixture/fixture.ts';
import type { Log } from '../log.ts';
import type { StoredState } from '../store/state.ts';
import { type AuthorizeContext, authorize } from './authorize.ts';
import { authenticateClient, checkRedirect } from './client-auth.ts';
import { CodeBook } from './codes.ts';
import { ConsentQueue, type Decider } from './consent.ts';
import { plainText } from './display.ts';
import { OAuth2Error } from './error.ts';
import { GrantBook } from './grants.ts';
import type {
  AuthorizeOptions,
  AuthorizeResult,
  ClientCredentials,
  Decision,
  Introspection,
  OAuth2,
  TokenAnswer,
} from './oauth2.ts';
import { checkVerifier } from './pkce.ts';
import { unfoldScopes } from './scopes.ts';
import { IdTokenSigner, type SigningKey } from './signing.ts';
import { accessSeconds, type TokenPair, TokenVault, tokenIds } from './tokens.ts';

/** What the authorization server is told about the rest of the emulator. */
export interface AuthorizationServerOptions {
  readonly me: () => User;
  readonly user: (id: string) => User | undefined;
  readonly application: (clientId: string) => KnownApplication | undefined;
  readonly tell: (change: Change) => void;
  /** Keeps a state; never rejects, because a full disk must not stop the service. */
  readonly save: (state: StoredState) => Promise<void>;
  readonly state: StoredState;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: ConsentPolicy;
  readonly timeoutMs: number;
  readonly promptsPerMinute: number;
}

/** The OAuth 2.0 authorization server of one emulator. */
export class AuthorizationServer implements OAuth2 {
  readonly #options: AuthorizationServerOptions;
  readonly #queue: ConsentQueue;
  readonly #grants: GrantBook;
  readonly #codes: CodeBook;
  readonly #vault: TokenVault;
  readonly #signer: IdTokenSigner;
  readonly #context: AuthorizeContext;
  #keys: readonly SigningKey[];
  #policy: ConsentPolicy;

  constructor(options: AuthorizationServerOptions) {
    const { clock, state, tell } = options;
    this.#options = options;
    this.#policy = options.policy;
    this.#grants = new GrantBook(state.grants);
    this.#codes = new CodeBook(clock);
    this.#vault = new TokenVault(clock, state.tokens);
    this.#keys = state.keys;
    this.#signer = new IdTokenSigner(state.keys[0], (key) => {
      this.#keys = [key];
      return this.#persist();
    });
    this.#queue = new ConsentQueue({
      clock,
      timeoutMs: options.timeoutMs,
      promptsPerMinute: options.promptsPerMinute,
      added: (request) => tell({ type: 'request-added', request }),
      settled: (request, settlement) => tell({ type: 'request-settled', request, settlement }),
    });
    this.#context = {
      me: () => options.me().id,
      application: options.application,
      policy: () => this.#policy,
      now: () => clock.now(),
      queue: this.#queue,
      grants: this.#grants,
      codes: this.#codes,
      persist: () => this.#persist(),
    };
  }

  /** What the loaded file held besides our own fields is written back as it was. */
  #persist(): Promise<void> {
    return this.#options.save({
      ...this.#options.state,
      grants: this.#grants.list(),
      tokens: this.#vault.families(),
      keys: this.#keys,
    });
  }

  authorize(options: AuthorizeOptions): Promise<AuthorizeResult> {
    return authorize(this.#context, options);
  }

  requests() {
    return this.#queue.list();
  }

  grants() {
    return this.#grants.list();
  }

  policy() {
    return this.#policy;
  }

  setPolicy(policy: ConsentPolicy): void {
    this.#policy = policy;
  }

  decide(id: string, { answer, always = false, by }: Decision) {
    const open = this.#queue.find(id);
    if (open === undefined) return undefined;
    const { request, question } = open;
    const decider: Decider = {
      kind: 'person',
      via: plainText(by.via),
      ...(by.pid !== undefined && Number.isSafeInteger(by.pid) && by.pid >= 0 ? { pid: by.pid } : {}),
      ...(by.program === undefined ? {} : { program: plainText(by.program, 256) }),
    };
    if (answer === 'deny') {
      this.#queue.settle(id, { outcome: 'denied', by: decider });
      return request;
    }
    const { userId, scopes, peer } = question;
    this.#grants.record(
      { userId, clientId: question.application.id, transport: peer.transport },
      { scopes, always, decidedBy: decider, grantedAt: this.#options.clock.now() },
    );
    this.#queue.settle(id, { outcome: 'allowed', by: decider, always });
    return request;
  }

  /** Ends every open request without an answer. */
  withdrawAll(reason: string): void {
    this.#queue.withdrawAll(reason);
  }

  async exchangeCode(
    credentials: ClientCredentials,
    args: {
      code: string;
      redirectUri?: string | undefined;
      codeVerifier?: string | undefined;
      issuer: string;
    },
  ): Promise<TokenAnswer> {
    const { clientId } = credentials;
    const { known, confidential } = authenticateClient(this.#options.application(clientId), credentials);
    if (!confidential && args.codeVerifier === undefined) {
      throw new OAuth2Error('invalid_client', 'A public client must send a code verifier.');
    }
    const invalid = new OAuth2Error('invalid_grant', 'Invalid "code" in request.');
    const record = this.#codes.find(args.code);
    if (record === undefined || this.#options.user(record.userId) === undefined) throw invalid;
    if (record.clientId !== clientId) {
      // A code in the hands of another application is lost; after other mistakes it can still be used.
      this.#codes.burn(args.code);
      throw invalid;
    }
    checkRedirect(known, record.redirectUri, args.redirectUri);
    checkVerifier(record.challenge, args.codeVerifier);
    const pair = this.#vault.issue({ userId: record.userId, clientId, scopes: record.scopes });
    this.#codes.burn(args.code);
    await this.#persist();
    const answer = toAnswer(pair, record.scopes);
    if (!record.scopes.includes('openid')) return answer;
    const iat = Math.floor(this.#options.clock.now() / 1000);
    const claims = { iss: args.issuer, sub: record.userId, aud: clientId, iat, exp: iat + accessSeconds };
    const nonce = record.nonce === undefined ? {} : { nonce: record.nonce };
    return { ...answer, id_token: await this.#signer.sign({ ...claims, ...nonce }) };
  }

  async refresh(credentials: ClientCredentials, args: { refreshToken: string }): Promise<TokenAnswer> {
    const { clientId } = credentials;
    authenticateClient(this.#options.application(clientId), credentials);
    const rotation = this.#vault.rotate(
      args.refreshToken,
      clientId,
      (id) => this.#options.user(id) !== undefined,
    );
    if (rotation.kind === 'rotated') {
      await this.#persist();
      return toAnswer(rotation.pair, rotation.family.scopes);
    }
    if (rotation.kind === 'replayed') {
      const { userId } = rotation.family;
      this.#options.log.warn(
        `application ${clientId} used a refresh token twice; the tokens descending from it were revoked`,
      );
      this.#tellRevoked(userId, clientId, tokenIds([rotation.family]));
      await this.#persist();
    }
    throw new OAuth2Error('invalid_grant', 'Invalid "refresh_token" in request');
  }

  async revoke(credentials: ClientCredentials, token: string): Promise<boolean> {
    authenticateClient(this.#options.application(credentials.clientId), credentials);
    const family = this.#vault.familyOf(token);
    // RFC 7009 section 2.1: a token of another application is not touched.
    if (family === undefined || family.clientId !== credentials.clientId) return false;
    await this.#forget(family.userId, family.clientId);
    return true;
  }

  async revokeGrant(grantId: string): Promise<boolean> {
    const grant = this.#grants.find(grantId);
    if (grant === undefined) return false;
    await this.#forget(grant.userId, grant.clientId);
    return true;
  }

  /** Forgets all that belongs to a user or an application that is no more. */
  forget(gone: { readonly userId: string } | { readonly clientId: string }): void {
    const belongs = (record: { userId: string; clientId: string }) =>
      'userId' in gone ? record.userId === gone.userId : record.clientId === gone.clientId;
    const pairs = new Map(
      [...this.#grants.list(), ...this.#vault.families()]
        .filter(belongs)
        .map(({ userId, clientId }) => [`${userId} ${clientId}`, { userId, clientId }]),
    );
    // The store reports its own failures and never rejects.
    for (const { userId, clientId } of pairs.values()) void this.#forget(userId, clientId);
  }

  async #forget(userId: string, clientId: string): Promise<void> {
    this.#grants.remove(userId, clientId);
    this.#codes.remove(userId, clientId);
    this.#tellRevoked(userId, clientId, this.#vault.remove(userId, clientId));
    await this.#persist();
  }

  #tellRevoked(userId: string, clientId: string, ids: readonly string[]): void {
    this.#options.tell({ type: 'tokens-revoked', clientId, userId, tokenIds: ids });
  }

  introspect(accessToken: string): Introspection {
    const found = this.#vault.find(accessToken);
    if (found === undefined) return { state: 'invalid', reason: 'unknown' };
    const { family, token } = found;
    const { clientId, userId, scopes } = family;
    if (this.#options.clock.now() >= token.expires) return { state: 'invalid', reason: 'expired' };
    const user = this.#options.user(userId);
    if (user === undefined) return { state: 'invalid', reason: 'user-removed' };
    const known = this.#options.application(clientId);
    // A strict fixture that no longer lists the application ends its tokens too.
    if (known === undefined) return { state: 'invalid', reason: 'unknown' };
    const effectiveScopes = unfoldScopes(scopes);
    return {
      state: 'active',
      tokenId: token.hash,
      clientId,
      userId,
      application: publicApplication(known.record),
      user: effectiveScopes.includes('identify') ? masked(user, effectiveScopes, known.record.partner) : null,
      scopes,
      effectiveScopes,
      expires: new Date(token.expires),
    };
  }

  jwks() {
    return this.#signer.jwks();
  }
}

function toAnswer(pair: TokenPair, scopes: readonly string[]): TokenAnswer {
  return {
    token_type: 'Bearer',
    access_token: pair.accessToken,
    expires_in: accessSeconds,
    refresh_token: pair.refreshToken,
    scope: scopes.join(' '),
  };
}

/** Takes out of a user what the scopes do not allow to see. */
function masked(user: User, scopes: readonly string[], partner: boolean): User {
  return {
    ...user,
    premium_type: partner && scopes.includes('identify.premium') ? user.premium_type : 0,
    email: scopes.includes('email') ? user.email : null,
  };
}
