import type { ClientCredentials, Introspection } from '../../api/caller.ts';
import type { Decider, RequestPeer } from '../../api/waiting-request.ts';
import type { ConsentPolicy } from '../../applications/records.ts';
import type { AuthorizedGuild } from '../../guilds/answers.ts';
import type { WebhookAnswer } from '../../guilds/webhooks/answers.ts';
import type { AuthorizeOptions } from './authorize-options.ts';
import type { DeviceAnswer, DeviceAsk } from './device.ts';
import type { WebhookChannel } from './incoming.ts';

/** An issued authorization code: single use, 100 seconds. */
export interface AuthorizeResult extends Installed {
  readonly code: string;
  readonly state?: string;
}

/** Where an authorization added the application, and what its bot may do there. */
export interface Installed {
  readonly guild_id?: string;
  /** A bit field in digits. */
  readonly permissions?: string;
}

/** A remembered consent of one user for one application over one transport class. */
export interface Grant {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly transport: string;
  /** Exactly the scopes that were shown. */
  readonly scopes: readonly string[];
  readonly always: boolean;
  readonly decidedBy: Decider;
  /** Milliseconds since the Unix epoch. */
  readonly grantedAt: number;
}

/** An access token alone, that is not renewed. */
export interface AccessAnswer {
  readonly token_type: 'Bearer';
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  /** Space-separated. */
  readonly scope: string;
}

/** The answer of the token endpoint (RFC 6749 section 5.1). */
export interface TokenAnswer extends AccessAnswer {
  readonly refresh_token: string;
  readonly id_token?: string;
  /** Where the authorization added the application. */
  readonly guild?: AuthorizedGuild;
  /** The webhook that was made for it, with its token. */
  readonly webhook?: WebhookAnswer;
}

/**
 * Checks what an app shows of an external identity, once it is known which app that is. What it gives links the identity
 * with the person, in the same breath in which the tokens are issued. Either refuses by throwing.
 */
export type Linking = () => Promise<(userId: string) => void>;

/** What an app sends to exchange a code. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri?: string | undefined;
  readonly codeVerifier?: string | undefined;
  /** Issuer of the id_token: where our discovery document lies. */
  readonly issuer: string;
  readonly link?: Linking | undefined;
}

/** What a device sends to exchange its code. */
export interface DeviceExchange {
  readonly deviceCode: string;
  readonly issuer: string;
  readonly link?: Linking | undefined;
}

