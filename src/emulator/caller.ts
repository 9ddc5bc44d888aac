import type { ApplicationRecord } from './applications/records.ts';
import type { Introspection } from './oauth2/oauth2.ts';
import type { User } from './users/records.ts';

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
