/** Bit in `flags` of an account that only one game knows. */
export const PROVISIONAL_FLAG = 1 << 23;

/** Whether somebody is such an account. */
export function hasProvisionalFlag(user: { readonly flags: number } | undefined): boolean {
  return user !== undefined && (user.flags & PROVISIONAL_FLAG) !== 0;
}
