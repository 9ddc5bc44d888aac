const maxSnowflake = 2n ** 63n - 1n;

/**
 * Whether a value is an id in the notation of the protocol and the platform: a decimal string from 1 to 2^63−1, no
 * leading zero. Both treat ids as signed numbers: the platform refuses a larger id as more than "9223372036854775807".
 */
export function isSnowflake(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[1-9][0-9]{0,18}$/.test(value)) return false;
  // A number with fewer digits than the maximum is smaller, so only 19 digits need the comparison.
  return value.length < 19 || BigInt(value) <= maxSnowflake;
}
