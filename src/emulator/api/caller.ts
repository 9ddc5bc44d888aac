import type { Application, ApplicationRecord } from '../applications/records.ts';
import type { User } from '../users/records.ts';
import type { Deputy } from './waiting-request.ts';

/** The bot of an application. */
export interface BotCaller {
  readonly kind: 'bot';
  readonly application: ApplicationRecord;
  /** Nobody wrote the application down, so that anybody can guess the token: it may look, and changes nothing. */
  readonly isUnlisted: boolean;
  readonly user: User;
}

/** A person, through an application that they authorized. */
export interface TokenCaller extends Extract<Introspection, { state: 'active' }> {
  readonly kind: 'bearer';
}

/** Who calls; undefined where anybody may, or where the application says who it is in the body. */
export type Caller = BotCaller | TokenCaller | undefined;

/** What an access token stands for. */
export type Introspection =
  | {
      readonly state: 'active';
      /** Which tokens it descends from: names them in `tokens-revoked`, and is no secret. */
      readonly family: string;
      /** The hash of the token itself, which names it there as well. */
      readonly hash: string;
      readonly clientId: string;
      readonly userId: string;
      readonly application: Application;
      /** Null without the scope `identify`; `premium_type` is 0 without `identify.premium`. */
      readonly user: User | null;
      /** The scopes as they were granted. */
      readonly scopes: readonly string[];
      /** The scopes with every umbrella scope unfolded: what a check looks at. */
      readonly effectiveScopes: readonly string[];
      /** Who allowed it in the user's place; undefined where the user or a policy of theirs did. */
      readonly deputy: Deputy | undefined;
      readonly expires: Date;
    }
  | { readonly state: 'invalid'; readonly reason: 'unknown' | 'expired' | 'user-removed' };

/** How an app proves which application it is. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** What tokens of people allow. */
export interface HasAuthorizations {
  readonly oauth2: {
    /** Whether an application has tokens of a user, with a scope where one is named. */
    holds(userId: string, clientId: string, scope?: string): boolean;
    introspect(accessToken: string): Introspection;
  };
}

/** Which accounts only a game knows. */
export interface KnowsProvisional {
  readonly external: { isProvisional(userId: string): boolean };
}
