import createRouter from 'find-my-way';
import type { Method, Operation } from '../../api/operation.ts';
import { ownText } from '../../kernel/own-text.ts';

/** Result of a route lookup. */
export type Found<Needs = never> =
  | {
      readonly kind: 'found';
      readonly operation: Operation<Needs>;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'unknown' };

/** A request path in parts. */
export interface RequestPath {
  readonly at: 'api' | 'site';
  /** Below `/api` and the version. */
  readonly path: string;
  readonly version: number | undefined;
}

/** Splits a path without its query: `/api/v10/users/@me` is `/users/@me` of version 10. */
export function requestPathOf(pathname: string): RequestPath {
  const [, version, rest] = /^\/api(?:\/v(\d{1,4}))?(\/.*)$/.exec(pathname) ?? [];
  if (rest === undefined) return { at: 'site', path: pathname, version: undefined };
  return { at: 'api', path: rest, version: version === undefined ? undefined : Number(version) };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

/**
 * Operations whose paths share their first part. The group creates its router on first use, because the router compiles
 * each path.
 */
class RouteGroup<Needs> {
  readonly #operations: Operation<Needs>[] = [];
  #router: ReturnType<typeof createRouter> | undefined;

  add(operation: Operation<Needs>): void {
    this.#operations.push(operation);
  }

  get router(): ReturnType<typeof createRouter> {
    if (this.#router !== undefined) return this.#router;
    this.#router = createRouter({ caseSensitive: true, maxParamLength: 512 });
    for (const operation of this.#operations) {
      // The router only finds operations; it never calls the handlers.
      const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
      this.#router.on(operation.method, path, () => {}, operation);
    }
    return this.#router;
  }
}

/** Finds operations by path; `Needs` is the type of their services. */
export class Routes<Needs = never> {
  /** Groups by the first part of the path, which no two groups share. */
  readonly #groups = new Map<string, RouteGroup<Needs>>();
  /** Fixed segments of all paths, which are the same in each request. */
  readonly literals: ReadonlySet<string>;

  constructor(offered: readonly Operation<Needs>[]) {
    for (const operation of offered) {
      const name = groupKey(operation.at, operation.path);
      const group = this.#groups.get(name) ?? new RouteGroup<Needs>();
      this.#groups.set(name, group);
      group.add(operation);
    }
    const parts = offered.flatMap(({ path }) => path.split('/'));
    this.literals = new Set(parts.filter((part) => part !== '' && !part.startsWith('{')));
  }

  find(method: string, { at, path }: RequestPath): Found<Needs> {
    const router = this.#groups.get(groupKey(at, path))?.router;
    if (router === undefined) return { kind: 'unknown' };
    const verb = METHODS.find((one) => one === method);
    const found = verb && router.find(verb, path);
    if (found) {
      return {
        kind: 'found',
        operation: found.store as Operation<Needs>,
        params: paramsOf(found.params),
      };
    }
    const allowed = METHODS.filter((other) => router.find(other, path) !== null);
    return allowed.length === 0 ? { kind: 'unknown' } : { kind: 'wrong-method', allowed };
  }
}

/** Copies of the parameters, because substrings would keep the whole path with its query in memory. */
function paramsOf(found: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name in found) params[name] = ownText(found[name] ?? '');
  return params;
}

/** Key of a group: the first segment of a path, which is never a parameter. */
function groupKey(at: RequestPath['at'], path: string): string {
  const end = path.indexOf('/', 1);
  return at + (end < 0 ? path : path.slice(0, end));
}
