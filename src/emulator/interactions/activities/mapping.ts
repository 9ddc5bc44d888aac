import { parseUrl } from '../../../base/url.ts';
import { readTarget } from '../../applications/webhooks/address.ts';

/** First segments reserved for the platform's and our own paths: no mapping may use them. */
const RESERVED = /^\/\.(proxy|footbridge)(\/|$)/;

/** Segments of a mapped path; undefined for an invalid path. The path `/` has no segments. */
export function readPrefix(prefix: string): readonly string[] | undefined {
  if (prefix === '/') return [];
  if (!/^(\/[\w.~!$&'()*+,;=:@%-]+)+$/.test(prefix) || RESERVED.test(prefix)) return undefined;
  const segments = prefix.slice(1).split('/');
  return segments.some((one) => one === '.' || one === '..') ? undefined : segments;
}

/** Address of a target. */
export interface ProxyTarget {
  /** Loopback address of the target; host names are never resolved. */
  readonly host: string;
  readonly port: number;
  /** `Host` header of requests to the target. */
  readonly authority: string;
  /** Prefix that every requested path gets, without a trailing slash. */
  readonly base: string;
}

/** Parses a mapping's target, which must be on this machine. @throws SettingError for a target elsewhere. */
function readProxied(target: string): ProxyTarget {
  // The platform writes a target without a scheme.
  const { url, host } = readTarget(/^[a-z]+:\/\//i.test(target) ? target : `http://${target}`);
  return {
    host,
    port: url.port === '' ? 80 : Number(url.port),
    authority: url.host,
    base: url.pathname.replace(/\/+$/, ''),
  };
}

/** Whether a string is a valid target of a mapping. */
export function isProxied(target: string): boolean {
  try {
    const { search, hash } = parseUrl(/^[a-z]+:\/\//i.test(target) ? target : `http://${target}`) ?? {};
    return search === '' && hash === '' && readProxied(target).port > 0;
  } catch {
    return false;
  }
}

/** Destination of a request. */
export interface Proxied extends ProxyTarget {
  /** Path and query at the target. */
  readonly path: string;
  /** Prefix of the matched mapping, without a trailing slash. */
  readonly prefix: string;
}

/**
 * Resolves a path with its query by the longest mapping of whole segments, with or without a leading `/.proxy`.
 * Undefined where nothing is mapped.
 */
export function findProxied(
  mappings: Iterable<{ readonly prefix: string; readonly target: string }>,
  url: string,
): Proxied | undefined {
  const requestedUrl = url.replace(/^\/\.proxy(?=[/?]|$)/, '');
  const [, path = '', query = ''] =
    /^([^?]*)(.*)$/s.exec(requestedUrl.startsWith('/') ? requestedUrl : `/${requestedUrl}`) ?? [];
  // Refuses paths that leave the mapping with `..`, because only the target itself is mapped. Some servers decode
  // slashes before they resolve `..`.
  if (/(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\]|%2f|%5c|$)/i.test(path)) return undefined;
  const [found] = [...mappings]
    .map(({ prefix, target }) => ({ prefix: prefix === '/' ? '' : prefix, target }))
    .filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (found === undefined) return undefined;
  const target = readProxied(found.target);
  const rest = path.slice(found.prefix.length);
  return { ...target, prefix: found.prefix, path: `${target.base}${rest === '' ? '/' : rest}${query}` };
}
