import type { Application, ApplicationRecord } from '../applications/records.ts';
import type { User } from '../users/records.ts';
import type { Deputy } from './waiting-request.ts';

/** The bot of an application. */
export interface BotCaller {
  readonly kind: 'bot';
  readonly application: ApplicationRecord;
  /**
   * True if the fixture does not list the application. Anyone can guess the token of such an application, so the token
   * is read-only.
   */
  readonly isUnlisted: boolean;
  readonly user: User;
}

/** A user, represented by an application that the user authorized. */
export interface TokenCaller extends Extract<Introspection, { state: 'active' }> {
  readonly kind: 'bearer';
}

/**
 * The authenticated caller; undefined for routes without authentication, and for routes where the body identifies the
 * application.
 */
export type Caller = BotCaller | TokenCaller | undefined;

/** What an access token grants. */
export type Introspection =
  | {
      readonly state: 'active';
      /** Id of the token's family, by which `tokens-revoked` signals refer to it; it is not secret. */
      readonly family: string;
      /** Hash of the token itself, by which `tokens-revoked` signals refer to a single token. */
      readonly hash: string;
      readonly clientId: string;
      readonly userId: string;
      readonly application: Application;
      /** The token's user; null without the scope `identify`. Without `identify.premium`, `premium_type` is 0. */
      readonly user: User | null;
      /** The scopes as they were granted. */
      readonly scopes: readonly string[];
      /** The scopes with every umbrella scope expanded. Permission checks use this list. */
      readonly effectiveScopes: readonly string[];
      /**
       * The deputy who allowed the token on the user's behalf; undefined where the user or the user's policy allowed
       * it.
       */
      readonly deputy: Deputy | undefined;
      readonly expires: Date;
    }
  | { readonly state: 'invalid'; readonly reason: 'unknown' | 'expired' | 'user-removed' };

/** The credentials of an app: its id, and the proof of its identity. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** Access to the authorizations of users. */
export interface HasAuthorizations {
  readonly oauth2: {
    /** Whether an application has tokens of a user; with `scope`, only tokens that include the scope count. */
    holds(userId: string, clientId: string, scope?: string): boolean;
    introspect(accessToken: string): Introspection;
  };
}

/** Access to the provisional accounts. */
export interface KnowsProvisional {
  readonly external: { isProvisional(userId: string): boolean };
}
