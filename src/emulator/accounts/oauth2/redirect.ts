import { parseUrl } from '../../../base/url.ts';
import type { KnownApplication } from '../../applications/applications.ts';

/** Hosts that a redirect may go to without TLS. */
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost)$/;

/**
 * Whether codes of an application may be sent to an address. Permitted are: a registered address, exactly, with TLS
 * unless it is on this machine; a registered loopback address without a port, on any port (RFC 8252 section 7.3); and
 * the application's own scheme. An unlisted application may use any address of this machine.
 */
export function isRegistered({ origin, record }: KnownApplication, address: string): boolean {
  if (parseUrl(address) === undefined) return false;
  // A code sent to another machine without TLS can be intercepted.
  const isOpen = /^http:/i.test(address) && loopbackOf(address) === undefined;
  if (record.redirect_uris.includes(address)) return !isOpen;
  if (address === `discord-${record.id}:/authorize/callback`) return true;
  const loopback = loopbackOf(address);
  if (loopback === undefined) return false;
  if (origin === 'first-sight') return true;
  return record.redirect_uris.some((one) => loopbackOf(one) === loopback && new URL(one).port === '');
}

/** A loopback address without its port; undefined for an address that is not loopback. */
function loopbackOf(address: string): string | undefined {
  const url = parseUrl(address);
  if (url === undefined) return undefined;
  const { protocol, hostname, username, password, pathname, search, hash } = url;
  if (protocol !== 'http:' || !LOOPBACK.test(hostname) || username !== '' || password !== '' || hash !== '') {
    return undefined;
  }
  return `http://${hostname}${pathname}${search}`;
}

/**
 * Whether an address has a scheme that any app may register. A code for such an address is safe only with a verifier
 * (PKCE).
 */
export function isCustomScheme(address: string): boolean {
  return !/^https?:/i.test(address);
}
