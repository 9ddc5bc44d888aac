/** A user of an external provider, identified by a token of the provider. */
export interface External {
  readonly provider: string;
  readonly externalUserId: string;
  /** The user's display name at the provider; null if there is none. */
  readonly name: string | null;
}