/** What an application asks for with its own credentials. */
export interface CredentialsAsk {
  readonly scopes: readonly string[];
  /** Who asks, for the person; a claim. */
  readonly program?: string | undefined;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** What a token of a game is asked for with. */
export interface ChildAsk {
  /** The token of its publisher. */
  readonly parent: string;
  readonly parentId: string;
  readonly childId: string;
  /** Who asks, for the person; a claim. */
  readonly program?: string | undefined;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** Tokens of an account that only a game knows. */
export interface ProvisionalAnswer extends AccessAnswer {
  readonly id_token: string;
  readonly refresh_token?: string;
}

/** Which provisional account a game gets tokens of. */
export interface ProvisionalAsk {
  readonly userId: string;
  readonly clientId: string;
  readonly issuer: string;
  /** Whether a refresh token comes with it. */
  readonly renewable: boolean;
}

/** Records and tokens that a revocation deleted. */
export interface RevokedRecords {
  /** Ids of grants. */
  readonly grants: readonly string[];
  /** How many tokens were alive; an access token that can only be renewed counts as well. */
  readonly tokens: number;
  /** Ids of the token families, those included that games had for them. */
  readonly families: readonly string[];
}

/** What became of a grant that was to be taken back. */
export type RevokeResult = { readonly kind: 'unknown' } | ({ readonly removed: RevokedRecords } & RevokedAll);

/** What became of everything that a person allowed an application. */
export type RevokedAll =
  | { readonly kind: 'kept' }
  /**
   * It is taken back, but could not be written down: why, and whether a restart would bring it back. It is tried again
   * until it can be, unless the store is one that must not be written.
   */
  | { readonly kind: 'unkept'; readonly reason: string; readonly comesBack: boolean };

/** The device flow, as far as it is not the token endpoint's. */
export interface DeviceFlow {
  /** @throws OAuth2Error for a client or a scope that cannot be. */
  begin(client: ClientCredentials, args: { readonly scopes: readonly string[] }): DeviceAnswer;
  /** What the device with this code asks for; undefined when none waits with it. */
  waiting(userCode: string): DeviceAsk | undefined;
  /** Somebody types the code: the request waits for a person, as every other. Rejects with `OAuth2Error`. */
  allow(userCode: string, peer: RequestPeer, signal: AbortSignal): Promise<void>;
  /** False when no device waits with this code. */
  deny(userCode: string): boolean;
}

/** The authorization server: grants, codes and tokens. Refusals are thrown as `OAuth2Error`. */
export interface OAuth2 {
  /** Resolves when the user, a grant or the policy says yes. Rejects with `OAuth2Error`. */
  authorize(options: AuthorizeOptions): Promise<AuthorizeResult>;
  /** The implicit grant (RFC 6749 section 4.2): an access token without a code. Rejects with `OAuth2Error`. */
  authorizeAccess(options: AuthorizeOptions): Promise<AccessAnswer & Installed & { readonly state?: string }>;
  /**
   * An access token of the scope `identify` for an app that has none; the same one for an application as long as it is good.
   * Any remembered grant of a person answers. Rejects with `OAuth2Error`.
   */
  identifyToken(options: Pick<AuthorizeOptions, 'clientId' | 'peer' | 'signal'>): Promise<string>;
  /** What waits on a device until a person types its code (RFC 8628). */
  readonly devices: DeviceFlow;
  /** How an application's requests are answered: as its record says, or else by the common policy. */
  policyFor(clientId: string): ConsentPolicy;
  /** Whether the logged-in user once said yes to all of this, so that `prompt=none` asks nobody. */
  isRemembered(
    asked: Pick<AuthorizeOptions, 'clientId' | 'scopes'> & Pick<RequestPeer, 'transport'>,
  ): boolean;
  /** Channels in which the logged-in user may make webhooks. */
  webhookChannels(): readonly WebhookChannel[];
  /** Whether the logged-in user may add applications to a guild. */
  mayInstall(guildId: string): boolean;
  setPolicy(policy: ConsentPolicy): void;
  grants(): readonly Grant[];
  /** Deletes the grants and every token of the grant's user and application. */
  revokeGrant(grantId: string): Promise<RevokeResult>;
  /** Ids of the applications that a person has allowed something, or that have tokens of theirs. */
  authorizedBy(userId: string): readonly string[];
  /** Grant type `authorization_code`. */
  exchangeCode(client: ClientCredentials, args: CodeExchange): Promise<TokenAnswer>;
  /** What the web site of the stream-kit overlay does for programs: a code of that application, and no other, for a token. */
  exchangeOverlayCode(
    args: Pick<CodeExchange, 'code' | 'issuer'>,
  ): Promise<{ readonly access_token: string }>;
  /** Grant type of RFC 8628. */
  exchangeDevice(client: ClientCredentials, args: DeviceExchange): Promise<TokenAnswer>;
  /** Tokens of a provisional account, for whoever has been found to be allowed. */
  issueProvisional(ask: ProvisionalAsk): Promise<ProvisionalAnswer>;
  /**
   * A token of a game for one of its publisher, with the same scopes and end; undefined when that is no living token of the
   * publisher. Waits for a person where the scopes reach into their client. Rejects with `OAuth2Error`.
   */
  issueChild(ask: ChildAsk): Promise<AccessAnswer | undefined>;
  /**
   * Grant type `client_credentials`: a token of the application's owner, who is the logged-in user. Waits for a person where
   * the scopes reach into their client.
   */
  clientCredentials(client: ClientCredentials, ask: CredentialsAsk): Promise<AccessAnswer>;
  /** A token, good once and for 100 seconds, with which an approved application is authorized over RPC without asking. */
  issueRpcToken(client: ClientCredentials): { readonly rpc_token: string };
  /** Grant type `refresh_token`. The refresh token rotates; an earlier access token lives on to its expiry. */
  refresh(client: ClientCredentials, args: { readonly refreshToken: string }): Promise<TokenAnswer>;
  /** Deletes every token and grant of the token's user and application; false when there was nothing to delete. */
  revoke(client: ClientCredentials, token: string): Promise<boolean>;
  /** Deletes every token and grant of a user and an application, and tells so, whether there were any or not. */
  revokeAll(userId: string, clientId: string): Promise<RevokedAll>;
  /** Whether an application has tokens of a user, with a scope where one is named. */
  holds(userId: string, clientId: string, scope?: string): boolean;
  introspect(accessToken: string): Introspection;
  /**
   * Has the user decide about an access token that somebody allowed in their place, before it opens their client; about any
   * other nobody is asked. Rejects with `OAuth2Error` unless it may.
   */
  confirm(accessToken: string, asked: Pick<AuthorizeOptions, 'peer' | 'signal'>): Promise<void>;
  /** Public signing keys as a JWK set. */
  jwks(): Promise<{ readonly keys: readonly Record<string, unknown>[] }>;
}

/** Authorization. */
export interface HasOAuth2 {
  readonly oauth2: OAuth2;
}
