import { type SaveResult, type Stored, storedOf } from '../../../base/saves.ts';
import type { ClientCredentials } from '../../api/caller.ts';
import type { RequestPeer } from '../../api/waiting-request.ts';
import type { ConsentPolicy } from '../../applications/records.ts';
import { authorize, authorizeAccess } from './authorize.ts';
import type { AuthorizeOptions } from './authorize-options.ts';
import { authenticateClient } from './client-auth.ts';
import { clientCredentials } from './client-credentials.ts';
import { confirm } from './confirmation.ts';
import { OAuth2Context, type OAuth2Options } from './context.ts';
import { isRemembered } from './decision.ts';
import { DeviceFlow } from './device-flow.ts';
import { exchangeCode, exchangeDevice, exchangeOverlayCode, refresh } from './exchange.ts';
import { issueChild, issueProvisional } from './external.ts';
import { IdentifyTokens } from './identify-tokens.ts';
import { introspect } from './introspection.ts';
import { issueRpcToken } from './rpc-token.ts';
import { livingTokens } from './tokens.ts';
import type {
  ChildTokenRequest,
  CodeExchange,
  CredentialsRequest,
  DeviceExchange,
  Grant,
  ProvisionalTokenRequest,
  RevokedRecords,
  RevokeResult,
} from './types.ts';
import type { WebhookChannel } from './webhook-maker.ts';

/**
 * The OAuth 2.0 authorization server of one emulator: grants, codes and tokens. A refused request causes an
 * `OAuth2Error`.
 */
export class OAuth2 {
  readonly #context: OAuth2Context;
  readonly #identifyTokens: IdentifyTokens;
  /** Device authorizations that wait for a typed code (RFC 8628). */
  readonly devices: DeviceFlow;

