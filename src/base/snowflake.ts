const maxSnowflake = 2n ** 63n - 1n;

/**
 * Whether a value is an id as the protocol and the platform spell it: a decimal string from 1 to 2^63−1, no leading zero. Ids are
 * signed there: what is larger is refused as more than "9223372036854775807".
 */
export function isSnowflake(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[1-9][0-9]{0,18}$/.test(value)) return false;
  // One of fewer digits is smaller.
  return value.length < 19 || BigInt(value) <= maxSnowflake;
}
