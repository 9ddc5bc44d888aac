/** Origin of the chat client's own domain, or of one label below it, with `https://`. */
const CLIENT_SITE = /^https:\/\/(?:[a-z0-9-]+\.)?discord(?:app)?\.com$/;

/**
 * Whether an Origin header names the chat client's own web site (protocol 1.3). The origin still needs the user's
 * permission, like any other.
 */
export function isClientSite(origin: string): boolean {
  return CLIENT_SITE.test(origin) && !origin.includes('staging');
}
