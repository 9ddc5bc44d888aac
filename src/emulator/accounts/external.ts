/** The subject of a provider's token. */
export interface External {
  readonly provider: string;
  readonly externalUserId: string;
  /** The provider's display name of the user, if any. */
  readonly name: string | null;
}
