/** Data from a peer as one printable line: at most 300 characters, without control characters and without `secret`. */
export function printable(value: unknown, secret?: unknown): string {
  if (typeof value !== 'string') return '';
  const text = secret ? value.replaceAll(secret as string, '[token]') : value;
  return text.replace(/\p{C}/gu, '?').slice(0, 300);
}
