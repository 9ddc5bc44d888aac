import createRouter from 'find-my-way';
import type { Method, Operation } from '../operation.ts';
import { operations } from '../operations.ts';
import { publicOperations } from './public-operations.ts';

/** What stands at a path: an operation, or one of the platform's that this emulator has not. */
export type Target =
  | { readonly kind: 'offered'; readonly operation: Operation }
  | { readonly kind: 'not-offered'; readonly what: string };

/** What a path leads to. */
export type Found =
  | { readonly kind: 'found'; readonly target: Target; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'unknown' };

/** A path as it was asked for, taken apart. */
export interface Place {
  readonly at: 'api' | 'site';
  /** Below `/api` and the version. */
  readonly path: string;
  readonly version: number | undefined;
}

/** Takes a path apart: `/api/v10/users/@me` is `/users/@me` of version 10. The query is not part of it. */
export function placeOf(pathname: string): Place {
  const [, version, rest] = /^\/api(?:\/v(\d{1,4}))?(\/.*)$/.exec(pathname) ?? [];
  if (rest === undefined) return { at: 'site', path: pathname, version: undefined };
  return { at: 'api', path: rest, version: version === undefined ? undefined : Number(version) };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

/** Every operation by its path. */
export class Routes {
  readonly #routers = { api: newRouter(), site: newRouter() };

  constructor(offered: readonly Operation[] = operations) {
    const taken = new Set<string>();
    for (const operation of offered) {
      taken.add(keyOf(operation));
      this.#add(operation.at, operation, { kind: 'offered', operation });
    }
    for (const known of publicOperations()) {
      if (taken.has(keyOf(known))) continue;
      this.#add('api', known, { kind: 'not-offered', what: `${known.method} ${known.path} (${known.id})` });
    }
  }

  #add(at: 'api' | 'site', { method, path }: Pick<Operation, 'method' | 'path'>, target: Target): void {
    // Nothing is called through the router: it only tells what is where.
    this.#routers[at].on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {}, target);
  }

  find(method: string, { at, path }: Place): Found {
    const router = this.#routers[at];
    const verb = METHODS.find((one) => one === method);
    const found = verb && router.find(verb, path);
    if (found) {
      return {
        kind: 'found',
        target: found.store as Target,
        params: found.params as Readonly<Record<string, string>>,
      };
    }
    const allowed = METHODS.filter((other) => router.find(other, path) !== null);
    return allowed.length === 0 ? { kind: 'unknown' } : { kind: 'wrong-method', allowed };
  }
}

function newRouter() {
  return createRouter({ caseSensitive: true, maxParamLength: 512 });
}

/** Names in braces tell no two operations apart. */
export function keyOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
}
