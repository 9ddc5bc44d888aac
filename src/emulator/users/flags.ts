/** Bit in `flags` of a provisional account, which only one game knows. */
export const PROVISIONAL_FLAG = 1 << 23;

/** Whether an account is provisional. */
export function hasProvisionalFlag(user: { readonly flags: number } | undefined): boolean {
  return user !== undefined && (user.flags & PROVISIONAL_FLAG) !== 0;
}
