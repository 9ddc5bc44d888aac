import { isIdParam } from '../serve/http/id-params.ts';
import { operations } from './operations.ts';

/**
 * Whether the platform has a route with the given method and path; either may be undefined. `*`, or a name in braces,
 * matches any part of the path. `known` are all routes, such as `GET /users/{user_id}`.
 */
export function routesLike(
  method: string | undefined,
  path: string | undefined,
): { readonly matches: boolean; readonly known: readonly string[] } {
  const pattern = path?.split('/');
  return {
    matches: operations.some(
      (one) =>
        (method === undefined || one.method === method) &&
        (pattern === undefined || areLike(pattern, one.path.split('/'))),
    ),
    known: operations.map((one) => `${one.method} ${one.path}`),
  };
}

function areLike(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && parts.every((part, index) => isPart(part, pattern[index] ?? ''));
}

function isPart(part: string, patternPart: string): boolean {
  if (part === patternPart || isAny(patternPart)) return true;
  // Ids are numbers, so that a path such as "/users/@mee" is recognized as a typing mistake.
  const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
  return isAny(part) && (name === undefined || !isIdParam(name) || /^\d+$/.test(patternPart));
}

function isAny(part: string): boolean {
  return part === '*' || part.includes('{');
}
