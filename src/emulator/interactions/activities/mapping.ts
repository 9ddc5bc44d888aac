import { parseUrl } from '../../../base/url.ts';
import { readTarget } from '../../applications/webhooks/address.ts';

/** What ours and the platform's own paths begin with: no mapping stands there. */
const RESERVED = /^\/\.(proxy|footbridge)(\/|$)/;

/** The segments of a mapped path; undefined for what is none. `/` has no segment. */
export function readPrefix(prefix: string): readonly string[] | undefined {
  if (prefix === '/') return [];
  if (!/^(\/[\w.~!$&'()*+,;=:@%-]+)+$/.test(prefix) || RESERVED.test(prefix)) return undefined;
  const segments = prefix.slice(1).split('/');
  return segments.some((one) => one === '.' || one === '..') ? undefined : segments;
}

/** A target as it is connected to. */
export interface ProxyTarget {
  /** An address of loopback; a name is never looked up. */
  readonly host: string;
  readonly port: number;
  /** What the target is called there: the `Host` of a request. */
  readonly authority: string;
  /** What stands before every path, without a slash at its end. */
  readonly base: string;
}

/** Reads a target, which is of this machine. @throws SettingError for any other. */
function readProxied(target: string): ProxyTarget {
  // As the platform writes them: without a scheme.
  const { url, host } = readTarget(/^[a-z]+:\/\//i.test(target) ? target : `http://${target}`);
  return {
    host,
    port: url.port === '' ? 80 : Number(url.port),
    authority: url.host,
    base: url.pathname.replace(/\/+$/, ''),
  };
}

/** Whether a path may lead to a target. */
export function isProxied(target: string): boolean {
  try {
    const { search, hash } = parseUrl(/^[a-z]+:\/\//i.test(target) ? target : `http://${target}`) ?? {};
    return search === '' && hash === '' && readProxied(target).port > 0;
  } catch {
    return false;
  }
}

/** Where a request goes. */
export interface Proxied extends ProxyTarget {
  /** Path and query at the target. */
  readonly path: string;
  /** The mapped path it came by, without a slash at its end. */
  readonly prefix: string;
}

/**
 * Finds where a path with its query leads: by the longest mapping of whole segments, with and without `/.proxy` before it.
 * Undefined where nothing is mapped.
 */
export function findProxied(
  mappings: Iterable<{ readonly prefix: string; readonly target: string }>,
  url: string,
): Proxied | undefined {
  const asked = url.replace(/^\/\.proxy(?=[/?]|$)/, '');
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(asked.startsWith('/') ? asked : `/${asked}`) ?? [];
  // A mapping is left by nobody: what stands beside its target is not mapped.
  // Some servers decode a slash before they look for it.
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
