import type { Stored } from '../../../base/saves.ts';
import type { Decider } from '../../api/waiting-request.ts';
import type { AuthorizedGuild } from '../../guilds/answers.ts';
import type { WebhookAnswer } from '../../guilds/webhooks/answers.ts';

/** An issued authorization code, which is valid once and for 100 seconds. */
export interface AuthorizeResult extends Installed {
  readonly code: string;
  readonly state?: string;
}

/** The guild that an authorization added the application to, and the bot's permissions in the guild. */
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
  /** Exactly the scopes that the user saw. */
  readonly scopes: readonly string[];
  readonly always: boolean;
  readonly decidedBy: Decider;
  /** Time of the consent, in milliseconds since the Unix epoch. */
  readonly grantedAt: number;
}

/** The reply for an access token that cannot be renewed. */
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
  /** The webhook that was created for the application, with the webhook's token. */
  readonly webhook?: WebhookAnswer;
}

/**
 * Verifies an app's external identity after the app is authenticated. The returned function links the identity with the
 * user; it runs in the step that issues the tokens. Both functions throw to refuse.
 */
export type Linking = () => Promise<(userId: string) => void>;

/** The arguments of a code exchange. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri?: string | undefined;
  readonly codeVerifier?: string | undefined;
  /** Issuer of the id_token: the address of the emulator's discovery document. */
  readonly issuer: string;
  readonly link?: Linking | undefined;
}

/** The arguments of the exchange of a device code. */
export interface DeviceExchange {
  readonly deviceCode: string;
  readonly issuer: string;
  readonly link?: Linking | undefined;
}

/** The arguments of the grant type `client_credentials`. */
export interface CredentialsRequest {
  readonly scopes: readonly string[];
  /** Description of the requester for the user. It is an unverified claim. */
  readonly program?: string | undefined;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The arguments of the exchange of a publisher's token for a game's token. */
export interface ChildTokenRequest {
  /** The token of the publisher. */
  readonly parent: string;
  readonly parentId: string;
  readonly childId: string;
  /** Description of the requester for the user. It is an unverified claim. */
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
  /** Number of valid tokens. A family that has only a valid refresh token counts as one. */
  readonly tokens: number;
  /** Ids of the token families, including the families of dependent games. */
  readonly families: readonly string[];
}

/**
 * Result of revoking a grant. Everything is revoked, stored or not; unless the store is read-only, saving is retried
 * until it succeeds.
 */
export type RevokeResult =
  | { readonly kind: 'unknown' }
  | ({ readonly kind: 'revoked'; readonly removed: RevokedRecords } & Stored);
