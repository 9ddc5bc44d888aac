/** Bit in `flags` of an account that only one game knows. */
export const PROVISIONAL_FLAG = 1 << 23;
