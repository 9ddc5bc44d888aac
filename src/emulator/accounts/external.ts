/** Whom a provider names, as one of its tokens proves. */
export interface External {
  readonly provider: string;
  readonly externalUserId: string;
  /** What the provider calls them, where it says. */
  readonly name: string | null;
}
