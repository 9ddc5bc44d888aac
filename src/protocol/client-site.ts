/** `https://` and the chat client's own domain, or one label below it. */
const CLIENT_SITE = /^https:\/\/(?:[a-z0-9-]+\.)?discord(?:app)?\.com$/;

/**
 * Whether an Origin header names the chat client's own web site (protocol 1.3). This does not imply that the origin is
 * allowed: no origin is until the user allows it.
 */
export function isClientSite(origin: string): boolean {
  return CLIENT_SITE.test(origin) && !origin.includes('staging');
}
