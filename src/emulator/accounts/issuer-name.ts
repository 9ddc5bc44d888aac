/** Top-level names under which no public server exists. */
const RESERVED = ['local', 'arpa', 'internal', 'localhost'];

/** Maximum length of an issuer, in characters. */
export const MAX_ISSUER_LENGTH = 2048;

/**
 * Describes the mistake in the address of an OpenID Connect issuer; undefined for a valid address. The rules are those
 * of the platform's configuration: https, a public host name, and nothing that disguises another host. Footbridge never
 * fetches or resolves an issuer's address.
 */
export function issuerFault(issuer: string): string | undefined {
  if (issuer.length > MAX_ISSUER_LENGTH) return `is longer than ${MAX_ISSUER_LENGTH} characters`;
  if (issuer.includes('?')) return 'has a query';
  if (issuer.includes('#')) return 'has a fragment';
  // A URL parser would remove or rewrite other characters, so that the parsed address would differ from the displayed
  // one.
  if (!/^[!-[\]-~]+$/.test(issuer)) return 'has a character that no address has';
  let url: URL;
  try {
    url = new URL(issuer);
  } catch {
    return 'is no address';
  }
  if (url.protocol !== 'https:') return `is ${url.protocol}, not https:`;
  const [, authority = ''] = /^https:\/\/([^/]*)/i.exec(issuer) ?? [];
  if (authority.includes('@')) return 'has a user name or a password in it';
  const written = authority.replace(/:\d*$/, '').toLowerCase();
  const { hostname } = url;
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return 'names an IP address, not a host';
  if (written !== hostname) return `${JSON.stringify(written)} is another host in disguise`;
  const labels = hostname.split('.');
  if (labels.some((label) => !/^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label)))
    return 'has a host name with a label that no public name has';
  if (labels.length < 2) return 'has a host name of one label';
  if (RESERVED.includes(labels.at(-1) ?? '')) return `ends in .${labels.at(-1)}, which no public name does`;
  return undefined;
}
