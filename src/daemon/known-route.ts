import { didYouMean } from '../base/nearest.ts';

/** A route of the platform taken apart, without the version of the API; a part that is undefined is any. */
export interface RouteParts {
  readonly method: string | undefined;
  readonly path: string | undefined;
}

/** Why the platform cannot be asked for a route, with the one that was probably meant; undefined where it has the route. */
export async function unknownRoute(route: string, { method, path }: RouteParts): Promise<string | undefined> {
  // Loaded with the first request anyway.
  const { routesLike } = await import('../emulator/compose/route-names.ts');
  const { matches, known } = routesLike(method, path);
  if (matches) return undefined;
  return `the platform has no route ${JSON.stringify(route)}.${didYouMean(route, known)}`;
}

/** The path of a route below the address of the API and its version. */
export function pathBelowApi(path: string): string {
  return path.replace(/^\/api(?:\/v\d+)?(?=\/)/, '');
}