  constructor(options: OAuth2Options) {
    this.#context = new OAuth2Context(options);
    this.#identifyTokens = new IdentifyTokens(this.#context);
    this.devices = new DeviceFlow(this.#context);
  }

  /** Resolves when the user, a grant or the policy allows the request. Rejects with `OAuth2Error`. */
  readonly authorize = (options: AuthorizeOptions) => authorize(this.#context, options);

  /**
   * The implicit grant (RFC 6749 section 4.2), which returns an access token without a code. Rejects with
   * `OAuth2Error`.
   */
  readonly authorizeAccess = (options: AuthorizeOptions) => authorizeAccess(this.#context, options);

  /**
   * Returns an access token with the scope `identify` for an app that has no token. The same application gets the same
   * token while it is valid. Any remembered grant of the user suffices. Rejects with `OAuth2Error`.
   */
  identifyToken(options: Pick<AuthorizeOptions, 'clientId' | 'peer' | 'signal'>): Promise<string> {
    return this.#identifyTokens.get(options);
  }

  /** The consent policy of an application: its own policy, or else the common one. */
  policyFor(clientId: string): ConsentPolicy {
    return this.#context.application(clientId)?.record.consent ?? this.#context.policy;
  }

  setPolicy(policy: ConsentPolicy): void {
    this.#context.policy = policy;
  }

  /** Whether a remembered grant covers the whole request, so that `prompt=none` needs no prompt. */
  isRemembered({
    clientId,
    scopes,
    transport,
  }: Pick<AuthorizeOptions, 'clientId' | 'scopes'> & Pick<RequestPeer, 'transport'>): boolean {
    const key = { userId: this.#context.me(), clientId, transport };
    return isRemembered(this.#context, key, scopes, false);
  }

  /** Channels in which the logged-in user may create webhooks. */
  webhookChannels(): readonly WebhookChannel[] {
    return this.#context.webhooks.channelsOf(this.#context.me());
  }

  /** Whether the logged-in user may add applications to a guild. */
  mayInstall(guildId: string): boolean {
    return this.#context.installer.mayInstall(this.#context.me(), guildId);
  }

  /** Grant type `authorization_code`. */
  readonly exchangeCode = (client: ClientCredentials, args: CodeExchange) =>
    exchangeCode(this.#context, client, args);

  /**
   * The exchange that the stream-kit overlay's web site makes for programs: it exchanges only codes of the overlay's
   * application.
   */
  readonly exchangeOverlayCode = (args: Pick<CodeExchange, 'code' | 'issuer'>) =>
    exchangeOverlayCode(this.#context, args);

  /** Grant type of RFC 8628. */
  readonly exchangeDevice = (client: ClientCredentials, args: DeviceExchange) =>
    exchangeDevice(this.#context, client, args);

  /** Grant type `refresh_token`. The refresh token rotates; an earlier access token stays valid until its expiry. */
  readonly refresh = (client: ClientCredentials, args: { readonly refreshToken: string }) =>
    refresh(this.#context, client, args.refreshToken);

  /** Issues tokens of a provisional account. The caller has already checked the permission. */
  readonly issueProvisional = (request: ProvisionalTokenRequest) => issueProvisional(this.#context, request);

  /**
   * Exchanges a publisher's token for a token of one of the publisher's games, with the same scopes and expiry;
   * undefined for an invalid publisher's token. Prompts the user for scopes that affect the user's client. Rejects with
   * `OAuth2Error`.
   */
  readonly issueChild = (request: ChildTokenRequest) => issueChild(this.#context, request);

  /**
   * Grant type `client_credentials`: issues a token of the application's owner, who is the logged-in user. Prompts the
   * user for scopes that affect the user's client.
   */
  readonly clientCredentials = (client: ClientCredentials, request: CredentialsRequest) =>
    clientCredentials(this.#context, client, request);

  /**
   * Issues a token with which an approved application authorizes over RPC without a prompt. The token is valid once and
   * for 100 seconds.
   */
  readonly issueRpcToken = (client: ClientCredentials) => issueRpcToken(this.#context, client);

  readonly introspect = (accessToken: string) => introspect(this.#context, accessToken);

  /**
   * Obtains the user's decision about an access token that a deputy allowed, before the token is used in the user's
   * client; other tokens need no decision. Rejects with `OAuth2Error` unless the token is allowed.
   */
  readonly confirm = (accessToken: string, request: Pick<AuthorizeOptions, 'peer' | 'signal'>) =>
    confirm(this.#context, accessToken, request);

  /** Public signing keys as a JWK set. */
  jwks(): Promise<{ readonly keys: readonly Record<string, unknown>[] }> {
    return this.#context.signer.jwks();
  }

  grants(): readonly Grant[] {
    return this.#context.grants.list();
  }

  /** Whether the newest change of grants and tokens is stored. */
  async lastChange(): Promise<Stored> {
    return storedOf(await this.#context.lastSave);
  }

  /** Ids of the applications that a user has authorized, or that have tokens of the user. */
  authorizedBy(userId: string): readonly string[] {
    const theirs = this.#owners().filter((one) => one.userId === userId);
    return [...new Set(theirs.map(({ clientId }) => clientId))];
  }

  /** Whether an application has tokens of a user; with `scope`, only tokens that include the scope count. */
  holds(userId: string, clientId: string, scope?: string): boolean {
    return this.#context.tokens.holds(userId, clientId, scope);
  }

  /** Deletes every token and grant of the token's user and application; false when none existed. */
  async revoke(client: ClientCredentials, token: string): Promise<boolean> {
    authenticateClient(this.#context.application(client.clientId), client);
    const family = this.#context.tokens.familyOf(token);
    // RFC 7009 section 2.1: a token of another application is not revoked.
    if (family === undefined || family.clientId !== client.clientId) return false;
    await this.#forget(family.userId, family.clientId).saved;
    return true;
  }

  /** Deletes the given grant, and every other grant and token of the same user and application. */
  async revokeGrant(grantId: string): Promise<RevokeResult> {
    const grant = this.#context.grants.find(grantId);
    if (grant === undefined) return { kind: 'unknown' };
    const { saved, removed } = this.#forget(grant.userId, grant.clientId);
    return { kind: 'revoked', ...outcomeOf(await saved), removed };
  }

  /** Deletes every token and grant of a user and an application; always emits the signal. */
  async revokeAll(userId: string, clientId: string): Promise<Stored> {
    return outcomeOf(await this.#forget(userId, clientId).saved);
  }

  /** Deletes all grants and tokens of a removed user or application. */
  forget(removed: { readonly userId: string } | { readonly clientId: string }): void {
    const belongs = (owner: Owner) =>
      'userId' in removed ? owner.userId === removed.userId : owner.clientId === removed.clientId;
    const pairs = new Map(
      this.#owners()
        .filter(belongs)
        .map((owner) => [`${owner.userId} ${owner.clientId}`, owner]),
    );
    // No error handling is necessary here: the storage reports its own failures and never rejects.
    for (const { userId, clientId } of pairs.values()) this.#forget(userId, clientId);
  }

  /** Deletes grants and tokens of users and applications that no longer exist. */
  forgetLost(): void {
    for (const owner of this.#owners()) {
      const { userId, clientId } = owner;
      const isLost =
        this.#context.user(userId) === undefined || this.#context.application(clientId) === undefined;
      if (isLost) this.forget({ userId, clientId });
    }
  }

  /** Owners of grants and tokens, with repetitions. */
  #owners(): readonly Owner[] {
    return [...this.#context.grants.list(), ...this.#context.tokens.families()];
  }

  #forget(
    userId: string,
    clientId: string,
  ): { readonly saved: Promise<SaveResult>; readonly removed: RevokedRecords } {
    const { grants, codes, rpcTokens, devices, tokens: tokenStore, questions } = this.#context;
    const removedGrants = grants.remove(userId, clientId);
    codes.remove(userId, clientId);
    rpcTokens.remove(userId, clientId);
    devices.remove(userId, clientId);
    const { families, children } = tokenStore.remove(userId, clientId);
    this.#context.notifyRevoked({ userId, clientId });
    questions.settle();
    this.#context.notifyFamiliesRevoked(children);
    const all = [...families, ...children];
    const now = this.#context.now();
    const removed = {
      grants: removedGrants.map(({ id }) => id),
      tokens: all.reduce((sum, family) => sum + livingTokens(family, now), 0),
      families: all.map(({ id }) => id),
    };
    return { saved: this.#context.persist({ userId, clientId }), removed };
  }
}

interface Owner {
  readonly userId: string;
  readonly clientId: string;
}

function outcomeOf(saved: SaveResult): Stored {
  if (saved.kind === 'saved') return { stored: true };
  return { stored: false, reason: saved.reason, comesBack: saved.marked !== true };
}

/** Access to the authorization server. */
export interface HasOAuth2 {
  readonly oauth2: OAuth2;
}
