import type { ClientCredentials, Introspection } from '../../api/caller.ts';
import type { Signal } from '../../api/signals.ts';
import type { KnownApplication } from '../../applications/applications.ts';
import type { ConsentPolicy } from '../../applications/records.ts';
import type { AuthorizedGuild } from '../../guilds/answers.ts';
import type { Clock, MachineClock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { User } from '../../users/records.ts';
import type { PeopleQueue } from '../consent/queue.ts';
import { type AuthorizeContext, authorize, authorizeAccess } from './authorize.ts';
import type { AuthorizeOptions } from './authorize-options.ts';
import { authenticateClient } from './client-auth.ts';
import { clientCredentials } from './client-credentials.ts';
import { CodeBook } from './codes.ts';
import { confirm, Questions } from './confirmation.ts';
import { Consent } from './consent.ts';
import { isRemembered } from './decision.ts';
import { DeviceBook } from './device.ts';
import { deviceFlow } from './device-flow.ts';
import { OAuth2Error } from './error.ts';
import {
  type ExchangeContext,
  exchangeCode,
  exchangeDevice,
  exchangeOverlayCode,
  refresh,
} from './exchange.ts';
import { issueChild, issueProvisional } from './external.ts';
import { GrantBook } from './grants.ts';
import { IdentifyTokens } from './identify-tokens.ts';
import type { WebhookMaker } from './incoming.ts';
import { GUILD_INSTALL, type Installer } from './install.ts';
import { introspect } from './introspection.ts';
import type {
  AuthorizeResult,
  ChildAsk,
  CodeExchange,
  CredentialsAsk,
  DeviceExchange,
  DeviceFlow,
  OAuth2,
  ProvisionalAnswer,
  ProvisionalAsk,
  RevokedAll,
  RevokedRecords,
  RevokeResult,
  TokenAnswer,
} from './oauth2.ts';
import { issueRpcToken } from './rpc-token.ts';
import { IdTokenSigner, type SigningKey } from './signing.ts';
import { withDeputies } from './storage/deputies.ts';
import type { Revocation } from './storage/revocation.ts';
import type { StoredState } from './storage/state.ts';
import type { SaveResult } from './storage/store.ts';
import { livingTokens, type TokenFamily, TokenVault } from './tokens.ts';

/** What the authorization server is told about the rest of the emulator. */
export interface AuthorizationServerOptions {
  readonly me: () => User;
  /** Undefined also for whoever is banned: nothing of theirs is good. */
  readonly user: (id: string) => User | undefined;
  readonly application: (clientId: string) => KnownApplication | undefined;
  readonly guild: (id: string) => AuthorizedGuild | undefined;
  readonly installer: Installer;
  readonly webhooks: WebhookMaker;
  readonly tell: (signal: Signal) => void;
  /** Keeps a state; never rejects, because a full disk must not stop the service. `revoked` names what it no longer holds. */
  readonly save: (state: StoredState, revoked?: Revocation) => Promise<SaveResult>;
  readonly state: StoredState;
  readonly clock: Clock;
  /** How often a person is asked goes by it, and not by a clock that may stand. */
  readonly machine: MachineClock;
  readonly log: Log;
  readonly policy: ConsentPolicy;
  readonly queue: PeopleQueue;
  readonly promptsPerMinute: number;
  readonly pauseMs?: number | undefined;
}

/** The OAuth 2.0 authorization server of one emulator. */
export class AuthorizationServer implements OAuth2 {
  readonly #options: AuthorizationServerOptions;
  readonly #grants: GrantBook;
  readonly #codes: CodeBook;
  readonly #rpcTokens: CodeBook;
  readonly #devices: DeviceBook;
  readonly devices: DeviceFlow;
  readonly #vault: TokenVault;
  readonly #signer: IdTokenSigner;
  readonly #context: AuthorizeContext;
  readonly #exchange: ExchangeContext;
  readonly #identifyTokens: IdentifyTokens;
  readonly #questions = new Questions();
  #keys: readonly SigningKey[];
  #policy: ConsentPolicy;

  constructor(options: AuthorizationServerOptions) {
    const { clock, state } = options;
    this.#options = options;
    this.#policy = options.policy;
    this.#grants = new GrantBook(state.grants);
    this.#codes = new CodeBook(clock);
    this.#rpcTokens = new CodeBook(clock);
    this.#devices = new DeviceBook(clock);
    this.#vault = new TokenVault(
      clock,
      withDeputies(state),
      ({ family: { userId, clientId, id }, token }) => {
        const named = token === undefined ? {} : { token };
        options.tell({ type: 'tokens-revoked', clientId, userId, family: id, ...named });
      },
    );
    this.#keys = state.keys;
    this.#signer = new IdTokenSigner(state.keys[0], (key) => {
      this.#keys = [key];
      return this.#persist();
    });
    const { machine, queue, promptsPerMinute, pauseMs } = options;
    this.#context = {
      me: () => this.#me(),
      application: options.application,
      policy: () => this.#policy,
      now: () => clock.now(),
      consent: new Consent({ machine, queue, promptsPerMinute, pauseMs }),
      grants: this.#grants,
      codes: this.#codes,
      rpcTokens: this.#rpcTokens,
      vault: this.#vault,
      persist: () => this.#persist(),
      installer: options.installer,
      webhooks: options.webhooks,
      installed: (owner, guildId) =>
        options.tell({
          type: 'authorized',
          ...owner,
          guild: options.guild(guildId),
          integrationType: GUILD_INSTALL,
        }),
    };
    this.#exchange = {
      now: () => clock.now(),
      user: options.user,
      application: options.application,
      me: () => this.#me(),
      codes: this.#codes,
      devices: this.#devices,
      vault: this.#vault,
      signer: this.#signer,
      persist: () => this.#persist(),
      authorized: (owner, integrationType) => options.tell({ type: 'authorized', ...owner, integrationType }),
      guild: options.guild,
      webhook: (id, issuer) => options.webhooks.answer(id, issuer),
      replayed: (family, children) =>
        this.#revokeFamilies([family, ...children], 'used a refresh token twice'),
      reused: (family) =>
        this.#revokeFamilies(this.#vault.removeFamily(family), 'used an authorization code twice'),
    };
    this.#identifyTokens = new IdentifyTokens(clock, this.#context);
    this.devices = deviceFlow(this.#devices, this.#context);
  }

  /** What the loaded file held besides our own fields is written back as it was. */
  #persist(revoked?: Revocation): Promise<SaveResult> {
    const state = {
      ...this.#options.state,
      grants: this.#grants.list(),
      tokens: this.#vault.families(),
      keys: this.#keys,
    };
    return this.#options.save(state, revoked);
  }

  authorize(options: AuthorizeOptions): Promise<AuthorizeResult> {
    return authorize(this.#context, options);
  }

  authorizeAccess(options: AuthorizeOptions) {
    return authorizeAccess(this.#context, options);
  }

  identifyToken(options: Parameters<OAuth2['identifyToken']>[0]): Promise<string> {
    return this.#identifyTokens.get(options);
  }

  grants() {
    return this.#grants.list();
  }

  policyFor(clientId: string): ConsentPolicy {
    return this.#options.application(clientId)?.record.consent ?? this.#policy;
  }

  isRemembered({ clientId, scopes, transport }: Parameters<OAuth2['isRemembered']>[0]): boolean {
    const key = { userId: this.#context.me(), clientId, transport };
    return isRemembered(this.#context, key, scopes, false);
  }

  webhookChannels() {
    return this.#options.webhooks.channelsOf(this.#context.me());
  }

  mayInstall(guildId: string): boolean {
    return this.#options.installer.mayInstall(this.#context.me(), guildId);
  }

  setPolicy(policy: ConsentPolicy): void {
    this.#policy = policy;
  }

  exchangeCode(credentials: ClientCredentials, args: CodeExchange): Promise<TokenAnswer> {
    return exchangeCode(this.#exchange, credentials, args);
  }

  exchangeOverlayCode(args: Pick<CodeExchange, 'code' | 'issuer'>) {
    return exchangeOverlayCode(this.#exchange, args);
  }

  exchangeDevice(credentials: ClientCredentials, args: DeviceExchange): Promise<TokenAnswer> {
    return exchangeDevice(this.#exchange, credentials, args);
  }

  issueProvisional(ask: ProvisionalAsk): Promise<ProvisionalAnswer> {
    return issueProvisional(this.#exchange, ask);
  }

  issueChild(ask: ChildAsk) {
    const { user, me } = this.#options;
    return issueChild({ ...this.#context, user, isMe: (id) => id === me().id }, ask);
  }

  clientCredentials(credentials: ClientCredentials, ask: CredentialsAsk) {
    return clientCredentials(this.#context, credentials, ask);
  }

  refresh(credentials: ClientCredentials, args: { readonly refreshToken: string }): Promise<TokenAnswer> {
    return refresh(this.#exchange, credentials, args.refreshToken);
  }

  issueRpcToken(credentials: ClientCredentials) {
    return issueRpcToken(this.#context, credentials);
  }

  async revoke(credentials: ClientCredentials, token: string): Promise<boolean> {
    authenticateClient(this.#options.application(credentials.clientId), credentials);
    const family = this.#vault.familyOf(token);
    // RFC 7009 section 2.1: a token of another application is not touched.
    if (family === undefined || family.clientId !== credentials.clientId) return false;
    await this.#forget(family.userId, family.clientId).saved;
    return true;
  }

  async revokeGrant(grantId: string): Promise<RevokeResult> {
    const grant = this.#grants.find(grantId);
    if (grant === undefined) return { kind: 'unknown' };
    const { saved, removed } = this.#forget(grant.userId, grant.clientId);
    return { ...outcomeOf(await saved), removed };
  }

  authorizedBy(userId: string): readonly string[] {
    const all = [...this.#grants.list(), ...this.#vault.families()];
    return [...new Set(all.filter((one) => one.userId === userId).map(({ clientId }) => clientId))];
  }

  async revokeAll(userId: string, clientId: string): Promise<RevokedAll> {
    return outcomeOf(await this.#forget(userId, clientId).saved);
  }

  /** Whose word counts. @throws OAuth2Error `access_denied` for somebody who may allow nothing. */
  #me(): string {
    const { id } = this.#options.me();
    if (this.#options.user(id) !== undefined) return id;
    throw new OAuth2Error('access_denied', 'The account of the user is banned.');
  }

  holds(userId: string, clientId: string, scope?: string): boolean {
    return this.#vault.holds(userId, clientId, scope);
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
    for (const { userId, clientId } of pairs.values()) this.#forget(userId, clientId);
  }

  /** Forgets what belongs to users and applications that are not there. */
  forgetLost(): void {
    const { user, application } = this.#options;
    for (const { userId, clientId } of [...this.#grants.list(), ...this.#vault.families()]) {
      if (user(userId) === undefined || application(clientId) === undefined)
        this.forget({ userId, clientId });
    }
  }

  #forget(
    userId: string,
    clientId: string,
  ): { readonly saved: Promise<SaveResult>; readonly removed: RevokedRecords } {
    const grants = this.#grants.remove(userId, clientId);
    this.#codes.remove(userId, clientId);
    this.#rpcTokens.remove(userId, clientId);
    this.#devices.remove(userId, clientId);
    const { families, children } = this.#vault.remove(userId, clientId);
    this.#options.tell({ type: 'tokens-revoked', clientId, userId });
    this.#questions.settle();
    this.#tellGone(children);
    const all = [...families, ...children];
    const now = this.#options.clock.now();
    const removed = {
      grants: grants.map(({ id }) => id),
      tokens: all.reduce((sum, family) => sum + livingTokens(family, now), 0),
      families: all.map(({ id }) => id),
    };
    return { saved: this.#persist({ userId, clientId }), removed };
  }

  /** Tells and writes down that tokens were in two hands; `families` are no more, and begin with the one it was about. */
  async #revokeFamilies(families: readonly TokenFamily[], misuse: string): Promise<void> {
    const [family] = families;
    if (family === undefined) return;
    const { userId, clientId, id } = family;
    this.#options.log.warn(`application ${clientId} ${misuse}; the tokens descending from it were revoked`);
    this.#tellGone(families);
    await this.#persist({ clientId, userId, family: id });
  }

  #tellGone(families: readonly TokenFamily[]): void {
    for (const { userId, clientId, id } of families) {
      this.#options.tell({ type: 'tokens-revoked', clientId, userId, family: id });
    }
    this.#questions.settle();
  }

  introspect(accessToken: string): Introspection {
    const { clock, user, application } = this.#options;
    return introspect(accessToken, { vault: this.#vault, now: clock.now(), user, application });
  }

  confirm(accessToken: string, asked: Parameters<OAuth2['confirm']>[1]): Promise<void> {
    return confirm({ ...this.#context, questions: this.#questions }, accessToken, asked);
  }

  jwks() {
    return this.#signer.jwks();
  }
}

function outcomeOf(saved: SaveResult): RevokedAll {
  if (saved.kind === 'saved') return { kind: 'kept' };
  return { kind: 'unkept', reason: saved.reason, comesBack: saved.marked !== true };
}
