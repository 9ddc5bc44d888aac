import type { Decider } from '../../api/waiting-request.ts';
import type { AuthorizedGuild } from '../../guilds/answers.ts';
import type { WebhookAnswer } from '../../guilds/webhooks/answers.ts';

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
