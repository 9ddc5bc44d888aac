import type { KnownApplication } from '../accounts/accounts.ts';
import type { Change } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { ConsentPolicy, User } from '../fixture/fixture.ts';
import type { Log } from '../log.ts';
import type { StoredState } from '../store/state.ts';
import { type AuthorizeContext, authorize } from './authorize.ts';
import { authenticateClient } from './client-auth.ts';
import { CodeBook } from './codes.ts';
import { ConsentQueue, type Decider } from './consent.ts';
import { plainText } from './display.ts';
import { type ExchangeContext, exchangeCode, refresh } from './exchange.ts';
import { GrantBook } from './grants.ts';
import { introspect } from './introspection.ts';
import type {
  AuthorizeOptions,
  AuthorizeResult,
  ClientCredentials,
  CodeExchange,
  Decision,
  Introspection,
  OAuth2,
  TokenAnswer,
} from './oauth2.ts';
import { IdTokenSigner, type SigningKey } from './signing.ts';
import { type TokenFamily, TokenVault, tokenIds } from './tokens.ts';

/** What the authorization server is told about the rest of the emulator. */
export interface AuthorizationServerOptions {
  readonly me: () => User;
  readonly user: (id: string) => User | undefined;
  readonly application: (clientId: string) => KnownApplication | undefined;
  readonly tell: (change: Change) => void;
  /** Keeps a state, and says whether it could; never rejects, because a full disk must not stop the service. */
  readonly save: (state: StoredState) => Promise<boolean>;
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
  readonly #exchange: ExchangeContext;
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
    this.#exchange = {
      now: () => clock.now(),
      user: options.user,
      application: options.application,
      codes: this.#codes,
      vault: this.#vault,
      signer: this.#signer,
      persist: () => this.#persist(),
      replayed: (family) => this.#replayed(family),
    };
  }

  /** What the loaded file held besides our own fields is written back as it was. */
  #persist(): Promise<boolean> {
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

  exchangeCode(credentials: ClientCredentials, args: CodeExchange): Promise<TokenAnswer> {
    return exchangeCode(this.#exchange, credentials, args);
  }

  refresh(credentials: ClientCredentials, args: { readonly refreshToken: string }): Promise<TokenAnswer> {
    return refresh(this.#exchange, credentials, args.refreshToken);
  }

  async revoke(credentials: ClientCredentials, token: string): Promise<boolean> {
    authenticateClient(this.#options.application(credentials.clientId), credentials);
    const family = this.#vault.familyOf(token);
    // RFC 7009 section 2.1: a token of another application is not touched.
    if (family === undefined || family.clientId !== credentials.clientId) return false;
    await this.#forget(family.userId, family.clientId);
    return true;
  }

  async revokeGrant(grantId: string): Promise<'unknown' | 'kept' | 'unkept'> {
    const grant = this.#grants.find(grantId);
    if (grant === undefined) return 'unknown';
    return (await this.#forget(grant.userId, grant.clientId)) ? 'kept' : 'unkept';
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

  async #forget(userId: string, clientId: string): Promise<boolean> {
    this.#grants.remove(userId, clientId);
    this.#codes.remove(userId, clientId);
    this.#tellRevoked(userId, clientId, this.#vault.remove(userId, clientId));
    return this.#persist();
  }

  #replayed(family: TokenFamily): void {
    const { userId, clientId } = family;
    this.#options.log.warn(
      `application ${clientId} used a refresh token twice; the tokens descending from it were revoked`,
    );
    this.#tellRevoked(userId, clientId, tokenIds([family]));
  }

  #tellRevoked(userId: string, clientId: string, ids: readonly string[]): void {
    this.#options.tell({ type: 'tokens-revoked', clientId, userId, tokenIds: ids });
  }

  introspect(accessToken: string): Introspection {
    const { clock, user, application } = this.#options;
    return introspect(accessToken, { vault: this.#vault, now: clock.now(), user, application });
  }

  jwks() {
    return this.#signer.jwks();
  }
}
