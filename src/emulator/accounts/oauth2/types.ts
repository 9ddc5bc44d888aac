import type { Decider } from '../../api/waiting-request.ts';
import type { AuthorizedGuild } from '../../guilds/answers.ts';
import type { WebhookAnswer } from '../../guilds/webhooks/answers.ts';

/** An issued authorization code: single use, 100 seconds. */
export interface AuthorizeResult extends Installed {
  readonly code: string;
  readonly state?: string;
}

/** The guild that an authorization added the application to, and its bot's permissions there. */
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
  /** Exactly the scopes that were displayed. */
  readonly scopes: readonly string[];
  readonly always: boolean;
  readonly decidedBy: Decider;
  /** Milliseconds since the Unix epoch. */
  readonly grantedAt: number;
}

/** An access token without renewal. */
export interface AccessAnswer {
  readonly token_type: 'Bearer';
  readonly access_token: string;
  /** In seconds. */
  readonly expires_in: number;
  /** Space-separated. */
  readonly scope: string;
}

/** The reply of the token endpoint (RFC 6749 section 5.1). */
export interface TokenAnswer extends AccessAnswer {
  readonly refresh_token: string;
  readonly id_token?: string;
  /** The guild that the application was added to. */
  readonly guild?: AuthorizedGuild;
  /** The webhook that was created for it, with its token. */
  readonly webhook?: WebhookAnswer;
}

/**
 * Verifies an app's external identity once the app is authenticated. The returned function links the identity with the user,
 * atomically with the issue of tokens. Both may refuse by throwing.
 */
export type Linking = () => Promise<(userId: string) => void>;

/** The arguments of a code exchange. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri?: string | undefined;
  readonly codeVerifier?: string | undefined;
  /** Issuer of the id_token: the address of our discovery document. */
  readonly issuer: string;
  readonly link?: Linking | undefined;
}

/** The arguments of a device code exchange. */
export interface DeviceExchange {
  readonly deviceCode: string;
  readonly issuer: string;
  readonly link?: Linking | undefined;
}

/** The arguments of client credentials. */
export interface CredentialsRequest {
  readonly scopes: readonly string[];
  /** Description of the requester for the user; a claim. */
  readonly program?: string | undefined;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The arguments of a child token exchange. */
export interface ChildTokenRequest {
  /** The token of the publisher. */
  readonly parent: string;
  readonly parentId: string;
  readonly childId: string;
  /** Description of the requester for the user; a claim. */
  readonly program?: string | undefined;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** Tokens of a provisional account. */
export interface ProvisionalAnswer extends AccessAnswer {
  readonly id_token: string;
  readonly refresh_token?: string;
}

/** The provisional account to issue tokens for. */
export interface ProvisionalTokenRequest {
  readonly userId: string;
  readonly clientId: string;
  readonly issuer: string;
  /** Whether to include a refresh token. */
  readonly renewable: boolean;
}

/** Records and tokens that a revocation deleted. */
export interface RevokedRecords {
  /** Ids of grants. */
  readonly grants: readonly string[];
  /** Number of valid tokens; one that can only be renewed counts as well. */
  readonly tokens: number;
  /** Ids of the token families, including those of dependent games. */
  readonly families: readonly string[];
}

/** Result of revoking a grant. */
export type RevokeResult = { readonly kind: 'unknown' } | ({ readonly removed: RevokedRecords } & RevokedAll);

/** Result of revoking everything that a user allowed an application. */
export type RevokedAll =
  | { readonly kind: 'kept' }
  /**
   * Revoked, but not saved: the reason, and whether a restart would restore the records. Saving is retried until it
   * succeeds, unless the store is read-only.
   */
  | { readonly kind: 'unkept'; readonly reason: string; readonly comesBack: boolean };
