import type { Application, ApplicationRecord } from '../applications/records.ts';
import type { User } from '../users/records.ts';
import type { Deputy } from './waiting-request.ts';

/** The bot of an application. */
export interface BotCaller {
  readonly kind: 'bot';
  readonly application: ApplicationRecord;
  /** The fixture does not list the application, so anyone can guess its token: read-only. */
  readonly isUnlisted: boolean;
  readonly user: User;
}

/** A user, through an application that the user authorized. */
export interface TokenCaller extends Extract<Introspection, { state: 'active' }> {
  readonly kind: 'bearer';
}

/** Who calls; undefined where anyone may, or where the body identifies the application. */
export type Caller = BotCaller | TokenCaller | undefined;

/** What an access token grants. */
export type Introspection =
  | {
      readonly state: 'active';
      /** The token family: `tokens-revoked` signals name it; no secret. */
      readonly family: string;
      /** Hash of the token itself; `tokens-revoked` signals name it as well. */
      readonly hash: string;
      readonly clientId: string;
      readonly userId: string;
      readonly application: Application;
      /** Null without the scope `identify`; `premium_type` is 0 without `identify.premium`. */
      readonly user: User | null;
      /** The scopes as they were granted. */
      readonly scopes: readonly string[];
      /** The scopes with every umbrella scope expanded; checks use these. */
      readonly effectiveScopes: readonly string[];
      /** Who allowed it on the user's behalf; undefined where the user or the user's policy did. */
      readonly deputy: Deputy | undefined;
      readonly expires: Date;
    }
  | { readonly state: 'invalid'; readonly reason: 'unknown' | 'expired' | 'user-removed' };

/** How an app proves its identity. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** Access to the authorizations of users. */
export interface HasAuthorizations {
  readonly oauth2: {
    /** Whether an application has tokens of a user; with `scope`, tokens that have it. */
    holds(userId: string, clientId: string, scope?: string): boolean;
    introspect(accessToken: string): Introspection;
  };
}

/** Access to the provisional accounts. */
export interface KnowsProvisional {
  readonly external: { isProvisional(userId: string): boolean };
}
