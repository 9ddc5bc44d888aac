/** Ends of names that no public server has. */
const RESERVED = ['local', 'arpa', 'internal', 'localhost'];

/** Longest issuer, in characters. */
export const LONGEST_ISSUER = 2048;

/**
 * What is wrong with the address of an OpenID Connect issuer; undefined when nothing is. It is held against what the
 * platform demands when somebody configures one: https, a public host name, nothing that hides another. Nothing is fetched
 * and no name is looked up, here or anywhere else.
 */
export function issuerFault(issuer: string): string | undefined {
  if (issuer.length > LONGEST_ISSUER) return `is longer than ${LONGEST_ISSUER} characters`;
  if (issuer.includes('?')) return 'has a query';
  if (issuer.includes('#')) return 'has a fragment';
  // Whatever a parser would take out or write anew is not what people see.
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
