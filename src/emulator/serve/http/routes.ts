import createRouter from 'find-my-way';
import type { Method, Operation } from '../../api/operation.ts';
import { ownText } from '../../kernel/own-text.ts';

/** What a path leads to. */
export type Found<Needs = never> =
  | {
      readonly kind: 'found';
      readonly operation: Operation<Needs>;
      readonly params: Readonly<Record<string, string>>;
    }
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

/** The operations whose paths begin alike; a router of them is made when one is first asked for, for it compiles each path. */
class Shelf<Needs> {
  readonly #operations: Operation<Needs>[] = [];
  #router: ReturnType<typeof createRouter> | undefined;

  add(operation: Operation<Needs>): void {
    this.#operations.push(operation);
  }

  get router(): ReturnType<typeof createRouter> {
    if (this.#router !== undefined) return this.#router;
    this.#router = createRouter({ caseSensitive: true, maxParamLength: 512 });
    for (const operation of this.#operations) {
      // Nothing is called through the router: it only tells what is where.
      const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
      this.#router.on(operation.method, path, () => {}, operation);
    }
    return this.#router;
  }
}

/** Operations by their paths; each is handed what `Needs` says. */
export class Routes<Needs = never> {
  /** By where they are and the first part of their path, which is the same for all that could be meant by one. */
  readonly #shelves = new Map<string, Shelf<Needs>>();

  constructor(offered: readonly Operation<Needs>[]) {
    for (const operation of offered) {
      const name = shelfOf(operation.at, operation.path);
      const shelf = this.#shelves.get(name) ?? new Shelf<Needs>();
      this.#shelves.set(name, shelf);
      shelf.add(operation);
    }
  }

  find(method: string, { at, path }: Place): Found<Needs> {
    const router = this.#shelves.get(shelfOf(at, path))?.router;
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

/** Parts of the path, which would keep the whole of it and the query behind it. */
function paramsOf(found: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(found).map(([name, value = '']) => [name, ownText(value)]));
}

/** No path begins with a name in braces. */
function shelfOf(at: Place['at'], path: string): string {
  return `${at} ${path.split('/', 2)[1] ?? ''}`;
}
